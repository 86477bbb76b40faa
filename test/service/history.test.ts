import fc from 'fast-check';
import { readRows, type Reading } from '../../nodes/TwoWayMessaging/service/history';
import { connectionTo, response, type Respond, type Response } from './context';

/** More requests than any of these histories takes: a reading without an end must fail its test, and not hold it up. */
const MOST_REQUESTS = 300;

/** Reads the handles of a history, page by page, and how it was asked for. */
async function read(respond: Respond, query: Reading = {}) {
	const { connection, asked } = await connectionTo((options) => {
		if (asked.length > MOST_REQUESTS) throw new Error('The reading does not end');
		return respond(options);
	});
	const pages: unknown[][] = [];
	for await (const rows of readRows(connection, query)) {
		pages.push(rows.map(({ message }) => message.message_handle));
	}
	return { pages, queries: asked.map(({ qs }) => qs), connection, asked };
}

const page = (...handles: string[]) => handles.map((handle) => ({ message_handle: handle }));

const body = (handles: string, more: object = {}) => {
	return { messages: page(...handles.split(' ')), ...more };
};

/** Answers with these bodies, one after the other, and then with an empty page. */
const inTurn = (...bodies: unknown[]): Respond => {
	const left = [...bodies];
	return () => response(200, left.shift() ?? { messages: [] });
};

const pagesOf = async (bodies: unknown[], query?: Reading) =>
	(await read(inTurn(...bodies), query)).pages;

const empty = (before: string) => ({ messages: [], before });
const emptyOnes = (name: string) => Array.from({ length: 10 }, (_, at) => empty(`${name}${at}`));

describe('§4.5 an empty page', () => {
	test.each([
		['without a cursor', { messages: [] }],
		['with a cursor that was used', empty('c1')],
		['with the cursor null', { messages: [], before: null }],
	])('ends it %s', async (_, last) => {
		const { pages, queries } = await read(inTurn(empty('c1'), last, body('m1')));
		expect(pages).toEqual([]);
		expect(queries).toHaveLength(2);
	});

	test('ends it as the eleventh of its kind in a row, whatever its cursor', async () => {
		expect(await pagesOf([...emptyOnes('c'), empty('d'), body('m1')])).toEqual([]);
		const bodies = [...emptyOnes('c'), body('m2', { before: 'd' }), ...emptyOnes('d'), body('m1')];
		expect(await pagesOf(bodies)).toEqual([['m2'], ['m1']]);
	});
});

describe('§4.5 the rows of a page', () => {
	test.each<[string, unknown[], string[][], Reading?]>([
		['are found wherever they stand', [{ data: { messages: page('m1') } }], [['m1']]],
		['come once, where a page has a row twice', [body('m2 m1 m2')], [['m2', 'm1']]],
		['come once, also by a number', [{ messages: [{ message_handle: 7 }, ...page('7')] }], [['7']]],
		['are older than the one asked for', [body('m3 m2')], [['m2']], { before: 'm3' }],
	])('are those that it has: they %s', async (_, bodies, pages, query = {}) => {
		expect(await pagesOf(bodies, query)).toEqual(pages);
	});

	test('are not taken for none where the body holds something else', async () => {
		await expect(read(() => response(200, { messages: 'none', data: null }))).rejects.toThrow(
			'The answer of the service could not be understood',
		);
	});

	test.each([
		['one that a line received', { from: '+15551230001', to: '15550100001' }, false],
		['one that a line sent', { from: '+1 (555) 010-0001', to: '+15551230001' }, true],
		['one between others', { from: '+15551230001', to: '+15551230002' }, undefined],
		['one that says it itself', { from: '+15550100001', to: '+1555', direction: 'in' }, false],
	])('are known by the numbers of the lines, which are asked for: %s', async (_, row, isSent) => {
		const lines = [{ line_handle: 'l1', number: '+15550100001' }];
		const { connection } = await connectionTo(({ url, qs }) => {
			if (url.endsWith('/lines')) return response(200, { lines });
			return response(200, qs?.before ? [] : [{ message_handle: 'm1', ...row }]);
		});
		const { value } = await readRows(connection, {}).next();
		expect(value).toMatchObject([{ message: { message_handle: 'm1' } }]);
		expect(value?.[0]?.message.is_outbound).toBe(isSent);
	});
});

describe('§4.5 a history of any kind', () => {
	type Row = { message_handle?: string | number; content: string };

	/** How a service fills what §4.5 leaves open. */
	const kinds = fc.record({
		rows: fc.array(fc.constantFrom('text', 'number'), { maxLength: 40 }),
		// A page brings more rows than come meanwhile: a place that moves as fast as its reader leads nowhere.
		sizes: fc.array(fc.integer({ min: 4, max: 9 }), { minLength: 1, maxLength: 5 }),
		arrivals: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 5 }),
		empties: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 }),
		isInclusive: fc.boolean(),
		/** By the row, which stays where it is, or by the place, to which new rows move others. */
		cursor: fc.constantFrom('handle', 'row', 'place'),
		end: fc.constantFrom('null', 'empty', 'blank', 'absent', 'echo'),
		name: fc.constantFrom('before', 'next', 'cursor'),
		/** Whether the body repeats what was asked for, beside the cursor. */
		isEchoing: fc.boolean(),
	});
	type Kind = typeof kinds extends fc.Arbitrary<infer One> ? One : never;

	/** A service of a kind, what its history had at the start, and how often it was asked. */
	function serviceOf(kind: Kind) {
		const handleOf = (handle: string, at: number) =>
			kind.cursor === 'handle' || handle === 'text' ? `m${at}` : at;
		const atStart = kind.rows.map((handle, at): Row => {
			return { message_handle: handleOf(handle, at), content: `m${at}` };
		});
		const all = [...atStart];
		const seen = { atStart, requests: 0, empties: 0, arrived: 0 };
		const turn = (amounts: number[]) => amounts[seen.requests % amounts.length]!;
		const respond: Respond = ({ qs }) => {
			const before = typeof qs?.before === 'string' ? qs.before : undefined;
			seen.requests += 1;
			const [place = '', waits = '0'] = (before ?? '').split('_');
			const behind = all.findIndex(({ content }) => content === place) + 1;
			const start = kind.cursor === 'place' ? Number(place || 0) : behind;
			const overlap = kind.isInclusive && start > 0 ? 1 : 0;
			const to = start + turn(kind.sizes) - overlap;
			const isWaiting = Number(waits) > 0;
			seen.empties += isWaiting ? 1 : 0;
			const messages = isWaiting ? [] : structuredClone(all.slice(start - overlap, to));
			const last = all[Math.min(to, all.length) - 1]?.content ?? '';
			const next = isWaiting ? place : kind.cursor === 'place' ? String(to) : last;
			const left = isWaiting ? Number(waits) - 1 : turn(kind.empties);
			const ends = {
				...{ null: null, empty: '', blank: ' ', echo: before ?? null },
				// Who has named no cursor yet is taken for one that goes by the last row.
				absent: before === undefined ? null : undefined,
			};
			const said = !isWaiting && to >= all.length ? ends[kind.end] : `${next}_${left}`;
			for (let more = messages.length > 0 ? turn(kind.arrivals) : 0; more > 0; more -= 1) {
				const content = `new${(seen.arrived += 1)}`;
				all.unshift({ content, message_handle: content });
			}
			if (kind.cursor === 'handle') return response(200, { messages });
			return response(200, {
				messages,
				...(kind.isEchoing && { pagination: { before: before ?? null } }),
				...(said !== undefined && { [kind.name]: said }),
			});
		};
		return { seen, respond };
	}

	test('comes whole: every row that was there comes once, in order, in few requests', async () => {
		await fc.assert(
			fc.asyncProperty(kinds, async (kind) => {
				const { seen, respond } = serviceOf(kind);
				const { pages } = await read(respond);
				const wanted = seen.atStart.map(({ message_handle: handle }) => String(handle));
				expect(pages).not.toContainEqual([]);
				expect(pages.flat().filter((one) => wanted.includes(String(one)))).toEqual(wanted);
				const most = wanted.length + seen.arrived + 2;
				expect(seen.requests - seen.empties).toBeLessThanOrEqual(most);
			}),
			{ numRuns: 250 },
		);
	});
});

test.each<[string, Reading, object]>([
	['500 rows, and nothing else', {}, { limit: 500 }],
	[
		'the conversation, the cursor and the size that are wanted',
		{ conversationHandle: 'conv1', before: 'm9', pageSize: 20 },
		{ conversation_handle: 'conv1', before: 'm9', limit: 20 },
	],
])('§4.5 a request for a page names %s', async (_, reading, query) => {
	const { asked, queries } = await read(inTurn(), reading);
	expect(queries).toStrictEqual([query]);
	expect(asked[0]).toMatchObject({ method: 'GET', url: 'https://service.example/v2/messages' });
});

describe('§4.5 reading ends', () => {
	test('with the eleventh page in a row that brings nothing new, although its cursor moves', async () => {
		let cursors = 0;
		const { pages, queries } = await read(() =>
			response(200, body('m1', { next: `c${(cursors += 1)}` })),
		);
		expect(pages).toEqual([['m1']]);
		expect(queries).toHaveLength(12);
	});

	test('not with a page that repeats the one before, where its cursor moves on', async () => {
		const bodies = [body('m3 m2', { next: 'c1' }), body('m3 m2', { next: 'c2' }), body('m1')];
		expect(await pagesOf(bodies)).toEqual([['m3', 'm2'], ['m1']]);
	});

	test('with a cursor that was used before, although its page brings rows', async () => {
		let rows = 0;
		const { queries } = await read(
			({ qs }) => {
				const next = qs?.before === 'c1' ? 'c2' : 'c1';
				return response(200, body(`m${(rows += 1)}`, { next }));
			},
			{ before: 'c1' },
		);
		expect(queries.map((query) => query?.before)).toEqual(['c1', 'c2']);
	});

	test('with the last of the pages that are wanted', async () => {
		const bodies = ['m1', 'm2', 'm3'].map((handle) => body(handle));
		expect(await pagesOf(bodies, { mostPages: 2 })).toEqual([['m1'], ['m2']]);
	});
});

describe('§4.5 the next page', () => {
	const LINKS = { previous: { href: '?before=x' }, next: { href: '?before=c1' } };
	const URL_OF_NEXT = 'https://service.example/v2/messages?limit=500&before=c1';

	test.each<[string, object, object]>([
		['the last row', {}, { before: 'm1' }],
		['a number', { next: 7 }, { before: '7' }],
		['a URL', { next: URL_OF_NEXT }, { before: 'c1' }],
		['a path', { meta: { next_page_url: '/v2/messages?before=c1' } }, { before: 'c1' }],
		['a link, and not that of the page before', { _links: LINKS }, { before: 'c1' }],
		['another name', { paging: { page: { endCursor: 'c1' } } }, { before: 'c1' }],
		['a URL with another name', { links: { next: '?cursor=c1' } }, { cursor: 'c1' }],
		['a URL with two', { links: { next: '?before=m3&page=2' } }, { before: 'm3', page: '2' }],
	])('begins at %s', async (_, said, query) => {
		const { queries } = await read(inTurn(body('m2 m1', said)), { before: 'm3' });
		expect(queries).toEqual([
			{ before: 'm3', limit: 500 },
			{ ...query, limit: 500 },
		]);
	});

	test.each([
		['of a bare list', page('m2', 'm1')],
		['that has a handle', { messages: [...page('m2', 'm1'), {}] }],
		['of which the handle is not empty', { messages: [...page('m2', 'm1', '')] }],
	])('begins at the last row %s, where nothing names a cursor', async (_, first) => {
		const { queries } = await read(inTurn(first));
		expect(queries).toEqual([{ limit: 500 }, { before: 'm1', limit: 500 }]);
	});

	test.each([
		['null under another name before it', { before: null, next: 'c1' }],
		['an empty text under another name', { before: '', cursor: 'c1' }],
		['null in the body, and a cursor beside it', { next: null, pagination: { next_cursor: 'c1' } }],
		['something else under another name', { before: {}, meta: { cursor: 'c1' } }],
		['what was asked for under another name', { before: 'm3', next: 'c1' }],
	])('begins at the first cursor that can be used: %s', async (_, said) => {
		const { pages } = await read(
			({ qs }) => response(200, qs?.before === 'c1' ? body('m1') : body('m2', said)),
			{ before: 'm3' },
		);
		expect(pages.slice(0, 2)).toEqual([['m2'], ['m1']]);
	});

	test.each([
		{ next: null },
		{ before: null, cursor: '' },
		{ next: ' ' },
		{ meta: { next: false } },
		{ next: '/v2/messages?' },
	])('does not exist when every name says so: %j', async (said) => {
		const { queries } = await read(() => response(200, body('m1', said)), { before: 'm3' });
		expect(queries).toHaveLength(1);
	});
});

describe('a service that names no cursor', () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, at) => ({
			message_handle: `m${at}`,
			date_sent: `2026-01-01T10:00:${99 - at}Z`,
		}));
	const refused = response(422, { message: 'The before is not a valid date.' });
	const notFound = response(404, { message: 'Not Found' });
	const emptyPage = response(200, { messages: [] });
	const TEN = { messages: rows(10) };
	const tenAgain = response(200, TEN);

	type Say = (before: unknown, isMore: boolean) => object;

	/** A service that goes by a field of the last row, and answers everything else in one way. */
	const goingBy =
		(field: 'message_handle' | 'date_sent', other: Response, say: Say = () => ({})): Respond =>
		({ qs }) => {
			const all = rows(25);
			const at = all.findIndex((one) => one[field] === qs?.before);
			if (qs?.before !== undefined && at < 0) return other;
			const messages = all.slice(at + 1, at + 11);
			return response(200, { messages, ...say(qs?.before ?? null, at + 11 < all.length) });
		};

	test.each([
		['begins anew for it', tenAgain],
		['refuses it', refused],
		['finds nothing for it', notFound],
		['answers it with an empty page', emptyPage],
	])(
		'is asked by the date of the last row where its handle leads nowhere: it %s',
		async (_, other) => {
			const { pages } = await read(goingBy('date_sent', other));
			expect(pages.flat()).toHaveLength(25);
		},
	);

	test.each<[string, Say]>([
		['what was asked for', (before) => ({ meta: { before, limit: 10 } })],
		['whether there is more', (_, isMore) => ({ has_next: isMore ? 1 : 0 })],
		['it in words', (_, isMore) => ({ page: { hasNextPage: String(isMore) } })],
		['when a cursor expires', () => ({ cursor_expires_at: '2026-02-01T10:00:00Z' })],
	])('is asked by the handle of the last row, also where it says %s', async (_, say) => {
		const { pages } = await read(goingBy('message_handle', refused, say));
		expect(pages.flat()).toHaveLength(25);
	});

	test.each<[string, unknown, Response, Response?]>([
		['says null, and refuses every other page', { ...TEN, before: null }, refused],
		['says null, and shows the same page again', { ...TEN, before: null }, tenAgain],
		['shows an empty page behind a full one, and takes no date', TEN, emptyPage, refused],
		['shows an empty page behind a full one, and begins anew for a date', TEN, emptyPage, tenAgain],
		['finds nothing behind its last row', rows(7), notFound],
		['finds nothing at the cursor that it has named', { ...TEN, next: 'c1' }, notFound],
		['says that it has no more', { messages: rows(7), has_more: false }, response(200, rows(7))],
		['shows a page again that is not full', rows(7), response(200, rows(7))],
	])('has an end where it %s', async (_, first, behind, byDate = behind) => {
		const { pages, queries } = await read(({ qs }) => {
			if (qs?.before === undefined) return response(200, first);
			return String(qs.before).startsWith('m') ? behind : byDate;
		});
		expect(pages).toHaveLength(1);
		expect(queries.length).toBeLessThanOrEqual(3);
	});

	test.each([
		['its pages are full', TEN],
		['it says so', { messages: rows(7), pagination: { has_more: 1 } }],
		['it says so with a cursor', { messages: rows(7), next: null, hasMore: true }],
	])('has more than it shows, as %s: only who can do without takes that', async (_, shown) => {
		await expect(read(() => response(200, shown))).rejects.toThrow(
			'The history goes on, and the service does not say how to read on',
		);
		const onCut = jest.fn();
		const { pages } = await read(() => response(200, shown), { onCut });
		expect(pages).toEqual([shown.messages.map(({ message_handle }) => message_handle)]);
		expect(onCut).toHaveBeenCalledTimes(1);
	});
});

describe('§4.5 rows that are older than what is wanted', () => {
	const AT_MS = Date.UTC(2026, 0, 1);
	const FIFTY = Array<number>(50).fill(61);
	const row = (at: number, secondsAgo: number | null) => ({
		message_handle: `m${at}`,
		status: 'RECEIVED',
		date_sent: secondsAgo === null ? null : new Date(AT_MS - secondsAgo * 1_000).toISOString(),
	});

	test.each<[number, string, Array<Array<number | null>>, Reading?]>([
		[2, 'a whole page is older', [[0], [61, 90], [0]]],
		[1, 'a hundred are older', [[0, ...FIFTY, ...FIFTY], [0]]],
		[2, 'a newer one stands among them', [[61, 0, 90], [0]]],
		[2, 'a newer one stands among a hundred', [[0, ...FIFTY, 0, ...FIFTY], [0]]],
		[1, 'rows without a date stand among a hundred', [[0, ...FIFTY, null, ...FIFTY], [0]]],
		[2, 'they are a minute older, as rows may lag', [[60], [0]]],
		[2, 'they have no date', [[null, null], [0]]],
		[2, 'rows without a date stand among them, which may be newer', [[null, 61], [0]]],
		[
			1,
			'they have no date, and somebody knows of such rows',
			[[null], [0]],
			{ isPast: () => true },
		],
	])('end the reading behind page %i where %s', async (count, _, ages, more = {}) => {
		let rows = 0;
		const bodies = ages.map((page) => ({ messages: page.map((age) => row((rows += 1), age)) }));
		expect(await pagesOf(bodies, { since: () => AT_MS, ...more })).toHaveLength(count);
	});

	test('are told by what the page itself has taught', async () => {
		let sinceMs = AT_MS - 3_600_000;
		const bodies = [61, 0].map((age, at) => ({ messages: [row(at, age)] }));
		expect(await pagesOf(bodies, { since: () => (sinceMs += 3_600_000) })).toHaveLength(1);
	});
});

describe('a service that refuses our page size', () => {
	test('is asked without one, and from then on only so', async () => {
		const { pages, queries } = await read(({ qs }) => {
			if (qs?.limit !== undefined) return response(400, { message: 'Unknown field: limit' });
			const isLast = qs?.before === 'm2';
			return response(200, isLast ? body('m1', { next: null }) : body('m2', { next: 'm2' }));
		});
		expect(pages).toEqual([['m2'], ['m1']]);
		expect(queries).toEqual([{ limit: 500 }, {}, { before: 'm2' }]);
	});

	test.each([
		[401, 1],
		[403, 1],
		[500, 3],
	])('is told from one that answers %d to everybody', async (status, requests) => {
		const { connection, asked } = await connectionTo(() => response(status, {}));
		await expect(readRows(connection, {}).next()).rejects.toThrow();
		expect(asked.map(({ qs }) => qs)).toEqual(Array(requests).fill({ limit: 500 }));
	});

	test('is told the size again, where it has refused the request whatever the size is', async () => {
		const { connection, asked } = await connectionTo(() => response(422, {}));
		const reading = async () => await readRows(connection, {}).next();
		await expect(reading()).rejects.toThrow('The service refused the request (status 422)');
		await expect(reading()).rejects.toThrow('The service refused the request (status 422)');
		expect(asked.map(({ qs }) => qs)).toEqual([{ limit: 500 }, {}, { limit: 500 }, {}]);
	});
});
