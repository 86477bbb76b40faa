import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TestService } from '../support/service';
import { startStub, type StubRequest } from '../support/stub';

/* Values that a person may put into a field by an expression, and that are not of the field's type. */

const SEND = { resource: 'message', operation: 'send', number: '+15551230001', content: 'hello' };
const ITEM = { message_handle: 'm1', number: '+15551230001' };

/** A clock on which a wait takes no time, and its own time passes. It ends what would wait for longer than ten minutes. */
class SteppingClock implements Clock {
	private ms = Date.UTC(2026, 0, 1);

	private readonly endMs = this.ms + 600_000;

	nowMs(): number {
		return this.ms;
	}

	async sleep(durationMs: number): Promise<void> {
		if (this.ms > this.endMs) throw new Error('ten minutes are over');
		this.ms += Math.max(durationMs, 1);
		await new Promise<void>((resolve) => setImmediate(resolve));
	}

	get minutesPassed(): number {
		return (this.ms - this.endMs) / 60_000 + 10;
	}
}

/** A service in which nothing ever comes as far as a person waits for. */
const neverThere = ({ path, query }: StubRequest) => {
	const row = { message_handle: 'm1', status: 'QUEUED', is_outbound: true };
	if (path === PATHS.lookup) return { status: 202, body: {} };
	if (path !== PATHS.messages) return { body: row };
	return { body: { messages: query.get('before') === null ? [row] : [], next: null } };
};

let service: TestService;
let stub: Awaited<ReturnType<typeof startStub>>;

beforeEach(async () => {
	service = await TestService.start();
	stub = await startStub(neverThere);
});

afterEach(async () => {
	await stub.stop();
	await service.stop();
});

/** Runs the node against the service in which nothing comes; returns how it ended and how often it asked. */
async function run(parameters: INodeParameters, value: unknown) {
	const clock = new SteppingClock();
	const odd = await TestService.start({ memory: new ProcessMemory(clock) });
	stub.requests.length = 0;
	const engine = odd.engineWith(odd.credential({ baseUrl: stub.url }));
	const result = await odd.run({ parameters, items: [{ ...ITEM, value } as never] }, engine);
	await odd.stop();
	return { result, requests: stub.requests.length, minutes: clock.minutesPassed };
}

const ODD_VALUES = [
	...['60 s', '', ' ', 'soon', '1e3', '0x10', 'NaN', 'Infinity', '-5', '1,5', '∞'],
	...[null, true, false, 0, -1, 0.001, 1e308, Number.MAX_SAFE_INTEGER],
	...[[], [5], {}, { value: 5 }],
];

const oddValue = fc.oneof(
	fc.constantFrom(...ODD_VALUES),
	fc.string(),
	fc.double(),
	fc.array(fc.integer(), { maxLength: 2 }),
);

const WAITS: Array<[string, INodeParameters]> = [
	[
		'Wait at Most of a message',
		{
			resource: 'message',
			operation: 'getStatus',
			messageHandle: 'm1',
			options: { waitFor: 'sent', waitSeconds: '={{ $json.value }}' },
		},
	],
	[
		'Wait at Most of a look-up',
		{
			resource: 'number',
			operation: 'lookup',
			number: '+15551230001',
			options: { waitSeconds: '={{ $json.value }}' },
		},
	],
	['Wait For', { ...SEND, options: { waitFor: '={{ $json.value }}' } }],
	['Limit', { resource: 'message', operation: 'getMany', limit: '={{ $json.value }}' }],
	['Return All', { resource: 'message', operation: 'getMany', returnAll: '={{ $json.value }}' }],
];

describe('whatever value a field has', () => {
	test.each(WAITS)(
		'%s: the node pauses between requests, and ends or keeps waiting',
		async (_, parameters) => {
			await fc.assert(
				fc.asyncProperty(oddValue, async (value) => {
					const { requests, minutes } = await run(parameters, value);
					// The fastest looks are made in the first seconds; then one comes every 5 s.
					expect(requests).toBeLessThanOrEqual(8 + 12 * minutes);
				}),
				{ numRuns: 25, examples: ODD_VALUES.slice(0, 3).map((value) => [value]) },
			);
		},
		120_000,
	);

	test('a limit of nothing returns nothing, and asks for nothing', async () => {
		const [, parameters] = WAITS[3] ?? ['', {}];

		const { result, requests } = await run(parameters, 0);

		expect(result.json('Node')).toEqual([]);
		expect(requests).toBe(0);
	});
});

const ASK = { ...SEND, operation: 'sendAndWait', responseType: 'approval' };
const GET_MANY = { resource: 'message', operation: 'getMany' };
const FILE = { mediaUrl: 'https://example.com/menu.jpg' };
const BY_TEXT = { ...ASK, responseType: 'reply', choices: 'a, b' };
const CHOICE = { ...BY_TEXT, expected: 'choice' };

describe('a choice that does not exist', () => {
	test.each<[string, INodeParameters, string, string]>([
		['Media', { ...SEND, ...FILE, media: '={{ "image" }}' }, 'image', 'none, url, binary'],
		['Wait For', { ...SEND, options: { waitFor: 'read' } }, 'read', 'queued, sent, delivered'],
		['If Opted Out', { ...SEND, options: { ifOptedOut: 'leave' } }, 'leave', 'skip, fail'],
		['If Line Blocked', { ...SEND, options: { ifLineBlocked: 'x' } }, 'x', 'fail, anotherLine'],
		['If Unsure It Was Sent', { ...SEND, options: { ifUnconfirmed: 'x' } }, 'x', 'sendAgain, fail'],
		['Answer By', { ...BY_TEXT, responseType: '={{ "phone" }}' }, 'phone', 'reply, approval'],
		['Buttons', { ...ASK, approvalType: '={{ 2 }}' }, '2', 'double, single'],
		['Limit Wait Time', { ...ASK, limitWaitTime: '={{ "soon" }}' }, 'soon', 'true, false'],
		['Limit Wait Time', { ...ASK, limitWaitTime: '={{ 1 }}' }, '1', 'true, false'],
		[
			'Unit',
			{ ...ASK, limitWaitTime: true, resumeUnit: '={{ "weeks" }}' },
			'weeks',
			'minutes, hours, days',
		],
		['Expected Answer', { ...BY_TEXT, expected: '={{ "x" }}' }, 'x', 'anything, yesOrNo, choice'],
		['If Not Understood', { ...CHOICE, ifNotUnderstood: '={{ "x" }}' }, 'x', 'askAgain, take'],
		['Direction', { ...GET_MANY, filters: { direction: 'in' } }, 'in', 'any, inbound, outbound'],
		['Return All', { ...GET_MANY, returnAll: '={{ "all" }}' }, 'all', 'true, false'],
		['Simplify', { ...GET_MANY, simplify: '={{ ["x"] }}' }, '["x"]', 'true, false'],
		[
			'With',
			{ ...GET_MANY, operation: 'getConversation', with: '={{ "x" }}', number: SEND.number },
			'x',
			'message, number',
		],
		[
			'Only Active',
			{ resource: 'line', operation: 'getMany', filters: { onlyActive: '={{ "yes" }}' } },
			'yes',
			'true, false',
		],
	])('is refused with its value and those that exist, and nothing is sent: %s', async (...row) => {
		const [label, parameters, value, choices] = row;
		const refused = await service.run({ parameters });

		expect(refused.nodeError('Node')).toMatchObject({
			message: `${label} has no choice “${value}”`,
			description: expect.stringContaining(`one of these: ${choices}.`) as string,
		});
		expect(await service.rows()).toEqual([]);
	});

	test('is taken where only its case differs', async () => {
		await service.run({
			parameters: { ...SEND, ...FILE, media: '={{ "URL" }}', options: { waitFor: 'Sent' } },
		});
		await service.control.post('/sandbox/inbound', { from: SEND.number, content: 'STOP' });
		const skipped = await service.run({
			parameters: { ...SEND, options: { ifOptedOut: 'Skip' } },
		});
		const all = await service.run({ parameters: { ...GET_MANY, returnAll: '={{ "False" }}' } });

		expect(await service.accepted()).toEqual([
			expect.objectContaining({ media_url: FILE.mediaUrl, status: 'DELIVERED' }),
		]);
		expect(skipped.json('Node')).toEqual([expect.objectContaining({ status: 'SKIPPED' })]);
		expect(all.json('Node')).toHaveLength(2);
	});
});

describe('a filter of the history that was added and has no value', () => {
	test.each([
		['Since', { since: '={{ $json.nothing }}' }],
		['Since', { since: '' }],
		['Before Message', { before: '={{ $json.nothing }}' }],
		['Before Message', { before: ' ' }],
		['Conversation ID', { conversationHandle: '' }],
	])('is refused, as the whole history would come out: %s', async (label, filters) => {
		const refused = await service.run({ parameters: { ...GET_MANY, filters } });

		expect(refused.nodeError('Node')).toMatchObject({ message: `${label} is empty` });
	});
});

const VALUE = '={{ $json.value }}';
const STATUS = { resource: 'message', operation: 'getStatus', messageHandle: 'm1' };
const LOOK_UP = { resource: 'number', operation: 'lookup', number: SEND.number };
const CONVERSATION = { ...GET_MANY, operation: 'getConversation', with: 'number' };
const DOWNLOAD = { resource: 'media', operation: 'download', ...FILE };

const AMOUNTS: Array<[string, INodeParameters]> = [
	['Limit', { ...GET_MANY, limit: VALUE }],
	['Limit', { ...CONVERSATION, number: SEND.number, limit: VALUE }],
	['Wait at Most (Seconds)', { ...STATUS, options: { waitFor: 'sent', waitSeconds: VALUE } }],
	['Wait at Most (Seconds)', { ...SEND, options: { waitFor: 'sent', waitSeconds: VALUE } }],
	['Wait at Most (Seconds)', { ...LOOK_UP, options: { waitSeconds: VALUE } }],
	['Largest File (Megabytes)', { ...DOWNLOAD, options: { maxMegabytes: VALUE } }],
];

/** Runs the node for one item whose value is given, against a service that only counts. */
async function runOne(parameters: INodeParameters, value: unknown) {
	stub.requests.length = 0;
	const engine = service.engineWith(service.credential({ baseUrl: stub.url }));
	const items = [{ value }] as IDataObject[];
	const result = await service.run({ parameters, items }, engine);
	return { error: result.nodeError('Node'), result, requests: stub.requests.length };
}

describe('an amount that is no number from zero up', () => {
	test.each(AMOUNTS)('is refused before anything is asked: %s of %j', async (label, parameters) => {
		for (const value of ['abc', '60 s', '-5', -5, [3], [], {}, true, false, Number.NaN, Infinity]) {
			const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
			const { error, requests } = await runOne(parameters, value);

			expect(error).toMatchObject({
				message: `${label} is “${shown}”, and not a number from 0 up`,
				description: expect.stringContaining('Enter a number') as string,
			});
			expect(requests).toBe(0);
		}
	});
});

const IDS: Array<[string, INodeParameters]> = [
	['Before Message', { ...GET_MANY, filters: { before: VALUE } }],
	['Before Message', { ...GET_MANY, filters: { before: VALUE, number: SEND.number } }],
	['Conversation ID', { ...GET_MANY, filters: { conversationHandle: VALUE } }],
	['Message ID', { ...STATUS, messageHandle: VALUE }],
];

describe('an ID that is none', () => {
	test.each(IDS)('is refused before the service is asked: %s of %j', async (label, parameters) => {
		for (const value of [{}, { id: 'm1' }, [], ['m1'], true, false, Number.NaN, Infinity]) {
			const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
			const { error, requests } = await runOne(parameters, value);

			expect(error).toMatchObject({
				message: `${label} is “${shown}”, and not an ID`,
				description: expect.stringContaining('Enter the') as string,
			});
			expect(requests).toBe(0);
		}
	});
});

describe('a line that is none', () => {
	const ASKED = { ...ASK, responseType: 'approval' };
	const byId = (value: string) => ({ __rl: true, mode: 'handle', value });

	test.each([
		['NaN', '={{ NaN }}'],
		['Infinity', '={{ 1 / 0 }}'],
		['false', '={{ false }}'],
		['true', '={{ true }}'],
	])('is refused, and nothing is sent: %s', async (shown, value) => {
		for (const parameters of [SEND, ASKED]) {
			for (const line of [value, byId(value)]) {
				const { error, requests } = await runOne({ ...parameters, line } as INodeParameters, 1);

				expect(error).toMatchObject({
					message: `Line is “${shown}”, and neither an ID nor a number`,
				});
				expect(requests).toBe(0);
			}
		}
	});
});

describe('a text that is no text', () => {
	test.each([
		[
			'an object',
			{ first: 'Anna', last: 'B' },
			'Text is an object, and not a text',
			'The object has: first, last.',
		],
		['an empty object', {}, 'Text is an object, and not a text', 'The object is empty.'],
		['a list', ['a', 'b'], 'Text is a list, and not a text', 'Choose one entry of the list'],
	])('is refused with its item: %s', async (_, content, message, advice) => {
		for (const operation of ['send', 'sendAndWait']) {
			const refused = await service.run({
				parameters: { ...SEND, operation, content: '={{ $json.content }}' },
				items: operation === 'send' ? [{ content: 'hello' }, { content }] : [{ content }],
			});

			expect(refused.nodeError('Node')).toMatchObject({
				message,
				description: expect.stringContaining(advice) as string,
			});
			expect((await service.accepted()).map((row) => row.content)).not.toContain('[object Object]');
		}
	});

	test.each([
		['an invalid DateTime', '={{ DateTime.fromISO("nope") }}', 'Invalid DateTime'],
		['what an invalid DateTime is written as', 'Invalid DateTime', 'Invalid DateTime'],
		['what an object is written as', ' [object Object]', '[object Object]'],
		['what a map is written as', '[object Map]', '[object Map]'],
		['an invalid Date', '={{ new Date("nope") }}', 'Invalid Date'],
		['NaN', '={{ Number("nope") }}', 'NaN'],
		['no end of a number', '={{ 1 / 0 }}', 'Infinity'],
		['an error', '={{ new Error("no customer") }}', 'Error: no customer'],
	])('is refused with its value: %s', async (_, content, value) => {
		for (const operation of ['send', 'sendAndWait']) {
			const refused = await service.run({ parameters: { ...SEND, operation, content } });

			expect(refused.nodeError('Node')).toMatchObject({
				message: `Text contains “${value}”, and customers would read it`,
				description: expect.stringContaining('Check the fields') as string,
			});
		}
		expect(await service.rows()).toEqual([]);
	});

	test.each([
		['a sentence with an object', 'Hi [object Object], welcome', '[object Object]', 'an object'],
		['a list with an object', 'For you: a,[object Object]', '[object Object]', 'an object'],
		['a sentence with a date', '=At {{ DateTime.fromISO("nope") }}', 'Invalid DateTime', 'a date'],
	])('is refused with the part that is none: %s', async (_, content, part, advice) => {
		const reply = { ...SEND, operation: 'reply', content, resource: 'message' };
		for (const operation of ['send', 'sendAndWait', 'reply']) {
			const parameters = { ...reply, operation };
			const items = [
				{ from: '+15551230001', is_outbound: false, line_handle: 'l1', message_handle: 'm1' },
			];
			const refused = await service.run({ parameters, items });

			expect(refused.nodeError('Node')).toMatchObject({
				message: `Text contains “${part}”, and customers would read it`,
				description: expect.stringContaining(advice) as string,
			});
		}
		expect(await service.rows()).toEqual([]);
	});

	test.each([
		['undefined', '={{ "Hi " + $json.nobody }}, welcome'],
		['null', '={{ `Hi ${$json.nothing}` }}'],
		['NaN', '=You owe {{ "EUR " + $json.price * 2 }}'],
		['null', '={{ "Hallo " + $json.nothing }}, der Termin ist annulliert'],
	])('is refused with what an expression gives for a missing value: %s', async (word, content) => {
		const items = [{ nothing: null, price: 'ten' }];
		const refused = await service.run({ parameters: { ...SEND, content }, items });

		expect(refused.nodeError('Node')).toMatchObject({
			message: `Text contains “${word}”, and customers would read it`,
			description: expect.stringContaining('Check the fields') as string,
		});
		expect(await service.rows()).toEqual([]);
	});

	test.each([
		['in a text', 'null means zero', 'null means zero'],
		['beside an expression', '=Null is null, {{ "not " + 1 }}', 'Null is null, not 1'],
		['as an AI agent writes it', '={{ $json.output }}', 'It is undefined.'],
		['in a field of the item', '={{ "Re: " + $json.output }}', 'Re: It is undefined.'],
		['in no word of its own', '={{ "annull" + "ed" }}', 'annulled'],
	])('may have such a word where somebody means it: %s', async (_, content, sent) => {
		const items = [{ output: 'It is undefined.' }];
		await service.run({ parameters: { ...SEND, content }, items });

		expect(await service.accepted()).toMatchObject([{ content: sent }]);
	});

	test('has nothing in place of a value that an expression of its own does not give', async () => {
		const content = '=Hi {{ $json.nobody }}{{ $json.nothing }}!';
		await service.run({ parameters: { ...SEND, content }, items: [{ nothing: null }] });

		expect(await service.accepted()).toMatchObject([{ content: 'Hi !' }]);
	});

	test.each([
		['U+200B', '\u200b\u200b'],
		['a byte order mark and spaces', '\ufeff \n'],
		['a soft hyphen and a joiner', '\u00ad\u2060'],
		['an empty letter of another script', '\u3164'],
		['a variation selector', '\ufe0f'],
		['an empty braille letter', '\u2800'],
		['a control character', '\u0007'],
	])('is nothing to send where it is invisible: %s', async (_, content) => {
		const sent = await service.run({ parameters: { ...SEND, content } });
		const asked = await service.run({ parameters: { ...ASK, content } });

		expect(sent.nodeError('Node')).toMatchObject({ message: 'There is nothing to send' });
		expect(asked.nodeError('Node')).toMatchObject({ message: 'There is no question' });
		expect(await service.rows()).toEqual([]);
	});

	test('goes out where one character of it is visible', async () => {
		await service.run({ parameters: { ...SEND, content: '\u200b👨‍👩‍👧' } });

		expect((await service.accepted())[0]?.content).toBe('\u200b👨‍👩‍👧');
	});

	test.each<[string, INodeParameters, string, string]>([
		[
			'an object',
			{ ...ASK, approveLabel: '={{ { yes: 1 } }}' },
			'Approve Button Label is an object, and not a text',
			'The object has: yes.',
		],
		[
			'a list',
			{ ...ASK, declineLabel: '={{ [1, "no"] }}' },
			'Decline Button Label is a list, and not a text',
			'The list has: 1, no.',
		],
		[
			'an empty list',
			{ ...ASK, declineLabel: '={{ [] }}' },
			'Decline Button Label is a list, and not a text',
			'The list is empty.',
		],
		[
			'a list of objects',
			{ ...CHOICE, choices: '={{ [{ a: 1 }, { b: 2 }] }}' },
			'Choices is an object, and not a text',
			'The object has: a.',
		],
	])('is refused where customers choose by it: %s', async (_, parameters, message, advice) => {
		const refused = await service.run({ parameters });

		expect(refused.nodeError('Node')).toMatchObject({
			message,
			description: expect.stringContaining(advice) as string,
		});
		expect(await service.rows()).toEqual([]);
	});
});
