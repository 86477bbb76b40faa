import { SECOND_MS } from '../support/times';
import { historyWorld, HOUR_MS, SECRET } from './historyWorld';
import { playIn, type Scenes } from './scenes';
import { inbound, type HistoryRow } from './triggerHistory';
import type { Process } from './triggerProcess';
import { engineWithTrigger, receiveEvent, TRIGGER, triggerNode } from './triggerWorkflow';
import { VirtualTime } from './virtualTime';

const COMBINING = { options: { combineSeconds: 5, completeMessages: false } };

const world = historyWorld();

beforeEach(() => void (world.clock = new VirtualTime(world)));
// What still waits in a process would wait for ever.
afterEach(async () => await world.pass(HOUR_MS));

/** A customer texts, a second later, and the webhook brings it. */
const text = async (n8n: Process, content: string, more: Partial<HistoryRow> = {}) =>
	await world.deliver(n8n, world.texts(1, content, { from: '+15551230001', content, ...more }));

/** Time passes; returns the items that start then. */
const pass = async (n8n: Process, durationMs: number) => {
	await world.pass(durationMs);
	return await n8n.execute();
};

describe('short texts of one conversation', () => {
	test('start the workflow with one item when no more of them have come for the time that is set', async () => {
		const n8n = await world.started(COMBINING);
		const said = ['Hi', 'are you open', 'tomorrow?'];
		for (const content of said) {
			await text(n8n, content);
			expect(await pass(n8n, 3 * SECOND_MS)).toEqual([]);
		}
		expect(await pass(n8n, 2 * SECOND_MS)).toMatchObject([
			{
				event: 'receive',
				message_handle: 'tomorrow?0',
				content: 'Hi\nare you open\ntomorrow?',
				recovered: false,
				messages: said.map((content) => ({ message_handle: `${content}0` })),
			},
		]);
		expect([n8n.executions, n8n.blanks]).toEqual([[1], 0]);
	});

	test('do not wait for the texts of another customer or another line', async () => {
		const n8n = await world.started(COMBINING);
		await text(n8n, 'a');
		await text(n8n, 'b', { from: '+15551230002' });
		await text(n8n, 'c', { to: '+15550100002' });
		const items = await pass(n8n, 5 * SECOND_MS);
		expect(items.map(({ content }) => content).sort()).toEqual(['a', 'b', 'c']);
	});
});

test('events other than texts do not wait', async () => {
	const n8n = await world.started({ ...COMBINING, events: ['receive', 'outbound'] });
	const event = receiveEvent('sent', { status: 'sent', direction: 'outbound' });
	expect(await world.receive(n8n, { ...event, type: 'outbound' })).toEqual(['sent']);
});

const PUBLISH = 'publish options.combineSeconds=5';
const SCENES: Scenes = {
	'come together and once when n8n is killed': `
		${PUBLISH}; text anna.a anna.b anna.c; webhook anna.a anna.b anna.c; kill 1m: anna.a+anna.b+anna.c;
		webhook anna.b; wait 10s; begin: nothing; check: nothing`,
	'start the workflow when the wait ends, though a person stops and publishes it meanwhile': `
		${PUBLISH}; text anna.a; webhook anna.a; wait 3s; text anna.b; webhook anna.b; stop; publish;
		wait 4s; begin: nothing; wait 1s; begin: anna.a+anna.b; check 10m: nothing`,
	'come when the workflow was stopped and published, and n8n is killed then': `
		${PUBLISH}; text anna.a anna.b; webhook anna.a anna.b; stop; wait 2s; publish; kill 1m: anna.a+anna.b`,
	'are one item for each conversation, at once, where a check brings them': `${PUBLISH}; text anna.a ben.b anna.c; check: anna.a+anna.c ben.b`,
	'are joined by what a check brings of their conversation, in the order in which they were written': `
		${PUBLISH}; text anna.a; wait 31s; text anna.b; webhook anna.b; check 0s: nothing;
		wait 5s; begin: anna.a+anna.b`,
};

test.each(Object.entries(SCENES))('texts that wait for each other %s', playIn(world));

test('in the editor a text and a sample have the form in which the workflow gets them', async () => {
	const n8n = await world.started(COMBINING);
	const run = await n8n.test(receiveEvent('a'), SECRET, world.nowMs);
	world.rows(inbound('a', world.nowMs));
	const node = triggerNode({ receiveBy: 'polling', ...COMBINING });
	const engine = engineWithTrigger(world.service.credential);
	const sample = await engine.runWorkflow({ nodes: [node], mode: 'manual' });
	const shown = [{ message_handle: 'a', messages: [{ message_handle: 'a' }] }];
	expect([run.json(TRIGGER), sample.json(TRIGGER)]).toMatchObject([shown, shown]);
});
