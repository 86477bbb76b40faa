import type { IDataObject } from 'n8n-workflow';
import type { Run } from '../support/engine';
import { CONTINUE, FRONT_DESK, SEND, serviceInEachTest, SUPPORT } from '../support/service';
import type { StubAnswer, StubRequest } from '../support/stub';

/* What holds for a list of items, and not for a single one. */

const LINE = FRONT_DESK.handle;

const listOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, at) => ({
		number: `+1555123${String(at).padStart(4, '0')}`,
		content: `hello ${at}`,
	}));

const [ANNA = {}, BEN = {}, CARLA = {}] = listOf(3);
const BENS_NUMBER = '+15551230001';

const service = serviceInEachTest();

const hintsOf = (run: Run) => (run.data.Node?.[0]?.hints ?? []).map(({ message }) => message);

describe('all items are read before the first message leaves', () => {
	const NO_URLS = ['https://a:99999/x.jpg', 'https:///x.jpg'];

	test.each<[string, IDataObject]>([
		['The phone number “0151 234” is not in international format', { number: '0151 234' }],
		['Phone Number is empty', { number: '' }],
		['There is nothing to send', { content: ' ' }],
		['Text is a list, and not a text', { content: ['hello'] }],
		['The line nobody is not one of yours', { line: 'nobody' }],
		['No line of yours has the number +15559999999', { line: '+15559999999' }],
		['is not a web address', { media: 'url', mediaUrl: NO_URLS }],
		...NO_URLS.map((mediaUrl): [string, IDataObject] => [
			`Media URL “${mediaUrl}” is not a web address`,
			{ media: 'url', mediaUrl },
		]),
		['a binary file', { media: 'binary' }],
	])('one refuses the run, and nothing was sent: %s', async (message, fields) => {
		const line = { __rl: true, mode: 'handle', value: `={{ $json.line ?? "${LINE}" }}` };
		const media = '={{ $json.media ?? "none" }}';
		const parameters = { ...SEND, line, media, mediaUrl: '={{ $json.mediaUrl }}' };

		const run = await service.run({ parameters, items: [ANNA, { ...BEN, ...fields }, CARLA] });

		expect(run.nodeError('Node')).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringMatching(
				/^Item 2[.,].*<br>Nothing was sent for any of the items\. To let the other 2 go, set On Error in the node's Settings to 'Continue'\.$/,
			),
		});
		expect(await service.rows()).toEqual([]);
	});

	test('one message names every item that cannot be used, a line each, with what to do', async () => {
		const odd = ['0151 2345678', '', '0151 8765432'].map((number) => ({ ...BEN, number }));
		const items = [ANNA, ...odd, { ...CARLA, content: '' }];

		const run = await service.run({ parameters: SEND, items });

		const { message, description, context } = run.nodeError('Node') ?? {};
		expect(message).toBe('4 of 5 items cannot be used');
		expect(description?.split('<br>')).toEqual([
			'Item 2: The phone number “0151 2345678” is not in international format.',
			'Item 4: The phone number “0151 8765432” is not in international format.',
			expect.stringContaining('choose the country'),
			'Item 3: Phone Number is empty.',
			expect.stringContaining('check the name of the field'),
			`Item 5, ${String(CARLA.number)}: There is nothing to send.`,
			'Fill in Text, or choose a file under Media, or both.',
			expect.stringContaining('Nothing was sent for any of the items. To let the other one go'),
		]);
		// n8n shows an item's number of its own behind the message, counted from 0, where an error has one.
		expect(context?.itemIndex).toBeUndefined();
		expect(await service.rows()).toEqual([]);
	});

	test('what is wrong with all of them is said once', async () => {
		const items = [{ ...ANNA, number: '' }, BEN, { ...CARLA, number: '' }];

		const run = await service.run({ parameters: SEND, items });

		const { message, description } = run.nodeError('Node') ?? {};
		expect(message).toBe('Phone Number is empty');
		expect(description).toMatch(/^Item 1\.<br>Item 3\.<br>Enter it with a plus/);
	});

	test('§5.6 a key pair that is not accepted is no fault of an item, and no other item would go', async () => {
		const engine = service.engineWith(service.credential({ apiSecret: 'wrong' }));

		const run = await service.run({ parameters: SEND, items: [ANNA, BEN] }, engine);

		const { message, description } = run.nodeError('Node') ?? {};
		expect(message).toBe('The service did not accept the key pair');
		expect(description).toMatch(
			/^Check .*API Secret.*<br>Nothing was sent for any of the items\.$/,
		);

		const list = { parameters: SEND, items: [ANNA, BEN], node: CONTINUE };
		const hints = hintsOf(await service.run(list, engine));
		expect(hints).toEqual(['2 not sent: The service did not accept the key pair']);
	});

	test('of many, twenty are named, and how many more there are', async () => {
		const items = listOf(30).map((item) => ({ ...item, content: '' }));

		const run = await service.run({ parameters: SEND, items });

		expect(run.nodeError('Node')?.description?.match(/Item \d+/g)).toHaveLength(20);
		expect(run.nodeError('Node')?.description).toContain('<br>And 10 more.<br>');
	});

	test('a run that stops later says how many messages had been sent', async () => {
		await service.text('STOP', { from: BEN.number });
		const parameters = { ...SEND, options: { ifOptedOut: 'fail' } };

		const run = await service.run({ parameters, items: [ANNA, BEN, CARLA] });

		expect(run.nodeError('Node')).toMatchObject({
			message: 'The customer has opted out of messages',
			description: expect.stringMatching(
				/^Item 2, \+15551230001\.<br>.*START.*choose 'Skip' in the option 'If Opted Out'.*<br>Of the 3 items, when the node stopped: 1 accepted, 1 not sent, 1 not tried\. A new execution would send the accepted ones again: .*Send Only Once Per/,
			),
		});
		expect(await service.accepted()).toHaveLength(1);
	});
});

describe('Wait For', () => {
	const waiting = (waitFor: string, more: object = {}) => ({
		...SEND,
		options: { waitFor, ...more },
	});

	const failBen = async () => await service.customer(BENS_NUMBER, { fail_next: 'No such number' });
	const bensHandle = async () =>
		(await service.accepted()).find(({ to }) => to === BENS_NUMBER)?.message_handle;

	test.each(['sent', 'delivered'])('%s: one look serves all messages', async (waitFor) => {
		await service.begin({ sentAfterMs: 800, deliveredAfterMs: 100 });
		const items = listOf(40);

		const run = await service.run({ parameters: waiting(waitFor), items });

		const comeSoFar = waitFor === 'sent' ? /^(SENT|DELIVERED)$/ : /^DELIVERED$/;
		expect(run.items('Node')).toMatchObject(
			items.map(({ number }, item) => ({
				json: { to: number, status: expect.stringMatching(comeSoFar) as string },
				pairedItem: { item },
			})),
		);
		expect(await service.timesAsked('/status', '/v2/messages')).toBeLessThan(6);
	});

	test('a message that ends in ERROR is an error, with its handle and the reason', async () => {
		await failBen();

		const run = await service.run({ parameters: waiting('sent'), items: [ANNA, BEN, CARLA] });

		expect(run.nodeError('Node')).toMatchObject({
			message: `The service could not send the message to ${BENS_NUMBER}: No such number`,
			description: expect.stringMatching(
				new RegExp(`by its ID, ${await bensHandle()}\\..*2 accepted, 1 could not be sent`),
			),
		});
	});

	test.each([
		['continueRegularOutput' as const, 0],
		['continueErrorOutput' as const, 1],
	])('with %s it fails alone, and its item names the message', async (onError, output) => {
		await failBen();

		const run = await service.run({
			parameters: waiting('sent'),
			items: [ANNA, BEN, CARLA],
			node: { onError },
		});

		const handle = await bensHandle();
		const sent = { to: BEN.number, content: BEN.content, status: 'ERROR', is_outbound: true };
		const why = `The service could not send the message to ${BENS_NUMBER}: No such number`;
		expect(run.items('Node', output)).toContainEqual({
			json:
				output === 1
					? { ...BEN, error: why }
					: { ...sent, from: '', message_handle: handle, error_message: why },
			pairedItem: { item: 1 },
		});
		expect(run.json('Node').filter(({ error_message: why }) => !why)).toHaveLength(2);
	});

	test('every item of a list begins with the same fields, and none says null', async () => {
		await service.text('STOP', { from: ANNA.number });
		const [first = {}, second = {}] = listOf(5).slice(3);
		const line = { __rl: true, mode: 'handle', value: LINE };

		const run = await service.run({
			parameters: { ...waiting('delivered'), line },
			items: [ANNA, BEN, { ...CARLA, number: '0151 234' }, first, second],
			node: CONTINUE,
		});

		const items = run.json('Node');
		const statuses = items.map(({ status }) => status);
		expect(statuses).toEqual(['SKIPPED', 'DELIVERED', 'NOT SENT', 'DELIVERED', 'DELIVERED']);
		for (const item of items) {
			expect(Object.values(item)).not.toContain(null);
			const columns = Object.keys(item).slice(0, 5);
			expect(columns).toEqual(['to', 'from', 'content', 'status', 'error_message']);
		}
		expect(items.map(({ from }) => from).filter((from) => from === FRONT_DESK.number)).toHaveLength(
			4,
		);
		expect(items.map(({ error_message: why }) => why)).toEqual([
			...['The customer has opted out of messages', ''],
			...['The phone number “0151 234” is not in international format', '', ''],
		]);
	});

	test('a message that the history does not show is asked for by its status when the time is over', async () => {
		let handles = 0;
		const answer = ({ path, query }: StubRequest): StubAnswer => {
			if (path === '/v1/send-message') {
				return { status: 201, body: { status: 'QUEUED', message_handle: `m${(handles += 1)}` } };
			}
			if (path === '/v2/messages') return { body: { messages: [] } };
			return { body: { message_handle: query.get('message_handle'), status: 'SENT' } };
		};

		const parameters = waiting('sent', { waitSeconds: 1 });
		const run = await service.runAt(answer, { parameters, items: [ANNA, BEN, CARLA] });

		expect(run.json('Node').map(({ status }) => status)).toEqual(['SENT', 'SENT', 'SENT']);
	});

	test('the statuses tell where the history cannot be read', async () => {
		await service.begin({ sentAfterMs: 300 });
		await service.fault('/v2/messages', 'status-500', 100);

		const run = await service.run({ parameters: waiting('sent'), items: [ANNA, BEN, CARLA] });

		expect(run.json('Node').map(({ status }) => status)).toEqual(['SENT', 'SENT', 'SENT']);
	});
});

describe('a look-up of many numbers', () => {
	const LOOK_UP = { resource: 'number', operation: 'lookup', number: '={{ $json.number }}' };
	const NUMBERS = listOf(6).map(({ number }) => String(number));

	/** Looks all numbers up at a service that knows each at the given question, if that comes within a second. */
	async function lookUp(knownAt: (number: string) => number, refusedAt = -1) {
		const asked: string[] = [];
		const answer = ({ query }: StubRequest): StubAnswer => {
			const number = query.get('number') ?? '';
			const isRefused = asked.length === refusedAt;
			asked.push(isRefused ? '429' : number);
			if (isRefused) return { status: 429, headers: { 'retry-after': '2' } };
			const isKnown = asked.filter((one) => one === number).length >= knownAt(number);
			return isKnown ? { body: { number, service: 'SMS' } } : { status: 202, body: {} };
		};
		const parameters = { ...LOOK_UP, options: { waitSeconds: 1 } };
		const items = NUMBERS.map((number) => ({ number }));
		const run = await service.runAt(answer, { parameters, items, node: CONTINUE });
		return { asked, items: run.items('Node') };
	}

	/** The items of all numbers, of which one may be unknown. */
	const known = (unknown?: string) =>
		NUMBERS.map((number, item) => ({
			json: { number, service: number === unknown ? null : 'SMS' },
			pairedItem: { item },
		}));

	test('§4.6 asks about all once before it asks about any again, and waits for all at the same time', async () => {
		const { asked, items } = await lookUp(() => 2);
		expect(asked.slice(0, 6)).toEqual(NUMBERS);
		// One number after the other, the second question about a number would come before the first about the next.
		expect(asked.slice(6).sort()).toEqual([...NUMBERS].sort());
		expect(items).toEqual(known());
	});

	test('one that stays unknown does so alone, and the items keep their order', async () => {
		const [never = ''] = NUMBERS;
		const { items } = await lookUp((number) => (number === never ? 99 : 1));
		expect(items).toEqual(known(never));
	});

	test.each([
		['first', 3],
		['second', 6],
	])('§8.1 a wait for the limit before a %s question does not count', async (_, refusedAt) => {
		expect((await lookUp(() => 2, refusedAt)).items).toEqual(known());
	});
});

describe('If Line Blocked', () => {
	const MOVED = 'The chosen line is blocked, so another one has sent';
	const BY_LINE = {
		...SEND,
		line: { __rl: true, mode: 'handle', value: LINE },
		options: { ifLineBlocked: 'anotherLine' },
	};

	test('Use Another Line sends by another line once the chosen one is blocked, and the item says so', async () => {
		await service.run({ parameters: BY_LINE, items: [ANNA] });
		expect(await service.accepted()).toMatchObject([{ line_handle: LINE }]);
		await service.block(LINE);

		const run = await service.run({ parameters: BY_LINE, items: [ANNA, BEN, CARLA] });

		expect(run.json('Node')).toEqual(
			[0, 1, 2].map(() => expect.objectContaining({ status: 'QUEUED', note: MOVED })),
		);
		expect(hintsOf(run)).toEqual(['3 accepted', MOVED]);
		const rows = (await service.accepted()).slice(1);
		expect(rows.map(({ line_handle: line }) => line)).toEqual([0, 1, 2].map(() => SUPPORT.handle));
		// The line that was blocked once is not tried again in the run.
		expect(await service.timesAsked('/v1/send-message')).toBe(5);
	});

	test('Use Another Line names the line that has sent, where the service says so', async () => {
		await service.block(LINE);
		const parameters = { ...BY_LINE, options: { ...BY_LINE.options, waitFor: 'sent' } };
		const run = await service.run({ parameters, items: [ANNA, BEN] });
		const note = 'The chosen line is blocked, so Support · +15550100002 has sent';
		expect(run.json('Node')).toMatchObject([{ note }, { note }]);
	});

	test('Stop and Say Why says which line is blocked, what to do, and the reason for the block', async () => {
		await service.block(LINE);
		const parameters = { ...BY_LINE, options: { ifLineBlocked: 'fail' } };
		const run = await service.run({ parameters, items: [ANNA] });
		expect(run.nodeError('Node')).toMatchObject({
			message: 'The line Front desk · +15550100001 is blocked',
			description:
				"Choose another one under Line, or 'Use Another Line' in the option 'If Line Blocked'. The reason given: “spam reports”",
		});
	});
});

describe('a line that cannot send, in a list', () => {
	const INACTIVE = 'is switched off';

	test.each([
		['blocked', SUPPORT.handle, 'Support · +15550100002 is blocked'],
		['not active', SUPPORT.handle, `The line Support · +15550100002 ${INACTIVE}`],
		['gone', 'gone', 'The line gone is not one of yours'],
	])('that is %s refuses the run before the first message leaves', async (what, line, message) => {
		if (what === 'blocked') await service.block(line);
		else await service.control.patch(`/sandbox/lines/${line}`, { is_active: false });
		const lines = [LINE, line];

		const chosen = { __rl: true, mode: 'handle', value: '={{ $json.line }}' };
		const send = await service.run({
			parameters: { ...SEND, line: chosen },
			items: [ANNA, BEN].map((item, at) => ({ ...item, line: lines[at] })),
		});
		const text = { event: 'receive', to: FRONT_DESK.number, is_outbound: false };
		const reply = await service.run({
			parameters: { resource: 'message', operation: 'reply', content: 'hi' },
			items: [ANNA, BEN].map(({ number: from }, at) => ({ ...text, from, line_handle: lines[at] })),
		});

		for (const run of [send, reply]) {
			expect(run.nodeError('Node')).toMatchObject({
				message: expect.stringContaining(message) as string,
				description: expect.stringMatching(/^Item 2[,.].*Nothing was sent for any of the items/),
			});
		}
		// Reply has no such field.
		expect(reply.nodeError('Node')?.description).not.toContain('under Line');
		expect(await service.timesAsked('/v1/send-message')).toBe(0);
		expect(await service.timesAsked('/v1/lines')).toBe(2);
	});
});

describe('what no item is at fault for names none, and does not say that others would go', () => {
	const lineOf = (value: string, mode = 'handle') => ({ line: { __rl: true, mode, value } });
	const WAIT = 'Each of your lines is blocked or not active. Wait until one is unblocked: ';
	const CHOOSE = 'Choose another one under Line, ';
	const FRONT = 'The line Front desk · +15550100001';
	const another = { ifLineBlocked: 'anotherLine' };

	test.each<[string, object, string, string]>([
		['blocked', {}, 'No line can send now', WAIT],
		['blocked', { options: another }, 'No line can send now', WAIT],
		['blocked', lineOf(LINE), `${FRONT} is blocked`, CHOOSE],
		['blocked', { ...lineOf(LINE), options: { onlyOnceFor: '1' } }, `${FRONT} is blocked`, CHOOSE],
		['blocked', { ...lineOf(LINE), options: another }, 'No line can send now', WAIT],
		['off', {}, 'None of your lines is active', 'Ask the operator to switch one on.'],
		['off', lineOf(LINE), `${FRONT} is switched off`, CHOOSE],
		[
			'fine',
			lineOf('+15559999999', 'number'),
			'No line of yours has the number +15559999999',
			"Choose one under Line 'From List'",
		],
	])('all lines are %s, and the fields say %j', async (state, fields, message, advice) => {
		for (const { handle } of [FRONT_DESK, SUPPORT]) {
			if (state === 'blocked') await service.block(handle);
			if (state === 'off') {
				await service.control.patch(`/sandbox/lines/${handle}`, { is_active: false });
			}
		}

		const list = { parameters: { ...SEND, ...fields }, items: [ANNA, BEN, CARLA] };
		const stopped = (await service.run(list)).nodeError('Node');

		expect(stopped?.message).toBe(message);
		expect(stopped?.description?.startsWith(advice)).toBe(true);
		expect(stopped?.description).toMatch(/[^>]<br>Nothing was sent for any of the items\.$/);
		expect(stopped?.description).not.toMatch(/Item \d|\+1555123|Continue/);

		const hints = hintsOf(await service.run({ ...list, node: CONTINUE }));
		expect(hints).toEqual([`3 not sent: ${message}`]);
	});

	test('the service cannot be reached', async () => {
		const engine = service.engineWith(service.credential({ baseUrl: 'http://127.0.0.1:1' }));

		const run = await service.run({ parameters: SEND, items: [ANNA, BEN] }, engine);

		expect(run.nodeError('Node')?.message).toContain('cannot be reached');
		expect(run.nodeError('Node')?.description).not.toMatch(/Item \d|Continue/);
	});

	test('but a line that an item chooses is the item’s, and the others would go', async () => {
		await service.block(LINE);
		const items = [FRONT_DESK, SUPPORT].map(({ handle: line }, at) => ({ ...listOf(2)[at], line }));

		const run = await service.run({
			parameters: { ...SEND, ...lineOf('={{ $json.line }}') },
			items,
		});

		expect(run.nodeError('Node')?.message).toBe('The line Front desk · +15550100001 is blocked');
		expect(run.nodeError('Node')?.description).toMatch(/^Item 1, .* To let the other one go, /);
	});
});

describe('the hint after a list', () => {
	test('counts what became of the messages, each of which is told by itself with On Error: Continue', async () => {
		await service.text('STOP', { from: BEN.number });
		await service.fault('/v1/send-message', 'reset-before');

		const run = await service.run({
			parameters: SEND,
			items: [ANNA, BEN, CARLA, { ...CARLA, number: '12' }],
			node: CONTINUE,
		});

		const refused = {
			...{ to: '12', content: CARLA.content, status: 'NOT SENT', is_outbound: true },
			error_message: 'The phone number “12” is not in international format',
		};
		expect(run.items('Node')).toMatchObject([
			{ json: { to: ANNA.number, status: 'NOT CONFIRMED' }, pairedItem: { item: 0 } },
			{ json: { to: BEN.number, status: 'SKIPPED' }, pairedItem: { item: 1 } },
			{ json: { to: CARLA.number, status: 'QUEUED' }, pairedItem: { item: 2 } },
			{ json: refused, pairedItem: { item: 3 } },
		]);
		expect(hintsOf(run)).toEqual(['1 accepted, 1 opted out, 1 not confirmed, 1 not sent']);
	});

	test('says where a customer has got the same message more than once, and what leaves that out', async () => {
		const run = await service.run({ parameters: SEND, items: [ANNA, BEN, ANNA, ANNA] });

		const said = expect.stringMatching(/same message for a customer.*Send Only Once Per/) as string;
		expect(hintsOf(run)).toEqual(['4 accepted', said]);
	});

	test('says for how long the node waited for the limits, where that was a minute or more', async () => {
		await service.fault('/v1/send-message', 'refuse-429', 1, { retry_after_seconds: 170 });

		const run = await service.run({ parameters: SEND, items: [ANNA] });

		expect(hintsOf(run)).toEqual([
			'The service lets only so many requests in per minute, so the node waited 3 min in all.',
		]);
	});

	test.each([
		['for a single message', SEND, [ANNA]],
		['for no message', SEND, []],
		['after another operation', { resource: 'line', operation: 'getMany' }, [{}, {}]],
	])('does not stand %s', async (_what, parameters, items) => {
		const run = await service.run({ parameters, items });

		expect(hintsOf(run)).toEqual([]);
	});
});
