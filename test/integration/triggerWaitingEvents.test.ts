import { historyWorld, SECRET } from './historyWorld';
import { playIn, type Scenes } from './scenes';
import { receiveEvent } from './triggerWorkflow';

const world = historyWorld();

test('an event that no check would find again starts its execution with the request', async () => {
	const process = await world.started({ events: ['receive', 'line_blocked'] });
	const blocked_at = new Date(world.nowMs).toISOString();
	const line = { line_handle: 'l1', number: '+15550100001', blocked_at };
	const blocked = { id: 'evt_1', type: 'line_blocked', data: { line } };
	const unnamed = { ...receiveEvent('a', { message_handle: undefined }), id: 'evt_unnamed' };
	for (const event of [blocked, unnamed]) await process.receive(event, SECRET, world.nowMs);
	expect(process.queue.map(({ mode }) => mode)).toEqual(['webhook', 'webhook']);
});

const SCENES: Scenes = {
	'begin once each although the workflow is published again meanwhile':
		'publish; text m1..120; webhook m1..120; change: m1..120; check: nothing',
	'begin once each although the workflow is stopped and published meanwhile':
		'publish; text m1..120; webhook m1..120; stop; publish: m1..120; check: nothing',
	'begin as checks have found them, and behind what a webhook brings meanwhile':
		'publish; text m1..120; wait 1m; check 0s; text live; webhook live; begin: m1..50 live m51..120',
	'begin a minute later when n8n could not start them, and the log says so': `
		publish; text found1..2; wait 1m; jam; check 0s; text brought1..2; webhook brought1..2: nothing;
		logs could not start an execution; unjam; wait 1m; tick: brought1..2 found1..2`,
	'begin when n8n could not start them, and the workflow was stopped and published since': `
		publish; text m1..60; jam; webhook m1..60: nothing; unjam; stop; wait 1m; publish: m1..60`,
	'begin although a test in the editor ends meanwhile':
		'publish; text m1..120; wait 1m; check 0s; tested; begin: m1..120',
	'do not begin when a check has found them and the workflow is stopped, but when it is published':
		'publish; text m1..120; wait 1m; check 0s; stop; begin: m1..50; change: m51..120',
	'are dropped when a check has found them, and a person stops the workflow and publishes it later': `
		publish; text m1..120; wait 1m; check 0s; stop; begin; wait 10m; publish: nothing; check: nothing`,
};

test.each(Object.entries(SCENES))('events that wait for their executions %s', playIn(world));
