import fc from 'fast-check';
import { RunsUnderWay } from '../../nodes/TwoWayMessaging/trigger/runsUnderWay';
import { TestClock } from '../support/testClock';

const NODE = 'workflow node';

let nowMs: number;
let runs: RunsUnderWay;

beforeEach(() => {
	nowMs = 0;
	runs = new RunsUnderWay(new TestClock(() => nowMs));
});

const fill = (count: number, isFollowed = true) =>
	Array.from({ length: count }, (_, at) => runs.add(NODE, [`e${at}`], isFollowed));
const begin = (count: number) => {
	for (let at = 0; at < count; at += 1) runs.markBegun(NODE, `e${at}`);
};

describe('there is room for another execution', () => {
	test('while fewer than ten have not begun, whoever started them', () => {
		fill(9, false);
		expect(runs.hasRoom(NODE, false)).toBe(true);
		runs.add(NODE, ['other'], true);
		expect(runs.hasRoom(NODE, false)).toBe(false);
		runs.markBegun(NODE, 'e0');
		expect(runs.hasRoom(NODE, false)).toBe(true);
	});

	test('while fewer than twenty have not ended', () => {
		const started = fill(20);
		begin(20);
		expect(runs.hasRoom(NODE, false)).toBe(false);
		runs.end(started[0]!);
		expect(runs.hasRoom(NODE, false)).toBe(true);
	});

	test('for what requests have brought, up to four hundred that have not begun or not ended', () => {
		fill(399);
		expect([runs.hasRoom(NODE, false), runs.hasRoom(NODE, true)]).toEqual([false, true]);
		const last = runs.add(NODE, ['last'], true);
		expect(runs.hasRoom(NODE, true)).toBe(false);
		begin(399);
		runs.markBegun(NODE, 'last');
		expect(runs.hasRoom(NODE, true)).toBe(false);
		runs.end(last);
		expect(runs.hasRoom(NODE, true)).toBe(true);
	});

	test('whatever waits for more texts before it begins', () => {
		fill(20);
		for (let at = 0; at < 20; at += 1) runs.markWaiting(NODE, `e${at}`);
		expect(runs.hasRoom(NODE, false)).toBe(true);
	});

	test('while those that have begun wait for the service, and again no more when they go on', async () => {
		fill(20);
		begin(20);
		let answer = () => {};
		const asked = new Promise<void>((resolve) => (answer = resolve));
		const waiting = runs.whileWaiting(NODE, 'e0', async () => await asked);
		expect(runs.hasRoom(NODE, false)).toBe(true);
		answer();
		await waiting;
		expect(runs.hasRoom(NODE, false)).toBe(false);
	});

	test('when an execution has not begun for half a minute, or not ended for a minute', () => {
		fill(10);
		nowMs = 30_000;
		expect(runs.hasRoom(NODE, false)).toBe(true);
		fill(20);
		begin(20);
		expect(runs.hasRoom(NODE, false)).toBe(false);
		nowMs += 60_000;
		expect(runs.hasRoom(NODE, false)).toBe(true);
	});

	test('for two executions of a node, whatever those of others wait for', () => {
		fill(20);
		begin(20);
		for (const name of ['a', 'b']) {
			expect(runs.hasRoom('other', false)).toBe(true);
			runs.add('other', [name], true);
			runs.markBegun('other', name);
		}
		expect(runs.hasRoom('other', false)).toBe(false);
	});

	test('for what has waited a minute, also when the clock was set back meanwhile', () => {
		nowMs = 3_600_000;
		fill(20);
		begin(20);
		nowMs = 0;
		expect(runs.hasRoom(NODE, false)).toBe(false);
		nowMs = 60_000;
		expect(runs.hasRoom(NODE, false)).toBe(true);
	});

	test('while those that have not begun wait for the service', async () => {
		fill(10, false);
		let answer = () => {};
		const asked = new Promise<void>((resolve) => (answer = resolve));
		const waiting = runs.whileWaiting(NODE, 'e0', async () => await asked);
		expect([runs.hasRoom(NODE, false), runs.areFewerStarting(NODE, 10)]).toEqual([true, true]);
		answer();
		await waiting;
		expect([runs.hasRoom(NODE, false), runs.areFewerStarting(NODE, 10)]).toEqual([false, false]);
	});

	test('only when all events of an execution have begun', () => {
		fill(9);
		runs.add(NODE, ['a', 'b'], true);
		runs.markBegun(NODE, 'a');
		expect(runs.hasRoom(NODE, false)).toBe(false);
		runs.markBegun(NODE, 'b');
		expect(runs.hasRoom(NODE, false)).toBe(true);
	});
});

test('who waits for room is told when an execution begins or ends', async () => {
	const [first] = fill(10);
	const waiting = runs.waitForChange();
	runs.end(first!);
	await waiting;
	expect(runs.hasRoom(NODE, false)).toBe(true);
});

test('events of two nodes with the same name are two', () => {
	runs.add('one', ['a'], false);
	runs.add('other', ['a'], false);
	runs.markBegun('one', 'a');
	expect(runs.starting()).toBe(1);
});

test('who waits for room is told when an execution begins to wait for the service', async () => {
	fill(20);
	begin(20);
	const told = runs.waitForChange();
	void runs.whileWaiting(NODE, 'e0', async () => await new Promise(() => {}));
	await told;
	expect(runs.hasRoom(NODE, false)).toBe(true);
});

/** What happens to one of a few executions of two nodes. */
const step = fc.record({
	what: fc.constantFrom('add', 'begin', 'wait', 'goOn', 'end', 'markWaiting', 'time'),
	at: fc.nat(5),
	isFollowed: fc.boolean(),
});
const nodeOf = (at: number) => `workflow ${at % 2}`;

test('whatever happens in whatever order, as many executions count as there are', async () => {
	const steps = fc.array(step, { maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(steps, async (all) => {
			nowMs = 0;
			runs = new RunsUnderWay(new TestClock(() => nowMs));
			/** The executions that have not begun, as a plain list knows them. */
			const model = new Map<number, { atMs: number; waits: Array<() => void> }>();
			const added = new Map<number, ReturnType<typeof runs.add>>();
			const going: Array<Promise<unknown>> = [];
			for (const { what, at, isFollowed } of all) {
				const name = `e${at}`;
				const known = model.get(at);
				if (what === 'add' && !added.has(at)) {
					added.set(at, runs.add(nodeOf(at), [name], isFollowed));
					model.set(at, { atMs: nowMs, waits: [] });
				} else if (what === 'begin') {
					runs.markBegun(nodeOf(at), name);
					model.delete(at);
				} else if (what === 'markWaiting') {
					runs.markWaiting(nodeOf(at), name);
					model.delete(at);
				} else if (what === 'end' && added.has(at)) {
					runs.end(added.get(at)!);
					model.delete(at);
				} else if (what === 'wait' && known) {
					const asked = new Promise<void>((resolve) => known.waits.push(resolve));
					going.push(runs.whileWaiting(nodeOf(at), name, async () => await asked));
				} else if (what === 'goOn') {
					known?.waits.shift()?.();
					// The execution goes on once its promises have.
					for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
				} else if (what === 'time') {
					nowMs += 10_000;
					for (const [one, { atMs }] of model) if (nowMs - atMs >= 30_000) model.delete(one);
				}
				const starting = [...model].filter(([, { waits }]) => waits.length === 0);
				expect(runs.starting()).toBe(starting.length);
				for (const node of [nodeOf(0), nodeOf(1)]) {
					const own = starting.filter(([one]) => nodeOf(one) === node).length;
					expect(runs.areFewerStarting(node, own)).toBe(false);
					expect(runs.areFewerStarting(node, own + 1)).toBe(true);
				}
			}
		}),
	);
});
