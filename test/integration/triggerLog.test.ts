import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { log } from '../support/log';
import { DAY_MS } from '../support/times';
import { waitUntil } from '../support/waitUntil';
import { historyWorld, HOUR_MS, SECRET } from './historyWorld';
import { playIn, type Scenes } from './scenes';
import { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

const world = historyWorld();

const said = (words: string) => log.messages('warn').filter((line) => line.includes(words));

const SCENES: Scenes = {
	'start nothing': `
		publish filters.stopWords=STOP,Alto; text a=ALTO!; webhook a: nothing; text b=Stop c=alto_por_favor; check: c;
		text d=alto; check: nothing; check: nothing`,
	'are ordinary texts where the operator has other words':
		'publish filters.stopWords=ALTO; text a=cancel; webhook a: a',
};

test.each(Object.entries(SCENES))('texts that only opt out %s', playIn(world));

test('§3.3 a URL that the service knows already is told in the log, and tried again a day later', async () => {
	const process = await world.started();
	world.service.answerRegistrations({ status: 409, body: { message: 'Already registered.' } });
	const told = async (times: number) =>
		await waitUntil('the line', async () => said('sends nothing to it; checks bring')[times - 1]);
	const missAndCheck = async (handle: string, afterMs: number) => {
		world.text(handle);
		expect(await world.found(process, afterMs)).toEqual([handle]);
	};
	await missAndCheck('a', 2 * HOUR_MS);
	await told(1);
	await missAndCheck('b', 2 * HOUR_MS);
	const { length } = world.service.registered;
	await missAndCheck('c', DAY_MS);
	await told(2);
	expect(world.service.registered).toHaveLength(length + 1);
});

describe('two published workflows that hear the same line', () => {
	let memory: ProcessMemory;
	beforeEach(() => void (memory = new ProcessMemory(world.clock)));

	const published = async (workflowId: string, parameters = {}) => {
		const database = { workflowId, staticData: {} };
		const { credential } = world.service;
		const other = new Process(database, credential, parameters, world.clock, memory);
		await other.activate('activate');
		return other;
	};
	const told = () => said('hears this line, too');

	test('are told in the log as the second one is published, and in its trigger when it is tested', async () => {
		await published('one');
		expect(told()).toEqual([]);
		const second = await published('two');
		expect(told()).toHaveLength(1);
		const run = await second.test(receiveEvent('a'), SECRET, world.nowMs);
		expect(run.data.Trigger?.[0]?.hints).toMatchObject([
			{ message: expect.stringContaining('hears this line, too') as string },
		]);
	});

	test('are told in each execution that a text has started in both of them, filters or not', async () => {
		const first = await published('one', { filters: { contains: 'open' } });
		const second = await published('two', { filters: { lines: ['l1 +15550100001'] } });
		expect(told()).toEqual([]);
		const hints = async (process: Process, text: string) => {
			await process.receive(receiveEvent(text, { text }), SECRET, world.nowMs);
			const [run] = await Promise.all(process.start());
			return (run?.data.Trigger?.[0]?.hints ?? []).map(({ message }) => message);
		};
		const hearsToo = expect.stringContaining(
			'hears this line, too: if more than one answers',
		) as string;
		expect(await hints(first, 'open?')).toEqual([hearsToo]);
		expect(await hints(second, 'are you open?')).toEqual([hearsToo]);
		expect(await hints(second, 'hello')).toEqual([]);
	});

	test.each([
		['other lines', { filters: { lines: ['l2 +15550100002'] } }],
		['some texts only', { filters: { textIs: 'menu' } }],
		['other events', { events: ['outbound'] }],
	])('are not those of which one is for %s', async (_, parameters) => {
		await published('one', { filters: { lines: ['l1 +15550100001'] } });
		await published('two', parameters);
		expect(told()).toEqual([]);
	});

	test('are not those of which one has stopped', async () => {
		await (await published('one')).release();
		await published('two');
		expect(told()).toEqual([]);
	});
});
