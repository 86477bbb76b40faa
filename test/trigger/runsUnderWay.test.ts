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
