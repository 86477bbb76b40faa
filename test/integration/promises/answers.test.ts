import { log } from '../../support/log';
import { waitUntil } from '../../support/waitUntil';
import { AnswersWorld } from '../answersWorld';
import { handles, inEachTest, SECRET } from '../historyWorld';
import { inbound } from '../triggerHistory';
import { Process } from '../triggerProcess';

/* An answer reaches its question. */

const world = inEachTest(new AnswersWorld());

beforeEach(async () => await world.startWith([]));

/** Executions ask a customer, one after the other, and wait. */
const ask = async (...questions: string[]) => {
	for (const question of questions) expect((await world.ask(question)).status).toBe('waiting');
};

test('a question that waits for a text is saved with the trigger before it is sent', async () => {
	let saved: typeof world.database.staticData | undefined;
	jest.spyOn(world.service.requests, 'push').mockImplementation((...requests) => {
		if (requests.some(({ path }) => path === '/v1/send-message')) {
			saved ??= structuredClone(world.database.staticData);
		}
		return 0;
	});
	await ask('Can we come at 10?');
	world.database.staticData = saved ?? {};
	await world.restart();
	expect(await world.arrives('t1', { text: 'yes' })).toEqual([]);
	expect(world.contents).toEqual(['yes']);
});

test('answers survive a restart, whether a webhook brings them or the check at the start', async () => {
	await ask('Can we come at 10?', 'Can we come at 11?');
	await world.restart();
	expect(await world.arrives('t1', { text: 'at 11, yes' })).toEqual([]);
	world.rows(inbound('t2', world.nowMs, { content: 'at 10, too' }));
	expect(await world.restart()).toEqual([]);
	expect(world.contents).toEqual(['at 11, yes', 'at 10, too']);
	expect(new Set(world.tokens).size).toBe(2);
});

test('answers survive kills: what is passed on at that moment reaches the same execution, and no other', async () => {
	await ask('Can we come at 10?', 'Can we come at 11?');
	world.rows(inbound('t1', world.nowMs, { content: 'yes' }));
	world.allSay = 'nothing';
	const killed = [world.arrives('t1', { text: 'yes' })];
	await waitUntil('the answer', async () => world.got[0]);
	// The execution of another customer's text lets n8n save meanwhile.
	expect(handles(await world.arrives('t2', { from: '+15551230009' }))).toEqual(['t2']);
	killed.push(world.restart());
	await waitUntil('the answer again', async () => world.got[1]);
	world.allSay = undefined;
	for (let kills = 0; kills < 2; kills += 1) expect(await world.restart()).toEqual([]);
	expect(world.contents).toEqual(['yes', 'yes', 'yes']);
	expect(new Set(world.tokens).size).toBe(1);
	world.endSilence();
	await Promise.all(killed);
});

test('an answer is passed on once, also after a kill right behind it', async () => {
	await ask('Can we come at 10?');
	await world.arrives('t1', { text: 'yes' });
	expect(await world.restart()).toEqual([]);
	expect(handles(await world.arrives('t2', { text: 'thank you' }))).toEqual(['t2']);
	expect(world.contents).toEqual(['yes']);
});

test('a text answers one of two open questions, also where n8n was restarted before it saved that', async () => {
	await ask('Can we come at 10?', 'Shall we call before?');
	const saved = structuredClone(world.database.staticData);
	await world.arrives('t1', { text: 'yes' });
	world.database.staticData = saved;
	await world.restart();
	expect(await world.arrives('t2', { text: 'at 9 please' })).toEqual([]);
	expect(world.contents).toEqual(['yes', 'at 9 please']);
	expect(new Set(world.tokens).size).toBe(2);
});

test('where a proxy gives n8n no clear answer for minutes, the text starts nothing, and the log says so', async () => {
	await ask('Can we come at 10?');
	world.allSay = { status: 504 };
	expect(await world.arrives('t1', { text: 'yes' })).toEqual([]);
	expect(log.messages('warn').join()).toContain('cannot tell whether');
	world.allSay = undefined;
	world.got.length = 0;
	expect(await world.arrives('t2', { text: 'Hello? Yes.' })).toEqual([]);
	expect(world.contents).toEqual(['Hello? Yes.']);
});

test('a text that starts a workflow is no answer to what that workflow asks, whichever trigger receives it', async () => {
	const elsewhere = { workflowId: `${world.database.workflowId}-other`, staticData: {} };
	const { credential } = world.service;
	const other = new Process(elsewhere, credential, {}, undefined, world.n8n.memory);
	await other.activate('activate');
	expect(handles(await world.arrives('t1', { text: 'deliver it, please' }))).toEqual(['t1']);
	await ask('Where may we deliver?');
	await other.receive(world.eventOf('t1', { text: 'deliver it, please' }), SECRET, world.nowMs);
	expect(handles(await other.execute())).toEqual(['t1']);
	expect(world.contents).toEqual([]);
	expect(await world.arrives('t2', { text: '12 Mill Lane' })).toEqual([]);
	expect(world.contents).toEqual(['12 Mill Lane']);
});
