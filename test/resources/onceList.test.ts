import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { OnceList } from '../../nodes/TwoWayMessaging/resources/message/onceList';
import { OpenNote } from '../../nodes/TwoWayMessaging/resources/message/openNote';
import type { Message } from '../../nodes/TwoWayMessaging/message';
import { SkippingClock } from '../support/testClock';
import { CONTEXT, executionWithTable, Table } from './executionWithTable';

const DAY_MS = 24 * 60 * 60_000;
const NOON_MS = Date.UTC(2026, 0, 1, 12);
const REQUEST = { number: '+15551230001', content: 'hello' };

/** A node behind ours that remembers items for the whole workflow. */
const REMOVE_DUPLICATES = {
	type: 'n8n-nodes-base.removeDuplicates',
	parameters: { options: { scope: 'workflow' } },
};

const clock = new SkippingClock();
let table: Table;

beforeEach(() => {
	clock.ms = NOON_MS;
	table = new Table();
});

/** The note of a message that begins now. */
const note = (request: SendRequest = REQUEST) => OpenNote.of(request, clock.ms);

/** The list of a node, as another execution sees it; in another process unless a memory is given. */
const listOf = (
	setUp: Parameters<typeof executionWithTable>[1] = {},
	memory = new ProcessMemory(clock),
) => new OnceList(executionWithTable(table, setUp) as IExecuteFunctions, memory);

describe('a message', () => {
	test('is begun once, and open until somebody says how it ended', async () => {
		expect(await listOf().begin('a', note())).toBe('begun');
		expect(await listOf().begin('a', note())).toBe('open');
		expect(await listOf().begin('a', note())).toBe('open');
	});

	test('that was sent stays sent, however often it is asked for, under one name', async () => {
		await listOf().begin('a', note());
		await listOf().markSent('a');
		for (let times = 0; times < 3; times += 1)
			expect(await listOf().begin('a', note())).toBe('sent');
		expect(await table.size()).toBe(1);
	});

	test('that was given back is begun again, and leaves no name', async () => {
		await listOf().begin('a', note());
		await listOf().giveBack('a');
		expect(await table.size()).toBe(0);
		expect(await listOf().begin('a', note())).toBe('begun');
	});

	test('has a list of its own for each node, and for each name', async () => {
		await listOf().begin('a', note());
		expect(await listOf({ nodeId: 'another' }).begin('a', note())).toBe('begun');
		expect(await listOf().begin('b', note())).toBe('begun');
		await listOf().markSent('b');
		expect(await listOf().begin('a', note())).toBe('open');
	});

	test.each([
		['sent', async (begun?: OpenNote) => await listOf().markSent('a', begun), 1],
		['given back', async (begun?: OpenNote) => await listOf().giveBack('a', begun), 0],
	])('that is %s leaves nothing of its note, known or not', async (_, end, left) => {
		for (const isKnown of [true, false]) {
			const begun = note();
			await listOf().begin('a', begun);
			clock.ms += 2 * DAY_MS;
			await listOf().begin('a', note());
			await listOf().openNote('a');
			await end(isKnown ? begun : undefined);
			expect(await table.size()).toBe(left);
			await listOf().giveBack('a');
		}
	});
});

describe('the note of an open message', () => {
	const row = (more: Message = {}): Message => ({ to: REQUEST.number, content: 'hello', ...more });
	const read = async () => await listOf().openNote('a');

	test('tells to the second when it was begun, however often it is asked for', async () => {
		await listOf().begin('a', note());
		clock.ms += 3 * DAY_MS;
		await listOf().begin('a', note({ ...REQUEST, content: 'another' }));
		const size = await table.size();
		for (let times = 0; times < 2; times += 1) {
			expect((await read())?.sinceMs).toBe(NOON_MS);
			expect((await read())?.isOf(row())).toBe(true);
		}
		expect(await table.size()).toBe(size);
	});

	test('tells the message by number, text and media, as any service may keep them', async () => {
		await listOf().begin('a', note());
		const begun = await read();
		expect(begun?.isOf(row({ to: '+1 (555) 123-0001', content: ' hello\r\n' }))).toBe(true);
		expect(begun?.isOf(row({ media_url: null, is_outbound: true }))).toBe(true);
		expect(begun?.isOf(row({ to: '+15551230002' }))).toBe(false);
		expect(begun?.isOf(row({ to: undefined }))).toBe(false);
		expect(begun?.isOf(row({ content: 'Hello' }))).toBe(false);
		expect(begun?.isOf(row({ media_url: 'https://example.com/a.png' }))).toBe(false);
		expect(begun?.isOf(row({ is_outbound: false }))).toBe(false);
	});

	test('is that of the last time when it was begun again', async () => {
		await listOf().begin('a', note());
		clock.ms += DAY_MS;
		await listOf().beginAgain('a', note({ ...REQUEST, content: 'another' }));
		expect((await read())?.sinceMs).toBe(NOON_MS + DAY_MS);
		expect((await read())?.isOf(row())).toBe(false);
		expect((await read())?.isOf(row({ content: 'another' }))).toBe(true);
		await listOf().markSent('a');
		expect(await table.size()).toBe(1);
	});

	test('fits the message also where a killed process has left a part of another', async () => {
		await listOf().begin('a', note());
		clock.ms += DAY_MS;
		table.stopAfter = 1;
		await listOf()
			.beginAgain('a', note({ ...REQUEST, content: 'another' }))
			.catch(() => undefined);
		table.stopAfter = undefined;
		expect((await read())?.sinceMs).toBeLessThanOrEqual(NOON_MS);
		expect((await read())?.isOf(row())).toBe(true);
		expect((await read())?.isOf(row({ content: 'another' }))).toBe(true);
	});

	test('is unknown where a process was killed while it asked for a message that was sent', async () => {
		await listOf().begin('a', note());
		await listOf().markSent('a');
		table.stopAfter = 1;
		await listOf()
			.begin('a', note())
			.catch(() => undefined);
		table.stopAfter = undefined;
		expect(await listOf().begin('a', note())).toBe('open');
		expect(await read()).toBeUndefined();
		await listOf().beginAgain('a', note());
		expect((await read())?.sinceMs).toBe(NOON_MS);
	});

	test('is unknown where names are missing', async () => {
		await listOf().begin('a', note());
		await table.data.removeProcessed([`note ${note().names[0]} a`], 'node', CONTEXT, {
			mode: 'entries',
		});
		expect(await read()).toBeUndefined();
	});
});

describe('taking over an open message', () => {
	const PERIOD_MS = 100_000;
	const takesOver = async (list = listOf()) => await list.takeOver('a', PERIOD_MS);

	beforeEach(async () => void (await listOf().begin('a', note())));

	test('is done by one process', async () => {
		const taken = await Promise.all([0, 1, 2].map(async () => await takesOver()));
		expect(taken.sort()).toEqual([false, false, true]);
		expect(await listOf().begin('a', note())).toBe('open');
	});

	test.each([0, 1, 50_000, 99_999])(
		'is possible again one to two periods later, when it was done %i ms after the beginning of one',
		async (afterMs) => {
			clock.ms = Math.ceil(clock.ms / PERIOD_MS) * PERIOD_MS + afterMs;
			expect(await takesOver()).toBe(true);
			clock.ms += PERIOD_MS;
			expect(await takesOver()).toBe(false);
			clock.ms += PERIOD_MS;
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
		expect(await listOf().begin('a', note())).toBe(standing);
	});
});

describe('the table', () => {
	test('keeps 10,000 names at least, and is not let grow much beyond them', async () => {
		await listOf().begin('a', note());
		for (const { most } of table.added) {
			expect(most).toBeGreaterThanOrEqual(10_000);
			expect(most).toBeLessThanOrEqual(11_000);
		}
		expect(table.added.length).toBeGreaterThan(0);
	});

	test('is written by one call at a time in a process: of two at once one begins the message', async () => {
		const memory = new ProcessMemory(clock);
		const begun = await Promise.all(
			[0, 1, 2].map(
				async () => await listOf({ children: [REMOVE_DUPLICATES] }, memory).begin('a', note()),
			),
		);
		expect(begun.sort()).toEqual(['begun', 'open', 'open']);
	});

	test('is written by one process at a time', async () => {
		const names = ['a', 'b', 'c', 'd', 'e'];
		await Promise.all(names.map(async (name) => await listOf().begin(name, note())));
		for (const name of names) expect(await listOf().begin(name, note())).toBe('open');
	});

	test('is written also after a call that has failed', async () => {
		const memory = new ProcessMemory(clock);
		table.isBroken = true;
		const failing = listOf({}, memory).begin('a', note());
		const next = failing.catch(() => (table.isBroken = false));
		await expect(failing).rejects.toThrow('The disk is full');
		await next;
		expect(await listOf({}, memory).begin('a', note())).toBe('begun');
	});

	test('lets a call that waits go on when the one before it fails', async () => {
		const memory = new ProcessMemory(clock);
		table.isBroken = true;
		const failing = listOf({}, memory).begin('a', note());
		const waiting = listOf({}, memory).begin('b', note());
		await failing.catch(() => (table.isBroken = false));
		expect(await waiting).toBe('begun');
	});

	test('is written without the lock where another node uses its row, which is found out once', async () => {
		const memory = new ProcessMemory(clock);
		const getChildNodes = jest.fn(() => [REMOVE_DUPLICATES]);
		const execution = { ...executionWithTable(table), getChildNodes } as never;
		const list = new OnceList(execution, memory);

		expect(await list.begin('a', note())).toBe('begun');
		expect(await list.begin('a', note())).toBe('open');

		expect(getChildNodes).toHaveBeenCalledTimes(1);
		expect(table.locks).toBe(0);
		await listOf({ workflowId: 'another' }, memory).begin('a', note());
		expect(table.locks).toBe(1);
	});

	test('is written with the lock each time elsewhere', async () => {
		const memory = new ProcessMemory(clock);
		await listOf({}, memory).begin('a', note());
		await listOf({}, memory).begin('b', note());
		expect(table.locks).toBe(2);
	});
});
