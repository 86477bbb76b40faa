import type { IExecuteFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import {
	beginOnce,
	endOnce,
	noteOfOpen,
	reopenOnce,
} from '../../nodes/TwoWayMessaging/action/sending/once';
import type { Run } from '../../nodes/TwoWayMessaging/service/run';
import { SkippingClock } from '../support/testClock';
import { executionWithTable, Table } from './executionWithTable';

/** A node behind ours that remembers items for the whole workflow. */
const REMOVE_DUPLICATES = {
	type: 'n8n-nodes-base.removeDuplicates',
	parameters: { options: { scope: 'workflow' } },
};

/** Notes of two messages. */
const [NOTE, OTHER] = ['0123456789abcdef0123', '0123456a89abcdef0123'] as const;

const clock = new SkippingClock();
let table: Table;

beforeEach(() => {
	table = new Table();
});

/** The list of a node, as another execution sees it; in another process unless a memory is given. */
const listOf = (
	setUp: Parameters<typeof executionWithTable>[1] = {},
	memory = new ProcessMemory(clock),
) => listIn(executionWithTable(table, setUp) as IExecuteFunctions, memory);

function listIn(context: IExecuteFunctions, memory: ProcessMemory) {
	const run = { context, memory } as Run;
	return {
		begin: async (name: string, note: string) => await beginOnce(run, name, note),
		noteOf: async (name: string) => await noteOfOpen(run, name),
		reopen: async (name: string, note: string) => await reopenOnce(run, name, note),
		markSent: async (name: string, note?: string) => await endOnce(run, name, true, note),
		giveBack: async (name: string, note?: string) => await endOnce(run, name, false, note),
	};
}

describe('a message', () => {
	test('is begun once, and open until somebody says how it ended', async () => {
		expect(await listOf().begin('a', NOTE)).toBe('begun');
		expect(await listOf().begin('a', OTHER)).toBe('open');
		expect(await listOf().noteOf('a')).toBe(NOTE);
		expect(await listOf().begin('a', OTHER)).toBe('open');
	});

	test.each([
		['sent', async (note?: string) => await listOf().markSent('a', note), 1],
		['given back', async (note?: string) => await listOf().giveBack('a', note), 0],
	])('that is %s is not open, and leaves nothing of its note', async (_, end, left) => {
		for (const note of [NOTE, undefined]) {
			await listOf().begin('a', NOTE);
			await listOf().begin('a', OTHER);
			await end(note);
			expect(await listOf().noteOf('a')).toBeUndefined();
			expect(await table.size()).toBe(left);
			await listOf().giveBack('a');
		}
	});

	test('is taken out of the list only where nobody has begun it since', async () => {
		await listOf().begin('a', NOTE);
		await listOf().reopen('a', OTHER);
		expect(await listOf().begin('a', NOTE)).toBe('open');
		await listOf().reopen('a', NOTE);
		expect(await table.size()).toBe(0);
		await listOf().begin('a', NOTE);
		await listOf().markSent('a', NOTE);
		await listOf().reopen('a', NOTE);
		await listOf().reopen('a', '');
		expect(await listOf().begin('a', NOTE)).toBe('sentBefore');
	});

	test('has no note where a process was killed while it asked for it', async () => {
		await listOf().begin('a', NOTE);
		table.stopAfter = 1;
		await listOf()
			.noteOf('a')
			.catch(() => undefined);
		table.stopAfter = undefined;
		expect(await listOf().noteOf('a')).toBe('');
		await listOf().reopen('a', '');
		expect(await table.size()).toBe(0);
	});
});

describe('the table', () => {
	test('keeps 10,000 names at least, and is not let grow much beyond them', async () => {
		await listOf().begin('a', NOTE);
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
				async () => await listOf({ children: [REMOVE_DUPLICATES] }, memory).begin('a', NOTE),
			),
		);
		expect(begun.sort()).toEqual(['begun', 'open', 'open']);
	});

	test('is written by one process at a time', async () => {
		const names = ['a', 'b', 'c', 'd', 'e'];
		await Promise.all(names.map(async (name) => await listOf().begin(name, NOTE)));
		for (const name of names) expect(await listOf().begin(name, NOTE)).toBe('open');
	});

	test('is written also after a call that has failed', async () => {
		const memory = new ProcessMemory(clock);
		table.isBroken = true;
		const failing = listOf({}, memory).begin('a', NOTE);
		const next = failing.catch(() => (table.isBroken = false));
		await expect(failing).rejects.toThrow('The disk is full');
		await next;
		expect(await listOf({}, memory).begin('a', NOTE)).toBe('begun');
	});

	test('lets a call that waits go on when the one before it fails', async () => {
		const memory = new ProcessMemory(clock);
		table.isBroken = true;
		const failing = listOf({}, memory).begin('a', NOTE);
		const waiting = listOf({}, memory).begin('b', NOTE);
		await failing.catch(() => (table.isBroken = false));
		expect(await waiting).toBe('begun');
	});

	test('is written without the lock where another node uses its row, which is found out once', async () => {
		const memory = new ProcessMemory(clock);
		const getChildNodes = jest.fn(() => [REMOVE_DUPLICATES]);
		const execution = { ...executionWithTable(table), getChildNodes } as never;
		const list = listIn(execution, memory);

		expect(await list.begin('a', NOTE)).toBe('begun');
		expect(await list.begin('a', NOTE)).toBe('open');

		expect(getChildNodes).toHaveBeenCalledTimes(1);
		expect(table.locks).toBe(0);
		await listOf({ workflowId: 'another' }, memory).begin('a', NOTE);
		expect(table.locks).toBe(1);
	});

	test('is written with the lock each time elsewhere', async () => {
		const memory = new ProcessMemory(clock);
		await listOf({}, memory).begin('a', NOTE);
		await listOf({}, memory).begin('b', NOTE);
		expect(table.locks).toBe(2);
	});
});
