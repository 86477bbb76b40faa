import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES, NO_REQUEST_LIMITS } from '../../sandbox/src';
import type { Run } from '../support/executions';
import { ANNA, BEN, FRONT_DESK, serviceInEachTest, SUPPORT } from '../support/service';
import type { StubRequest } from '../support/stub';

const { number: LINE, handle: LINE_HANDLE } = SUPPORT;

const service = serviceInEachTest(() => ({ requestLimits: NO_REQUEST_LIMITS }));

/** A customer texts the second line; returns the row. */
const text = async (content: string, more: object = {}) =>
	await service.text(content, { to: LINE, ...more });

const send = async (content: string, line = LINE_HANDLE) => {
	await service.run({
		parameters: {
			...{ resource: 'message', operation: 'send', number: ANNA, content },
			line: { __rl: true, mode: 'handle', value: line },
		},
	});
	await service.sandbox.settled();
};

const GET = { resource: 'message', operation: 'getConversation' };
const run = async (parameters: INodeParameters, items?: IDataObject[]) =>
	await service.run({ parameters: { ...GET, ...parameters }, items });

const hintsOf = ({ data }: Run) => (data.Node?.[0]?.hints ?? []).map(({ message }) => message);

const contents = (item: IDataObject | undefined) =>
	((item?.messages ?? []) as IDataObject[]).map(({ content }) => content);

/** What is said of the conversation with a number. */
const withAnna = { with: 'number', number: ANNA };

/** Runs the node at a service with this history, page by page, that ignores what it is asked for. */
const runAt = async (
	pages: IDataObject[][],
	parameters: INodeParameters = withAnna,
	items: IDataObject[] = [{}],
) => {
	const answer = ({ path, query }: StubRequest) => {
		// Which number is a line's tells who wrote a row that does not say it.
		const lines = [SUPPORT, FRONT_DESK].map(({ number }) => ({
			line_handle: `of ${number}`,
			number,
		}));
		if (path === PATHS.lines) return { body: { lines } };
		const at = pages.findIndex((page) => page.at(-1)?.message_handle === query.get('before')) + 1;
		return { body: { messages: pages[at] ?? [] } };
	};
	const { json } = await service.runAt(answer, { parameters: { ...GET, ...parameters }, items });
	return json('Node');
};

describe.each(CHARACTER_NAMES)('Get Conversation, with a service that is %s', (character) => {
	beforeEach(async () => await service.begin({ requestLimits: NO_REQUEST_LIMITS, character }));

	test('§4.5 gives one item: the customer, the line, and what was said, oldest first', async () => {
		await text('hello');
		await service.sandbox.advance(60_000);
		await text('from somebody else', { from: BEN });
		await send('hi Anna');
		await service.sandbox.advance(60_000);
		const last = await text('a picture', { media_url: 'https://a.example/cat.jpg' });

		const [item, ...others] = (await run({}, [last])).json('Node');

		expect(others).toEqual([]);
		expect(item).toMatchObject({ customer: ANNA, line_handle: LINE_HANDLE });
		expect(item?.conversation_handle).toBe(last.conversation_handle);
		expect(contents(item)).toEqual(['hello', 'hi Anna', 'a picture']);
		const [day, ...said] = String(item?.transcript).split('\n');
		expect(day).toMatch(/^\w+, \d+ \w+ \d{4}$/);
		// Around midnight, another day begins between the texts.
		expect(
			said.filter((line) => line.includes(': ')).map((line) => line.replace(/\d+:\d\d/, 'at')),
		).toEqual([
			'Customer, at: hello',
			'Us, at: hi Anna',
			'Customer, at: a picture [picture: https://a.example/cat.jpg]',
		]);
	});

	const EVENT = { from: ANNA, to: LINE, is_outbound: false };
	const onLine = (mode: string, value: string) => ({
		...withAnna,
		line: { __rl: true, mode, value },
	});

	test('finds it by a message or a number, and the ID or the number of the line; else the newest one', async () => {
		await text('hello');
		await text('hello again', { to: FRONT_DESK.number });
		await text('from somebody else', { from: BEN });
		const found = async (parameters: INodeParameters, message: IDataObject = {}) => {
			const [item] = (await run(parameters, [message])).json('Node');
			expect(item).toMatchObject({ customer: ANNA });
			return [item?.line_handle, ...contents(item)];
		};

		for (const conversation of [
			// §6.2 names the ID of the line, §6.3 its number.
			await found({}, { ...EVENT, line_handle: LINE_HANDLE }),
			await found({}, EVENT),
			await found(onLine('handle', LINE_HANDLE)),
			await found(onLine('number', LINE)),
		]) {
			expect(conversation).toEqual([LINE_HANDLE, 'hello']);
		}
		const newest = await found({ ...withAnna, number: '+1 (555) 123-0001' });
		expect(newest).toEqual([FRONT_DESK.handle, 'hello again']);
	});

	test('by a number, it says that there is another conversation with the customer', async () => {
		await text('hello');
		await text('hello again', { to: FRONT_DESK.number });

		const others = expect.stringContaining(
			'There is another one, with the line +15550100002',
		) as string;
		expect(hintsOf(await run(withAnna))).toEqual([others]);
		expect(hintsOf(await run({ operation: 'getMany', filters: { number: ANNA } }))).toEqual([
			others,
		]);
		expect(hintsOf(await run(onLine('number', LINE)))).toEqual([]);
	});

	test('keeps to the newest messages', async () => {
		for (const content of ['1', '2', '3', '4']) {
			await text(content);
			await service.sandbox.advance(1_000);
		}
		// Rows may stand two places off, so that at the limit it is not certain which row is the newest one.
		const [item] = (await run({ ...withAnna, limit: 2 })).json('Node');

		expect(contents(item)).toHaveLength(2);
		if (character !== 'awkward') expect(contents(item)).toEqual(['3', '4']);
	});

	test('is empty for a customer who has not texted yet', async () => {
		await text('from somebody else', { from: BEN });

		const empty = await run(withAnna);

		expect(empty.json('Node')).toEqual([{ customer: ANNA, transcript: '', messages: [] }]);
		expect(hintsOf(empty)).toEqual(['There is no conversation with this customer']);
	});

	test('Get Many reads the conversation with a number', async () => {
		await text('hello');
		await text('from somebody else', { from: BEN });
		await send('hi Anna');
		const many = async (filters: IDataObject) =>
			(await run({ operation: 'getMany', returnAll: true, filters: filters as INodeParameters }))
				.json('Node')
				.map(({ content }) => content)
				.sort();

		expect(await many({ number: '+1 555 123 0001' })).toEqual(['hello', 'hi Anna']);
		expect(await many({ number: ANNA, direction: 'inbound' })).toEqual(['hello']);
		expect(await many({ number: '+15559999999' })).toEqual([]);
	});
});

describe('Get Conversation', () => {
	test('reads 20 messages unless told otherwise', async () => {
		for (let at = 0; at < 22; at += 1) await text(`${at}`);

		const [item] = (await run(withAnna)).json('Node');

		expect(contents(item)).toEqual(Array.from({ length: 20 }, (_, at) => `${at + 2}`));
	});

	test('asks for the history twice at most, however long it is', async () => {
		for (let at = 0; at < 40; at += 1) await text(`${at}`, { from: at % 2 ? ANNA : BEN });
		await run(withAnna);
		expect(await service.timesAsked(PATHS.messages)).toBe(2);
		const [row] = await service.rows();
		await run({}, [{ ...row } as IDataObject]);
		expect(await service.timesAsked(PATHS.messages)).toBe(3);
	});

	test('reads the whole of a conversation that is longer than a page', async () => {
		const rows = Array.from({ length: 240 }, (_, at) => ({
			...{ message_handle: `m${at}`, conversation_handle: 'c1', from: ANNA, to: LINE },
			...{ is_outbound: false, content: String(at) },
		}));
		const pages = [0, 60, 120, 180].map((at) => rows.slice(at, at + 60));

		const [item] = await runAt(pages, { ...withAnna, limit: 200 });

		expect(contents(item)).toEqual(Array.from({ length: 200 }, (_, at) => String(199 - at)));
	});

	describe('with a service that ignores conversation_handle', () => {
		const toLine = { to: LINE, is_outbound: false };
		const fromLine = { from: LINE, is_outbound: true };
		const rowsOf = (rows: Record<string, object>): IDataObject[] =>
			Object.entries(rows).map(([name, row]) => ({ message_handle: name, content: name, ...row }));
		const hers = rowsOf({
			'her last': { from: ANNA, ...toLine, conversation_handle: 'c1', line_handle: 'l1' },
			'by its conversation alone': { from: BEN, is_outbound: false, conversation_handle: 'c1' },
			'to her': { to: ANNA, ...fromLine },
			hers: { from: '+1 (555) 123-0001', ...toLine },
			'to her, without a direction': { to: ANNA, from: LINE },
			'hers, without a direction': { from: ANNA, to: LINE },
			'by the ID of the line': { from: ANNA, line_handle: 'line_l1', is_outbound: false },
		});
		const newest = hers.slice(0, 1);
		const others = rowsOf({
			'of another conversation': { from: ANNA, ...toLine, conversation_handle: 'c2' },
			'of Ben': { from: BEN, ...toLine },
			'to Ben': { to: BEN, ...fromLine },
			'of Ben, without a direction': { from: BEN, to: LINE },
			'to another line': { from: ANNA, to: FRONT_DESK.number, is_outbound: false },
			'to another line, without a direction': { from: ANNA, to: FRONT_DESK.number },
			'of another line by its ID': { from: ANNA, to: LINE, line_handle: 'l2' },
		});
		const ofNobody = rowsOf({
			'to a line': toLine,
			'to it': { to: LINE },
			waits: { status: 'QUEUED' },
		});
		const getMany = (filters: IDataObject) =>
			({ operation: 'getMany', filters }) as INodeParameters;
		const byMessage = { with: 'message' };

		const shown = async (pages: IDataObject[][], parameters: INodeParameters = byMessage) => {
			const json = await runAt(pages, parameters, newest);
			return json[0]?.messages ? contents(json[0]) : json.map(({ content }) => content);
		};

		test.each([
			['Get Conversation by number', withAnna],
			['Get Conversation by message', byMessage],
			['Get Many by number', getMany({ number: ANNA })],
		])('%s shows no other customer’s text', async (_, parameters) => {
			const texts = await shown([[...newest, ...others, ...ofNobody, ...hers]], parameters);
			expect(new Set(texts)).toEqual(new Set(hers.map(({ content }) => content)));
		});

		test('§2.6 a row that does not say whose it is counts unless another conversation is shown, on any page', async () => {
			expect(await shown([ofNobody])).toHaveLength(ofNobody.length);
			expect(await shown([others, ofNobody])).toEqual([]);
			expect(await shown([ofNobody, others])).toEqual([]);
			// Not even where the filters leave that conversation out.
			const ours = [...newest, { message_handle: 'm1', content: 'ours', is_outbound: true }];
			const outbound = getMany({ number: ANNA, direction: 'outbound' });
			expect(await shown([ours], outbound)).toEqual(['ours']);
			expect(await shown([ours, others.slice(0, 1)], outbound)).toEqual([]);
		});
	});

	test('§2.2 leaves a message that has no time where it stands', async () => {
		const row = (handle: string, date: string | null) => ({
			...{ message_handle: handle, conversation_handle: 'c1', content: handle, date_sent: date },
			...{ from: LINE, to: ANNA, is_outbound: true, status: date ? 'SENT' : 'QUEUED' },
		});
		const [item] = await runAt([
			[
				...[row('queued', null), row('third', '2026-01-01T10:02:00Z')],
				...[row('first', '2026-01-01T10:00:00Z'), row('second', '2026-01-01T10:01:00Z')],
			],
		]);

		expect(contents(item)).toEqual(['first', 'second', 'third', 'queued']);
		// Tests run on New York's clocks.
		expect(item?.transcript).toContain('Us, 5:00: first');
	});

	test.each([
		['Get Conversation', { with: 'number', number: '={{ $json.phone }}' }],
		['Get Many', { operation: 'getMany', filters: { number: '={{ $json.phone }}' } }],
	])('%s reads nobody’s texts where the number is empty', async (_, parameters) => {
		await text('a secret of Anna');

		const { error } = await run(parameters, [{ note: 1 }]);

		expect(error?.message).toBe('Phone Number is empty');
	});
});
