import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { ANNA, serviceInEachTest } from '../support/service';
import { startStub, type StubRequest } from '../support/stub';
import { SkippingClock } from '../support/testClock';
import { MINUTE_MS } from '../support/times';

/* Values that a person may put into a field by an expression, and that are not of the field's type. */

const SEND = { resource: 'message', operation: 'send', number: ANNA, content: 'hello' };
const ITEM = { message_handle: 'm1', number: ANNA };

/** A clock on which a wait takes no time. It ends what would wait for longer than ten minutes. */
class SteppingClock extends SkippingClock {
	override async sleep(durationMs: number): Promise<void> {
		if (this.ms > 10 * MINUTE_MS) throw new Error('ten minutes are over');
		await super.sleep(Math.max(durationMs, 1));
	}
}

/** A service in which nothing ever comes as far as a person waits for. */
const neverThere = ({ path, query }: StubRequest) => {
	const row = { message_handle: 'm1', status: 'QUEUED', is_outbound: true };
	if (path === PATHS.lookup) return { status: 202, body: {} };
	if (path !== PATHS.messages) return { body: row };
	return { body: { messages: query.get('before') === null ? [row] : [], next: null } };
};

const service = serviceInEachTest();
let stub: Awaited<ReturnType<typeof startStub>>;

beforeEach(async () => {
	stub = await startStub(neverThere);
});
afterEach(async () => await stub.stop());

/** Runs the node for one item whose value is given, against the service in which nothing comes. */
async function runOne(parameters: INodeParameters, value: unknown) {
	const clock = new SteppingClock();
	const credential = service.credential({ baseUrl: stub.url });
	const engine = service.engineWith(credential, new ProcessMemory(clock));
	stub.requests.length = 0;
	const result = await service.run({ parameters, items: [{ ...ITEM, value } as never] }, engine);
	const minutes = clock.ms / MINUTE_MS;
	return { result, error: result.nodeError('Node'), requests: stub.requests.length, minutes };
}

const VALUE = '={{ $json.value }}';
const GET_MANY = { resource: 'message', operation: 'getMany' };
const STATUS = { resource: 'message', operation: 'getStatus', messageHandle: 'm1' };
const LOOK_UP = { resource: 'number', operation: 'lookup', number: SEND.number };
const CONVERSATION = {
	...{ ...GET_MANY, operation: 'getConversation' },
	...{ with: 'number', number: SEND.number },
};
const FILE = { mediaUrl: 'https://example.com/menu.jpg' };
const DOWNLOAD = { resource: 'media', operation: 'download', ...FILE };
const LINES = { resource: 'line', operation: 'getMany' };
const ASK = { ...SEND, operation: 'sendAndWait', responseType: 'approval' };
const BY_TEXT = { ...ASK, responseType: 'reply', choices: 'a, b' };
const CHOICE = { ...BY_TEXT, expected: 'choice' };

const WAITS: Array<[string, INodeParameters]> = [
	['Wait at Most of a message', { ...STATUS, options: { waitFor: 'sent', waitSeconds: VALUE } }],
	['Wait at Most of a look-up', { ...LOOK_UP, options: { waitSeconds: VALUE } }],
	['Wait For', { ...SEND, options: { waitFor: VALUE } }],
	['Limit', { ...GET_MANY, limit: VALUE }],
	['Return All', { ...GET_MANY, returnAll: VALUE }],
];

describe('whatever value a field has', () => {
	test.each(WAITS)('%s: the node pauses between requests', async (_, parameters) => {
		const values = ['', '60', '60 s', '0x10', '∞', '-5', 0, -1, 0.001, 1e308, null, true, [5], {}];
		for (const value of values) {
			const { requests, minutes } = await runOne(parameters, value);
			// The fastest looks are made in the first seconds; then one comes every 5 s.
			expect(requests).toBeLessThanOrEqual(8 + 12 * minutes);
		}
	});

	test('a limit of nothing returns nothing, and asks for nothing', async () => {
		const { result, requests } = await runOne({ ...GET_MANY, limit: VALUE }, 0);
		expect(result.json('Node')).toEqual([]);
		expect(requests).toBe(0);
	});
});

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
			{ ...ASK, limitWaitTime: true, resumeUnit: '={{ "x" }}' },
			'x',
			'minutes, hours, days',
		],
		['Expected Answer', { ...BY_TEXT, expected: '={{ "x" }}' }, 'x', 'anything, yesOrNo, choice'],
		['If Not Understood', { ...CHOICE, ifNotUnderstood: '={{ "x" }}' }, 'x', 'askAgain, take'],
		['Direction', { ...GET_MANY, filters: { direction: 'in' } }, 'in', 'any, inbound, outbound'],
		['Return All', { ...GET_MANY, returnAll: '={{ "all" }}' }, 'all', 'true, false'],
		['Simplify', { ...GET_MANY, simplify: '={{ ["x"] }}' }, '["x"]', 'true, false'],
		['With', { ...CONVERSATION, with: '={{ "x" }}' }, 'x', 'message, number'],
		['Only Active', { ...LINES, filters: { onlyActive: '={{ "yes" }}' } }, 'yes', 'true, false'],
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
		const send = async (more: INodeParameters) =>
			await service.run({ parameters: { ...SEND, ...more } });
		await send({ ...FILE, media: '={{ "URL" }}', options: { waitFor: 'Sent' } });
		await service.text('STOP');
		const skipped = await send({ options: { ifOptedOut: 'Skip' } });
		const all = await service.run({ parameters: { ...GET_MANY, returnAll: '={{ "False" }}' } });

		expect(await service.accepted()).toMatchObject([
			{ media_url: FILE.mediaUrl, status: 'DELIVERED' },
		]);
		expect(skipped.json('Node')).toMatchObject([{ status: 'SKIPPED' }]);
		expect(all.json('Node')).toHaveLength(2);
	});
});

test.each([
	['Since', { since: '={{ $json.nothing }}' }],
	['Since', { since: '' }],
	['Before Message', { before: '={{ $json.nothing }}' }],
	['Before Message', { before: ' ' }],
	['Conversation ID', { conversationHandle: '' }],
])('a filter without a value is refused, as the whole history would come: %s', async (...row) => {
	const [label, filters] = row;
	const refused = await service.run({ parameters: { ...GET_MANY, filters } });
	expect(refused.nodeError('Node')).toMatchObject({ message: `${label} is empty` });
});

const NO_AMOUNTS = ['abc', '60 s', '-5', -5, [3], [], {}, true, false, Number.NaN, Infinity];
const NO_IDS = [{}, { id: 'm1' }, [], ['m1'], true, false, Number.NaN, Infinity];
const AMOUNT = { what: 'a number from 0 up', values: NO_AMOUNTS, advice: 'Enter a number' };
const ID = { what: 'an ID', values: NO_IDS, advice: 'Enter the' };
const WAIT = 'Wait at Most (Seconds)';

test.each<[string, INodeParameters, typeof AMOUNT | typeof ID]>([
	['Limit', { ...GET_MANY, limit: VALUE }, AMOUNT],
	['Limit', { ...CONVERSATION, limit: VALUE }, AMOUNT],
	[WAIT, { ...STATUS, options: { waitFor: 'sent', waitSeconds: VALUE } }, AMOUNT],
	[WAIT, { ...SEND, options: { waitFor: 'sent', waitSeconds: VALUE } }, AMOUNT],
	[WAIT, { ...LOOK_UP, options: { waitSeconds: VALUE } }, AMOUNT],
	['Largest File (Megabytes)', { ...DOWNLOAD, options: { maxMegabytes: VALUE } }, AMOUNT],
	['Before Message', { ...GET_MANY, filters: { before: VALUE } }, ID],
	['Before Message', { ...GET_MANY, filters: { before: VALUE, number: SEND.number } }, ID],
	['Conversation ID', { ...GET_MANY, filters: { conversationHandle: VALUE } }, ID],
	['Message ID', { ...STATUS, messageHandle: VALUE }, ID],
])('what is none is refused before the service is asked: %s of %j', async (...row) => {
	const [label, parameters, { what, values, advice }] = row;
	for (const value of values) {
		const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
		const { error, requests } = await runOne(parameters, value);

		expect(error).toMatchObject({
			message: `${label} is “${shown}”, and not ${what}`,
			description: expect.stringContaining(advice) as string,
		});
		expect(requests).toBe(0);
	}
});

test.each([
	['NaN', '={{ NaN }}'],
	['Infinity', '={{ 1 / 0 }}'],
	['false', '={{ false }}'],
	['true', '={{ true }}'],
	['{"id":1}', '={{ { id: 1 } }}'],
	['[1]', '={{ [1] }}'],
])('a line that is none is refused, and nothing is sent: %s', async (shown, value) => {
	const message = `Line is “${shown}”, and neither an ID nor a number`;
	for (const line of [value, { __rl: true, mode: 'handle', value }]) {
		for (const parameters of [SEND, ASK]) {
			const { error, requests } = await runOne({ ...parameters, line }, 1);
			expect([error?.message, requests]).toEqual([message, 0]);
		}
	}
});

describe('a text that is no text', () => {
	/** Runs each operation that texts; returns what it says of its item. */
	const refusals = async (content: string, item: IDataObject = {}) => {
		const message = { from: SEND.number, is_outbound: false, line_handle: 'l1' };
		const errors = [];
		for (const operation of ['send', 'sendAndWait', 'reply']) {
			const items = [{ ...message, message_handle: 'm1', ...item }];
			const run = await service.run({ parameters: { ...SEND, operation, content }, items });
			errors.push(run.nodeError('Node'));
		}
		return errors;
	};

	/** That each operation says this, and nothing was sent. */
	const expectRefusals = async (given: Array<unknown>, message: string, advice: string) => {
		const said = { message, description: expect.stringContaining(advice) as string };
		expect(given).toMatchObject([said, said, said]);
		expect(await service.rows()).toEqual([]);
	};

	test.each([
		['an object', { first: 'Anna', last: 'B' }, 'an object', 'Choose one field of the object'],
		['a list', ['a', 'b'], 'a list', 'Choose one entry of the list'],
	])('is refused with its item: %s', async (_, value, what, advice) => {
		const errors = await refusals(VALUE, { value });
		await expectRefusals(errors, `Text is ${what}, and not a text`, advice);
	});

	test.each([
		['an invalid DateTime', '={{ DateTime.fromISO("nope") }}', 'Invalid DateTime'],
		['what a map is written as', '[object Map]', '[object Map]'],
		['an invalid Date', '={{ new Date("nope") }}', 'Invalid Date'],
		['NaN', '={{ Number("nope") }}', 'NaN'],
		['no end of a number', '={{ 1 / 0 }}', 'Infinity'],
		['a sentence with “undefined”', '={{ "Hi " + $json.nobody }}, welcome', 'undefined'],
		['a sentence with “null”', '={{ `Hi ${$json.nothing}` }}', 'null'],
		['a sentence with “NaN”', '=You owe {{ "EUR " + $json.line_handle * 2 }}', 'NaN'],
		['a word that has “null” in it', '={{ "Hi " + $json.nothing }}, es ist annulliert', 'null'],
		['an object in a sentence', 'Hi [object Object], hello', '[object Object]'],
		['a date in a sentence', '=At {{ DateTime.fromISO("nope") }}', 'Invalid DateTime'],
	])('is refused with the part that is none: %s', async (_, content, part) => {
		const errors = await refusals(content, { nothing: null });
		const message = `Text contains “${part}”, and customers would read it`;
		await expectRefusals(errors, message, 'Check the fields');
	});

	test.each([
		['a word that somebody means', 'null means zero', 'null means zero'],
		['beside an expression', '=Null is null, {{ "not " + 1 }}', 'Null is null, not 1'],
		['as an AI agent writes it', '={{ $json.output }}', 'It is undefined.'],
		['in no word of its own', '={{ "annull" + "ed" }}', 'annulled'],
		['nothing in place of a missing value', '=Hi {{ $json.nobody }}{{ $json.nothing }}!', 'Hi !'],
		['one visible character', '\u200b👨‍👩‍👧', '\u200b👨‍👩‍👧'],
	])('goes out all the same where it has %s', async (_, content, sent) => {
		const items = [{ output: 'It is undefined.', nothing: null }];
		await service.run({ parameters: { ...SEND, content }, items });
		expect(await service.accepted()).toMatchObject([{ content: sent }]);
	});

	test.each([
		['U+200B', '\u200b\u200b'],
		['a byte order mark and spaces', '\ufeff \n'],
		['a soft hyphen and an empty letter of another script', '\u00ad\u3164'],
		['an empty braille letter', '\u2800'],
		['a control character', '\u0007'],
	])('is nothing to send where it is invisible: %s', async (_, content) => {
		const messages = (await refusals(content)).map((error) => error?.message);
		const nothing = 'There is nothing to send';
		expect(messages).toEqual([nothing, 'There is no question', nothing]);
		expect(await service.rows()).toEqual([]);
	});

	const [APPROVE, DECLINE] = ['Yes Button Label', 'No Button Label'];

	test.each<[string, INodeParameters, string]>([
		[
			`${APPROVE} is an object`,
			{ ...ASK, approveLabel: '={{ { yes: 1 } }}' },
			'one field of the object',
		],
		[`${DECLINE} is a list`, { ...ASK, declineLabel: '={{ [1, "no"] }}' }, 'one entry of the list'],
		[
			'Choices is an object',
			{ ...CHOICE, choices: '={{ [{ a: 1 }, { b: 2 }] }}' },
			'one field of the object',
		],
	])('is refused where customers choose by it: %s', async (what, parameters, advice) => {
		const { error } = await service.run({ parameters });

		expect(error).toMatchObject({
			message: `${what}, and not a text`,
			description: expect.stringContaining(advice) as string,
		});
		expect(await service.rows()).toEqual([]);
	});
});
