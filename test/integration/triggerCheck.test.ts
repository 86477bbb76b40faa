import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { log } from '../support/log';
import { waitUntil } from '../support/waitUntil';
import { HOUR_MS, MINUTE_MS, historyWorld, START_MS } from './historyWorld';
import { playIn, type Scenes } from './scenes';
import { inbound } from './triggerHistory';

const world = historyWorld();

const warnings = () => log.messages('warn').join();

const CHECKS: Scenes = {
	'lets a row of the last 30 seconds wait for half a minute, as its webhook may still come':
		'publish; wait 5m; text fresh@-29s; check 0s: nothing; wait 30s; tick: fresh',
	'lets a row that is dated in the future wait for half a minute as well':
		'publish; wait 5m; text fresh@+3h; check 0s: nothing; wait 30s; tick: fresh',
	'finds the rows after a row with an impossible date':
		'publish; text absurd@+16000d; check: nothing; check: absurd; text after; check: after; kill: nothing',
	'finds rows without a date, of the same second, and among older ones': `
		text before undated-before@none; publish; text same@-1s undated@none a@+2m; check: same undated a;
		text late@-4m; behind last@-4m; check: late last; kill: nothing`,
	'finds the events of a start of n8n at which the history could not be read':
		'publish; text a; away; kill; logs could not check for events; back; check: a',
	'brings of the history of another account nothing but what comes from then on':
		'publish; text of-another; credential apiKey=pair_2; kill: nothing; text first; check: first',
	'goes on with a new key pair for the same account':
		'text before; publish; text missed; credential apiKey=pair_2; kill: missed',
	'brings a message of ours once when it reaches its final state, however late and wherever its row stands': `
		publish events=["outbound"] options.maxEventsPerExecution=500; ours held@none QUEUED; ours sent SENT; check: sent;
		ours sent DELIVERED; ours m1..1500 SENT; check: m1..1500; check: nothing;
		ours held ERROR; check: held; check: nothing`,
	'brings a message of ours after a restart that was on its way before':
		'ours held@none QUEUED; publish events=["outbound"]; kill; ours held SENT; check: held',
	'brings a message of ours that has failed and has no date after a quiet day, and after a restart': `
		text long-ago@-25h; publish events=["outbound"]; ours out@none QUEUED; check: nothing;
		ours out ERROR; check: out; ours unseen@none ERROR; kill: unseen`,
	'brings a text that was missed although a message of ours with the same handle was on its way': `
		ours a SENT; ours b QUEUED; publish events=["receive","outbound"]; text a b; check: a b`,
	'brings no text from before because a message of ours with the same handle is on its way': `
		text a; ours a QUEUED; wait 1s; publish events=["receive","outbound"]; check: nothing; ours a SENT; check: a`,
	'registers the URL again when it finds what a webhook should have brought, at most once an hour (§3.3)': `
		publish; text a; check: a; registered 2; text b; check 50m: b; registered 2; text c; check 11m: c;
		registered 3; logs registered for events again`,
	'registers no URL again for an event that came by webhook and has not begun for long (§3.3)':
		'publish; text a; webhook a; lose; check 2h: a; registered 1',
	'registers the URL again only for what came after the last event that a webhook brought (§3.3)': `
		publish; text missed; wait 1m; webhook a: a; check: missed; registered 1;
		text again; check: again; registered 2`,
	'registers the URL again when the service was away at the start, and the API secret was rotated (§3.3)': `
		publish; credential apiSecret=rotated; away; kill; back; check: nothing; check: nothing; registered 2`,
	'registers the URL again when the API secret is rotated while n8n runs (§3.3)': `
		publish; credential apiSecret=rotated; webhook a: a; check: nothing; check: nothing; registered 2`,
	'may be switched off: an event that comes again, and whose execution was lost, starts the workflow':
		'publish checkEvery=0; webhook a; lose; wait 1m; webhook a; webhook a: a; webhook a: nothing',
	'brings what n8n has lost although its clock is set back a day':
		'publish; text a; webhook a; lose; ahead -24h; check 10m; check 10m: a',
};

test.each(Object.entries(CHECKS))('§4.5 a check %s', playIn(world));

describe('§4.5 a check', () => {
	test("brings the service's own row when Simplify is off", async () => {
		const process = await world.started({ options: { simplify: false } });
		world.text('a');
		expect(await world.check(process)).toEqual(world.service.rows);
	});

	test('that starts while another one reads does nothing', async () => {
		const process = await world.started({ checkEvery: 1 });
		world.text('a');
		world.nowMs += 5 * MINUTE_MS;
		world.service.requests.length = 0;
		await Promise.all([process.tick(), process.tick()]);
		const readings = world.service.requests.filter(({ query }) => !query.has('before'));
		expect(readings.map(({ path }) => path)).toEqual([PATHS.messages]);
		expect(await world.begun(process)).toEqual(['a']);
	});

	test('costs one request when nothing is new, however long the history is', async () => {
		for (let at = 3_000; at > 0; at -= 1) world.rows(inbound(`old${at}`, START_MS - at * 1_000));
		const process = await world.started();
		world.service.requests.length = 0;
		expect(await world.check(process)).toEqual([]);
		// Lines are not asked for where the node does not listen to their events.
		expect(world.service.requests).toHaveLength(1);
	});
});

test('more events than one check takes come with several checks, oldest first', async () => {
	await world.started();
	const wanted = Array.from({ length: 20_400 }, (_, at) => `m${at}`);
	world.rows(...wanted.map((name, at) => inbound(name, world.nowMs + 1_000 + at * 100)));
	world.nowMs += HOUR_MS;
	const process = await world.restarted({ options: { maxEventsPerExecution: 500 } });
	const came = await world.begun(process);
	expect(came).toHaveLength(20_000);
	for (let checks = 0; checks < 2; checks += 1) came.push(...(await world.found(process)));
	expect(came).toEqual(wanted);
	expect(await world.found(process)).toEqual([]);
}, 120_000);

describe('where the history cannot be read', () => {
	test.each([403, 204])(
		'webhooks start a workflow all the same, and a person is told; none polls: %i',
		async (status) => {
			const process = await world.started();
			await process.release();
			world.text('while stopped');
			world.nowMs += HOUR_MS;
			world.service.fail(status, PATHS.messages);
			await process.activate('activate');
			expect(warnings()).toContain('could not check for events');
			await process.check();
			await expect(process.execute()).rejects.toThrow();
			await expect(world.started({ receiveBy: 'polling' })).rejects.toThrow(
				'Events could not be asked for',
			);

			world.service.fail(200);
			expect(await world.found(process)).toEqual([]);
			world.text('since');
			expect(await world.found(process)).toEqual(['since']);
		},
	);

	test('as the key pair is refused, publishing a workflow again says so', async () => {
		const process = await world.started();
		world.service.fail(401);
		const parameters = { filters: { contains: 'hello' } };
		await expect(world.publishAgain(process, 'update', { parameters })).rejects.toThrow('key pair');
	});
});

const LINES = 'publish events=["line_blocked","line_unblocked"]';
const AGAIN =
	'kill; begin; line begin; begin; check; begin; line end; begin; check; begin; line begin: nothing';
const OF_A_LINE: Scenes = {
	'come once each by a check': `${LINES}; block; check: line_blocked; check: nothing; unblock; check: line_unblocked; check: nothing`,
	'include the end of a block that ended while n8n was down': `
		${LINES}; block; line begin: line_blocked; check: nothing; check: nothing; unblock; kill: line_unblocked`,
	'come in the wrong order and again after a kill: the block once': `${LINES}; line end: line_unblocked; line begin: line_blocked; ${AGAIN}`,
	'come so also after the next check': `${LINES}; line end: line_unblocked; line begin: line_blocked; check; begin; ${AGAIN}`,
	'come so also where the block lasted no millisecond': `${LINES}; line end@0s: line_unblocked; line begin: line_blocked; ${AGAIN}`,
	'come so also twice at once': `${LINES}; line end begin end begin: line_unblocked line_blocked; check; begin; ${AGAIN}`,
	'come once for an end in the flat form, which has neither an ID nor a time (§6.3)': `${LINES}; line -begin: line_blocked; line -end: line_unblocked; check: nothing; check: nothing`,
};

test.each(Object.entries(OF_A_LINE))('§3.2 the events of a line %s', playIn(world));

test('§3.3 a service that refuses a registration, or never answers it, keeps no event of the check back', async () => {
	const process = await world.started();
	world.service.answerRegistrations({ status: 422, body: { message: 'No more of them.' } });
	world.text('a');
	expect(await world.found(process)).toEqual(['a']);
	await waitUntil('the warning', async () => /could not register .* again/.exec(warnings())?.[0]);
	world.service.hang(PATHS.webhooks);
	world.text('b');
	expect(await world.found(process, HOUR_MS)).toEqual(['b']);
});

describe('receiving by polling', () => {
	const polling = { receiveBy: 'polling', events: ['receive', 'line_blocked'] };

	test('registers no URL, and brings the same items at once', async () => {
		world.service.lines.push({ line_handle: 'l1', blocked_at: null });
		const process = await world.started(polling);
		world.nowMs += 5 * MINUTE_MS;
		world.rows(inbound('fresh', world.nowMs - 1));
		world.service.lines[0] = { line_handle: 'l1', blocked_at: new Date(world.nowMs).toISOString() };
		const blocked = { event: 'line_blocked', event_id: `line_blocked:l1:${world.nowMs}` };
		expect(await world.check(process, 0)).toMatchObject([
			{ event: 'receive', message_handle: 'fresh', recovered: false },
			{ ...blocked, ...world.service.lines[0], recovered: false },
		]);
		expect(world.service.registered).toEqual([]);
	});

	test('fails the publishing when the service cannot be asked, and no start of n8n', async () => {
		world.service.fail(401);
		// While a workflow is published, n8n shows the message alone.
		await expect(world.started(polling)).rejects.toThrow(
			/key pair\. Check API Key and API Secret in the Two-Way Messaging API credential/,
		);
		await expect(world.restarted(polling)).resolves.toBeDefined();
	});

	test('fails the publishing with a number in its filters that nobody can have', async () => {
		const filters = { from: '0151 2345678' };
		await expect(world.started({ ...polling, filters })).rejects.toThrow(
			'No message can come from',
		);
	});

	test('shows one execution that failed when the service cannot be asked, until a check works again', async () => {
		const process = await world.started(polling);
		for (let times = 0; times < 2; times += 1) {
			world.service.fail(401);
			for (let checks = 0; checks < 3; checks += 1) await process.check();
			const runs = await Promise.all(process.start());
			expect(runs.map(({ error }) => error?.message)).toEqual([
				expect.stringContaining('key pair') as string,
			]);
			world.service.fail(200);
			await process.check();
		}
	});
});
