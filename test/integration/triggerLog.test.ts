import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { log } from '../support/log';
import { waitUntil } from '../support/waitUntil';
import { handles, HistoryWorld, HOUR_MS, SECRET } from './historyWorld';
import { inbound } from './triggerHistory';
import { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

const DAY_MS = 24 * HOUR_MS;

let world: HistoryWorld;

beforeEach(async () => {
	world = await HistoryWorld.start();
});
afterEach(async () => await world.service.stop());

const said = (words: string) => log.messages('warn').filter((line) => line.includes(words));

describe('texts that only opt out', () => {
	test('start nothing', async () => {
		const process = await world.started({ filters: { stopWords: 'STOP, Alto' } });
		const text = (handle: string, content: string) =>
			world.service.rows.push({ ...inbound(handle, world.nowMs + 1_000), content });
		await process.receive(receiveEvent('a', { text: 'ALTO!' }), SECRET, world.nowMs);
		text('b', 'Stop');
		text('c', 'alto por favor');
		expect(handles(await world.check(process))).toEqual(['c']);
		text('d', 'alto');
		expect(await world.check(process)).toEqual([]);
		expect(await world.check(process)).toEqual([]);
	});

	test('are ordinary texts where the operator has other words', async () => {
		const process = await world.started({ filters: { stopWords: 'ALTO' } });
		await process.receive(receiveEvent('a', { text: 'cancel' }), SECRET, world.nowMs);
		expect(handles(await process.execute())).toEqual(['a']);
	});
});

test('§3.3 a URL that the service knows already is told in the log, and tried again a day later', async () => {
	const process = await world.started();
	world.service.knowUrls();
	const told = () => said('sends nothing to it; checks bring');
	const missAndCheck = async (handle: string, afterMs: number) => {
		world.service.rows.push(inbound(handle, world.nowMs + 1_000));
		expect(handles(await world.check(process, afterMs))).toEqual([handle]);
	};
	await missAndCheck('a', 2 * HOUR_MS);
	await waitUntil('the line', async () => told()[0]);
	await missAndCheck('b', 2 * HOUR_MS);
	const { length } = world.service.registered;
	await missAndCheck('c', DAY_MS);
	await waitUntil('the line', async () => told()[1]);
	expect(world.service.registered).toHaveLength(length + 1);
});

describe('two published workflows that hear the same line', () => {
	const memory = () => new ProcessMemory(world.clock);
	const published = async (process: ProcessMemory, workflowId: string, parameters = {}) => {
		const database = { workflowId, staticData: {} };
		const { credential } = world.service;
		const other = new Process(database, credential, parameters, world.clock, process);
		await other.activate('activate');
		return other;
	};

	test('are told in the log as the second one is published, and in its trigger when it is tested', async () => {
		const process = memory();
		await published(process, 'one');
		expect(said('hears this line, too')).toEqual([]);
		const second = await published(process, 'two');
		expect(said('hears this line, too')).toHaveLength(1);
		const run = await second.test(receiveEvent('a'), SECRET, world.nowMs);
		expect(run.data.Trigger?.[0]?.hints).toMatchObject([
			{ message: expect.stringContaining('hears this line, too') as string },
		]);
	});

	test.each([
		['other lines', { filters: { lines: ['l2 +15550100002'] } }],
		['some texts only', { filters: { textIs: 'menu' } }],
		['other events', { events: ['outbound'] }],
	])('are not those of which one is for %s', async (_, parameters) => {
		const process = memory();
		await published(process, 'one', { filters: { lines: ['l1 +15550100001'] } });
		await published(process, 'two', parameters);
		expect(said('hears this line, too')).toEqual([]);
	});

	test('are not those of which one has stopped', async () => {
		const process = memory();
		const first = await published(process, 'one');
		await first.release();
		await published(process, 'two');
		expect(said('hears this line, too')).toEqual([]);
	});
});
