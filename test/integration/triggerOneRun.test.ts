import type { IDataObject } from 'n8n-workflow';
import { log } from '../support/log';
import { handles, HistoryWorld, MINUTE_MS, SECRET } from './historyWorld';
import { inbound } from './triggerHistory';
import type { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

let world: HistoryWorld;

beforeEach(async () => {
	world = await HistoryWorld.start();
});
afterEach(async () => await world.service.stop());

const missed = (count: number, prefix = 'm') =>
	Array.from({ length: count }, (_, at) => {
		const handle = `${prefix}${at}`;
		world.service.rows.push(
			inbound(handle, world.nowMs + 1_000 + at, { from: `+1555123${1_000 + at}` }),
		);
		return handle;
	});
const check = async (process: Process) => {
	world.nowMs += 5 * MINUTE_MS;
	return await process.check();
};
const warnings = () => log.messages('warn').filter((line) => line.includes('share an execution'));

describe('what a check finds', () => {
	test('starts an execution for each event, oldest first', async () => {
		const process = await world.started();
		const wanted = missed(30);
		await check(process);
		expect(handles(await process.execute())).toEqual(wanted);
		expect(process.executions).toEqual(wanted.map(() => 1));
		expect(process.blanks).toBe(0);
	});

	test('starts an execution for each event also by polling', async () => {
		const process = await world.started({ receiveBy: 'polling' });
		const wanted = missed(3);
		await check(process);
		expect(handles(await process.execute())).toEqual(wanted);
		expect(process.executions).toEqual([1, 1, 1]);
	});

	test('starts one execution for the texts of a conversation where texts are combined', async () => {
		const process = await world.started({ options: { combineSeconds: 5 } });
		for (const [at, from] of ['+15551230001', '+15551230002', '+15551230001'].entries()) {
			world.service.rows.push(
				inbound(`m${at}`, world.nowMs + 1_000 + at, { content: `text ${at}`, from }),
			);
		}
		await check(process);
		const contents = (await process.execute()).map(({ content }) => content);
		expect(contents).toEqual(['text 0\ntext 2', 'text 1']);
		expect(process.executions).toEqual([1, 1]);
	});

	test('shares executions of so many items as Max Events per Execution says', async () => {
		const process = await world.started({ options: { maxEventsPerExecution: 2 } });
		const wanted = missed(5);
		await check(process);
		expect(handles(await process.execute())).toEqual(wanted);
		expect(process.executions).toEqual([2, 2, 1]);
	});

	test('starts a few executions at a time, and the next when one has begun', async () => {
		const process = await world.started();
		missed(100);
		await check(process);
		expect(process.queue).toHaveLength(10);
		await process.execute(1);
		await new Promise((resolve) => setImmediate(resolve));
		expect(process.queue).toHaveLength(10);
	});

	test('is not handed over again by later checks, however long it waits for its execution', async () => {
		const process = await world.started();
		const wanted = missed(100);
		await check(process);
		// n8n may lose what it was given. What waits here is not given to it a second time.
		const given = process.queue.splice(0).flatMap(({ items }) => items);
		for (let tick = 0; tick < 4; tick += 1) await check(process);
		given.push(...process.queue.flatMap(({ items }) => items));
		const names = given.map(({ json }) => json.name);
		expect(names).toEqual([...new Set(names)]);
		expect(names.length).toBeLessThan(wanted.length);
		expect(handles(await process.execute()).sort()).toEqual([...wanted].sort());
	});

	test('comes once each, and completely, when n8n is killed with a full queue', async () => {
		await world.started();
		const wanted = missed(100);
		world.nowMs += 5 * MINUTE_MS;
		const killed = await world.restarted();
		const before = handles(await killed.execute(3));
		const process = await world.restarted();
		const after = handles(await process.execute());
		expect([...before, ...after]).toEqual(wanted);
	});

	test('comes with the next check when n8n cannot start its execution', async () => {
		const process = await world.started();
		const wanted = missed(2);
		process.failsToStart = true;
		await check(process);
		await new Promise((resolve) => setImmediate(resolve));
		expect(log.messages('warn').join()).toContain('could not start an execution');
		process.failsToStart = false;
		await check(process);
		expect(handles(await process.execute())).toEqual(wanted);
	});

	test('is dropped from the queue when the workflow stops, and comes when it is published again', async () => {
		const process = await world.started();
		const wanted = missed(20);
		await check(process);
		await process.release();
		const begun = handles(await process.execute());
		expect(begun).toEqual(wanted.slice(0, 10));
		await process.activate('update');
		expect(handles(await process.execute())).toEqual(wanted.slice(10));
	});

	test('is dropped from the queue for good when a person activates the workflow later', async () => {
		const process = await world.started();
		missed(20);
		await check(process);
		await process.release();
		process.queue.splice(0);
		await process.activate('activate');
		expect(await process.execute()).toEqual([]);
	});
});

describe('after a restart', () => {
	test('what has begun before costs few executions without items, and what has not gets its own', async () => {
		const process = await world.started();
		const wanted: string[] = [];
		for (const handle of missed(300)) {
			if (wanted.length < 3 && handle.endsWith('50')) wanted.push(handle);
			else await process.receive(receiveEvent(handle), SECRET, world.nowMs);
		}
		await process.execute();
		world.nowMs += 5 * MINUTE_MS;
		const again = await world.restarted();
		expect(handles(await again.execute())).toEqual(wanted);
		expect(again.executions).toEqual(wanted.map(() => 1));
		expect(again.blanks).toBeLessThan(60);
	});
});

describe('where a check cannot start executions', () => {
	test('one execution has all that it found, and the log says so once', async () => {
		const process = world.newProcess();
		process.canEmit = false;
		await process.activate('activate');
		for (const lot of ['a', 'b']) {
			const wanted = missed(3, lot);
			await check(process);
			expect(process.queue.map(({ items }) => items.length)).toEqual([3]);
			expect(handles(await process.execute())).toEqual(wanted);
		}
		expect(warnings()).toHaveLength(1);
	});
});

describe('in queue mode, where executions begin in another process', () => {
	/** Runs what the main process has put into the queue. */
	const work = async (main: Process, worker: Process) => {
		const begun: IDataObject[] = [];
		for (let turn = 0; turn < 50; turn += 1) {
			for (const { items, mode, done } of main.queue.splice(0)) {
				worker.queue.push({ items: structuredClone(items), mode, done });
				begun.push(...(await worker.execute(1)));
			}
			await new Promise((resolve) => setImmediate(resolve));
		}
		return begun;
	};

	test('each missed event starts an execution of its own, once', async () => {
		const [main, worker] = [await world.started(), world.newProcess()];
		const wanted = missed(10);
		for (let tick = 0; tick < 4; tick += 1) {
			await check(main);
			expect(handles(await work(main, worker))).toEqual(tick === 0 ? wanted : []);
		}
		expect(worker.executions).toEqual(wanted.map(() => 1));
		expect(worker.blanks).toBe(0);
	});

	test('what webhooks have brought to other processes costs few executions without items', async () => {
		const [main, webhooks, worker] = [
			await world.started(),
			world.newProcess(),
			world.newProcess(),
		];
		for (let tick = 0; tick < 3; tick += 1) {
			for (const handle of missed(100, `t${tick}-`)) {
				await webhooks.receive(receiveEvent(handle), SECRET, world.nowMs);
			}
			worker.queue.push(...webhooks.queue.splice(0));
			expect(await worker.execute()).toHaveLength(100);
			await check(main);
			expect(await work(main, worker)).toEqual([]);
		}
		expect(worker.blanks).toBeLessThan(15);
	});
});
