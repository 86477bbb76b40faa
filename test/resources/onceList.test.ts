import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { OnceList } from '../../nodes/TwoWayMessaging/resources/message/onceList';
import { executionWithTable, Table } from './executionWithTable';

const DAY_MS = 24 * 60 * 60_000;
const NOON_MS = Date.UTC(2026, 0, 1, 12);
const TODAY_MS = Date.UTC(2026, 0, 1);

/** A node behind ours that remembers items for the whole workflow. */
const REMOVE_DUPLICATES = {
	type: 'n8n-nodes-base.removeDuplicates',
	parameters: { options: { scope: 'workflow' } },
};

let nowMs: number;
let table: Table;

const clock: Clock = {
	nowMs: () => nowMs,
	sleep: async (durationMs) => {
		nowMs += durationMs;
		await new Promise<void>((resolve) => setImmediate(resolve));
	},
};

beforeEach(() => {
	nowMs = NOON_MS;
	table = new Table();
});

/** The list of a node, as another execution sees it; in another process unless a memory is given. */
const listOf = (
	setUp: Parameters<typeof executionWithTable>[1] = {},
	memory = new ProcessMemory(clock),
) => new OnceList(executionWithTable(table, setUp) as IExecuteFunctions, memory);

describe('a message', () => {
	test('is begun once, and open until somebody says how it ended', async () => {
		expect(await listOf().begin('a')).toBe('begun');
		expect(await listOf().begin('a')).toBe('open');
		expect(await listOf().begin('a')).toBe('open');
	});

	test('that was sent stays sent, however often it is asked for, under one name', async () => {
		await listOf().begin('a');
		await listOf().markSent('a');
		for (let times = 0; times < 3; times += 1) expect(await listOf().begin('a')).toBe('sent');
		expect(await table.size()).toBe(1);
	});

	test('that was given back is begun again, and leaves no name', async () => {
		await listOf().begin('a');
		await listOf().giveBack('a');
		expect(await table.size()).toBe(0);
		expect(await listOf().begin('a')).toBe('begun');
	});

	test('has a list of its own for each node, and for each name', async () => {
		await listOf().begin('a');
		expect(await listOf({ nodeId: 'another' }).begin('a')).toBe('begun');
		expect(await listOf().begin('b')).toBe('begun');
		await listOf().markSent('b');
		expect(await listOf().begin('a')).toBe('open');
	});

	test.each([
		['sent', async (sinceMs: number) => await listOf().markSent('a', sinceMs), 1],
		['given back', async (sinceMs: number) => await listOf().giveBack('a', sinceMs), 0],
	])('that is %s days after it was begun leaves no trace of them', async (_, end, left) => {
		await listOf().begin('a');
		nowMs += 2 * DAY_MS;
		await listOf().begin('a');
		await listOf().openSinceMs('a');
		nowMs += DAY_MS;
		await listOf().begin('a');

		await end(NOON_MS);

		expect(await table.size()).toBe(left);
	});

	test('that is ended with a wrong time, which lies ahead, is ended all the same', async () => {
		await listOf().begin('a');
		await listOf().giveBack('a', nowMs + 3 * DAY_MS);
		expect(await listOf().begin('a')).toBe('begun');
	});
});

describe('an open message', () => {
	test('is known to be open since the day on which it was begun first', async () => {
		await listOf().begin('a');
		expect(await listOf().openSinceMs('a')).toBe(TODAY_MS);
		nowMs += 3 * DAY_MS;
		await listOf().begin('a');
		const size = await table.size();

		expect(await listOf().openSinceMs('a')).toBe(TODAY_MS);
		expect(await listOf().openSinceMs('a')).toBe(TODAY_MS);
		expect(await table.size()).toBe(size);
	});

	test.each([
		[39, TODAY_MS],
		[40, TODAY_MS + 40 * DAY_MS],
	])('since %i days ago is found as far back as 40 days', async (days, sinceMs) => {
		await listOf().begin('a');
		nowMs += days * DAY_MS;
		expect(await listOf().openSinceMs('a')).toBe(sinceMs);
	});
});

describe('taking over an open message', () => {
	const PERIOD_MS = 100_000;
	const takesOver = async (list = listOf()) => await list.takeOver('a', PERIOD_MS);

	beforeEach(async () => void (await listOf().begin('a')));

	test('is done by one process', async () => {
		const taken = await Promise.all([0, 1, 2].map(async () => await takesOver()));
		expect(taken.sort()).toEqual([false, false, true]);
		expect(await listOf().begin('a')).toBe('open');
	});

	test.each([0, 1, 50_000, 99_999])(
		'is possible again one to two periods later, when it was done %i ms after the beginning of one',
		async (afterMs) => {
			nowMs = Math.ceil(nowMs / PERIOD_MS) * PERIOD_MS + afterMs;
			expect(await takesOver()).toBe(true);
			nowMs += PERIOD_MS;
			expect(await takesOver()).toBe(false);
			nowMs += PERIOD_MS;
			expect(await takesOver()).toBe(true);
		},
	);

	test('is possible at once when the process that did it lets go, which leaves no trace', async () => {
		const size = await table.size();
		const list = listOf();
		expect(await takesOver(list)).toBe(true);
		expect(await takesOver()).toBe(false);
		await list.letGo();
		expect(await table.size()).toBe(size);
		expect(await takesOver()).toBe(true);
	});

	test('is not undone by a process that has not done it', async () => {
		await takesOver();
		await listOf().letGo();
		expect(await takesOver()).toBe(false);
	});

	test.each([
		['sent', 'markSent', 'sent'],
		['given back', 'giveBack', 'begun'],
	] as const)('is not possible when it was %s meanwhile', async (_, end, standing) => {
		await listOf()[end]('a');
		const size = await table.size();
		expect(await takesOver()).toBe(false);
		expect(await table.size()).toBe(size);
		expect(await listOf().begin('a')).toBe(standing);
	});
});

describe('the table', () => {
	test('keeps 10,000 names at least, and is not let grow much beyond them', async () => {
		await listOf().begin('a');
		for (const { most } of table.added) {
			expect(most).toBeGreaterThanOrEqual(10_000);
			expect(most).toBeLessThanOrEqual(11_000);
		}
		expect(table.added.length).toBeGreaterThan(0);
	});

	test('is written by one call at a time in a process: of two at once one begins the message', async () => {
		const memory = new ProcessMemory(clock);
		const begun = await Promise.all(
			[0, 1, 2].map(async () => await listOf({ children: [REMOVE_DUPLICATES] }, memory).begin('a')),
		);
		expect(begun.sort()).toEqual(['begun', 'open', 'open']);
	});

	test('is written by one process at a time', async () => {
		const names = ['a', 'b', 'c', 'd', 'e'];
		await Promise.all(names.map(async (name) => await listOf().begin(name)));
		for (const name of names) expect(await listOf().begin(name)).toBe('open');
	});

	test('is written also after a call that has failed', async () => {
		const memory = new ProcessMemory(clock);
		table.isBroken = true;
		const failing = listOf({}, memory).begin('a');
		const next = failing.catch(() => (table.isBroken = false));
		await expect(failing).rejects.toThrow('The disk is full');
		await next;
		expect(await listOf({}, memory).begin('a')).toBe('begun');
	});

	test('lets a call that waits go on when the one before it fails', async () => {
		const memory = new ProcessMemory(clock);
		table.isBroken = true;
		const failing = listOf({}, memory).begin('a');
		const waiting = listOf({}, memory).begin('b');
		await failing.catch(() => (table.isBroken = false));
		expect(await waiting).toBe('begun');
	});

	test('is written without the lock where another node uses its row, which is found out once', async () => {
		const memory = new ProcessMemory(clock);
		const getChildNodes = jest.fn(() => [REMOVE_DUPLICATES]);
		const execution = { ...executionWithTable(table), getChildNodes } as never;
		const list = new OnceList(execution, memory);

		expect(await list.begin('a')).toBe('begun');
		expect(await list.begin('a')).toBe('open');

		expect(getChildNodes).toHaveBeenCalledTimes(1);
		expect(table.locks).toBe(0);
		await listOf({ workflowId: 'another' }, memory).begin('a');
		expect(table.locks).toBe(1);
	});

	test('is written with the lock each time elsewhere', async () => {
		const memory = new ProcessMemory(clock);
		await listOf({}, memory).begin('a');
		await listOf({}, memory).begin('b');
		expect(table.locks).toBe(2);
	});
});
