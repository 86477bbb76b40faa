import fc from 'fast-check';
import { readRows, type Reading } from '../../nodes/TwoWayMessaging/service/history';
import { connectionTo, response, type Respond } from './context';

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

/** Answers with these bodies, one after the other, and then with an empty page. */
const inTurn = (...bodies: unknown[]): Respond => {
	const left = [...bodies];
	return () => response(200, left.shift() ?? { messages: [] });
};

describe('§4.5 an empty page', () => {
	const empty = (before: string) => ({ messages: [], before });

	test('does not end the history while its cursor leads to another one', async () => {
		const { pages } = await read(inTurn(empty('c1'), empty('c2'), { messages: page('m1') }));
		expect(pages).toEqual([['m1']]);
	});

	test.each([
		['without a cursor', { messages: [] }],
		['with a cursor that was used', empty('c1')],
		['with the cursor null', { messages: [], before: null }],
	])('ends it %s', async (_, body) => {
		const { pages, queries } = await read(inTurn(empty('c1'), body, { messages: page('m1') }));

		expect(pages).toEqual([]);
		expect(queries).toHaveLength(2);
	});

	test('ends it as the eleventh of its kind, whatever its cursor', async () => {
		const many = Array.from({ length: 11 }, (_, at) => empty(`c${at}`));

		expect((await read(inTurn(...many, { messages: page('m1') }))).pages).toEqual([]);
		const tenEach = [
			...many.slice(1),
			{ messages: page('m2'), before: 'd' },
			...many.slice(1).map((_, at) => empty(`d${at}`)),
			{ messages: page('m1') },
		];
		expect((await read(inTurn(...tenEach))).pages).toEqual([['m2'], ['m1']]);
	});
});

describe('§4.5 the rows of a page', () => {
	test.each([
		['in the body itself', page('m1')],
		['under messages', { messages: page('m1') }],
		['under data', { data: page('m1') }],
		['under results', { results: page('m1') }],
		['under items', { items: page('m1') }],
		['in an object under data', { data: { messages: page('m1') } }],
	])('are found %s', async (_, body) => {
		expect((await read(inTurn(body))).pages).toEqual([['m1']]);
	});

	test.each([
		['the body itself', [null, 'm0', ...page('m1'), []]],
		['a field of it', { messages: [null, 'm0', ...page('m1'), []] }],
	])('are the objects among what %s lists', async (_, body) => {
		expect((await read(inTurn(body))).pages).toEqual([['m1']]);
	});

	test.each([
		['no list', { status: 'ok' }],
		['something else in place of the list', { messages: 'none', data: null }],
	])('are not taken for none where the body holds %s', async (_, body) => {
		await expect(read(() => response(200, body))).rejects.toThrow(
			'The answer of the service could not be understood',
		);
	});

	test.each([
		['one that a line received', { from: '+15551230001', to: '15550100001' }, false],
		['one that a line sent', { from: '+1 (555) 010-0001', to: '+15551230001' }, true],
		['one between others', { from: '+15551230001', to: '+15551230002' }, undefined],
		['one that says it itself', { from: '+15550100001', to: '+1555', direction: 'in' }, false],
	])(
		'are known by the numbers of the lines, which are asked for then: %s',
		async (_, row, isSent) => {
			const lines = [{ line_handle: 'l1', number: '+15550100001' }];
			const { connection } = await connectionTo(({ url, qs }) => {
				if (url.endsWith('/lines')) return response(200, { lines });
				return response(200, qs?.before ? [] : [{ message_handle: 'm1', ...row }]);
			});
			for await (const [found] of readRows(connection, {})) {
				expect(found?.message.is_outbound).toBe(isSent);
			}
			expect.assertions(1);
		},
	);

	test('come once, where pages overlap', async () => {
		const { pages } = await read(
			inTurn({ messages: page('m4', 'm3') }, { messages: page('m3', 'm2') }),
		);
		expect(pages).toEqual([['m4', 'm3'], ['m2']]);
	});

	test('come once, where one page has a row twice, also by a number', async () => {
		const { pages } = await read(
			inTurn({ messages: [...page('m2', 'm1', 'm2'), { message_handle: 7 }, ...page('7')] }),
		);
		expect(pages).toEqual([['m2', 'm1', '7']]);
	});

	test('are older than the message that the first page was asked for, also where the service includes it', async () => {
		const { pages } = await read(inTurn({ messages: page('m3', 'm2') }), { before: 'm3' });
		expect(pages).toEqual([['m2']]);
	});

	test('come once, where new ones have moved them by more than a page', async () => {
		const { pages } = await read(
			inTurn(
				{ messages: page('m4', 'm3'), next: 'c1' },
				{ messages: page('m2'), next: 'c2' },
				{ messages: page('m4', 'm3'), next: 'c3' },
				{ messages: page('m2', 'm1'), next: null },
			),
		);
		expect(pages).toEqual([['m4', 'm3'], ['m2'], ['m1']]);
	});
});

describe('§4.5 a history of any kind', () => {
	type Row = { message_handle?: string | number; content: string };

	/** How a service fills what §4.5 leaves open. */
	const service = fc.record({
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

	test('comes whole: every row that was there comes once, in order, in few requests', async () => {
		await fc.assert(
			fc.asyncProperty(service, async (kind) => {
				const atStart: Row[] = kind.rows.map((handle, at) => {
					const content = `m${at}`;
					if (kind.cursor === 'handle' || handle === 'text') {
						return { message_handle: content, content };
					}
					return { message_handle: at, content };
				});
				const all = [...atStart];
				const turn = (amounts: number[], at: number) => amounts[at % amounts.length]!;
				let requests = 0;
				let empties = 0;
				let newRows = 0;
				const respond: Respond = ({ qs }) => {
					const before = typeof qs?.before === 'string' ? qs.before : undefined;
					requests += 1;
					const [place = '', waits = '0'] = (before ?? '').split('_');
					const at = all.findIndex(({ content }) => content === place);
					const start = kind.cursor === 'place' ? Number(place || 0) : at + 1;
					const from = start - (kind.isInclusive && start > 0 ? 1 : 0);
					const isWaiting = Number(waits) > 0;
					const to = start + turn(kind.sizes, requests) - (from < start ? 1 : 0);
					const messages = isWaiting ? [] : all.slice(from, to);
					const isEnd = !isWaiting && to >= all.length;
					empties += isWaiting ? 1 : 0;
					if (kind.cursor === 'handle') return answer({ messages });
					const left = isWaiting ? Number(waits) - 1 : turn(kind.empties, requests);
					const last = all[Math.min(to, all.length) - 1]?.content ?? '';
					const next = isWaiting ? place : kind.cursor === 'place' ? String(to) : last;
					const ends = {
						null: null,
						empty: '',
						blank: ' ',
						// Who has named no cursor yet is taken for one that goes by the last row.
						absent: before === undefined ? null : undefined,
						echo: before ?? null,
					};
					const said = isEnd ? ends[kind.end] : `${next}_${left}`;
					return answer({
						messages,
						...(kind.isEchoing ? { pagination: { before: before ?? null } } : {}),
						...(said === undefined ? {} : { [kind.name]: said }),
					});
				};
				const answer = ({ messages, ...said }: { messages: Row[] }) => {
					const arrivals = messages.length > 0 ? turn(kind.arrivals, requests) : 0;
					for (let left = arrivals; left > 0; left -= 1) {
						const content = `new${(newRows += 1)}`;
						all.unshift({ content, message_handle: content });
					}
					return response(200, { messages: structuredClone(messages), ...said });
				};

				const { connection } = await connectionTo((options) => {
					if (requests > MOST_REQUESTS) throw new Error('The reading does not end');
					return respond(options);
				});
				const found: unknown[] = [];
				for await (const rows of readRows(connection, {})) {
					expect(rows).not.toHaveLength(0);
					found.push(...rows.map(({ message: { content } }) => content));
				}

				const wanted = new Set<unknown>(atStart.map(({ content }) => content));
				expect(found.filter((content) => wanted.has(content))).toEqual([...wanted]);
				expect(requests - empties).toBeLessThanOrEqual(atStart.length + newRows + 2);
			}),
			{ numRuns: 500 },
		);
	});

	test('ends, whatever the service says of its cursors', async () => {
		const said = fc.oneof(
			fc.constantFrom(null, '', ' ', 0, false, 'c1', 'c2', 'm1', 'fresh', 'echo', undefined),
			fc.integer({ min: 0, max: 9 }),
		);
		const row = fc.constantFrom({ message_handle: 'm1' }, { message_handle: 2 }, { content: 'a' });
		const bodies = fc.array(
			fc.record({
				messages: fc
					.array(row, { maxLength: 4 })
					.map((rows) => [...rows, { message_handle: 'm1' }]),
				before: said,
				next: said,
			}),
			{ minLength: 1, maxLength: 5 },
		);
		await fc.assert(
			fc.asyncProperty(bodies, async (turns) => {
				let requests = 0;
				const { queries } = await read(({ qs }) => {
					const { messages, ...cursors } = turns[requests % turns.length]!;
					requests += 1;
					const named = Object.entries(cursors).filter(([, value]) => value !== undefined);
					const spoken = named.map(([name, value]) => {
						if (value === 'fresh') return [name, `f${requests}`];
						return [name, value === 'echo' ? (qs?.before ?? null) : value];
					});
					return response(200, { messages, ...Object.fromEntries(spoken) });
				});

				expect(queries.length).toBeLessThanOrEqual(40);
				// The first page is asked for once.
				expect(queries.filter((query) => query?.before === undefined)).toHaveLength(1);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('§4.5 a request for a page', () => {
	test('names the conversation, the cursor and the size that are wanted', async () => {
		const { asked, queries } = await read(inTurn(), {
			conversationHandle: 'conv1',
			before: 'm9',
			pageSize: 20,
		});
		expect(queries).toStrictEqual([{ conversation_handle: 'conv1', before: 'm9', limit: 20 }]);
		expect(asked[0]).toMatchObject({
			method: 'GET',
			url: 'https://service.example/v2/messages',
		});
	});

	test('names nothing else, and asks for 500 rows', async () => {
		expect((await read(inTurn())).queries).toStrictEqual([{ limit: 500 }]);
	});
});

describe('§4.5 reading ends', () => {
	test('with the eleventh page in a row that brings nothing new, although its cursor moves', async () => {
		let cursors = 0;
		const { pages, queries } = await read(() =>
			response(200, { messages: page('m1'), next: `c${(cursors += 1)}` }),
		);
		expect(pages).toEqual([['m1']]);
		expect(queries).toHaveLength(12);
	});

	test('not with a page that repeats the one before, where its cursor moves on', async () => {
		const { pages } = await read(
			inTurn(
				{ messages: page('m3', 'm2'), next: 'c1' },
				{ messages: page('m3', 'm2'), next: 'c2' },
				{ messages: page('m1'), next: null },
			),
		);
		expect(pages).toEqual([['m3', 'm2'], ['m1']]);
	});

	test('with a cursor that was used before, although its page brings rows', async () => {
		let rows = 0;
		const { queries } = await read(
			({ qs }) =>
				response(200, {
					messages: page(`m${(rows += 1)}`),
					next: qs?.before === 'c1' ? 'c2' : 'c1',
				}),
			{ before: 'c1' },
		);
		expect(queries.map((query) => query?.before)).toEqual(['c1', 'c2']);
	});

	test('with the last of the pages that are wanted', async () => {
		let rows = 0;
		const { pages } = await read(() => response(200, { messages: page(`m${(rows += 1)}`) }), {
			mostPages: 2,
		});
		expect(pages).toEqual([['m1'], ['m2']]);
	});
});

describe('§4.5 the next page', () => {
	test.each([
		['a bare list', page('m2', 'm1')],
		['an object', { messages: page('m2', 'm1') }],
	])('begins at the last row, where %s names no cursor', async (_, body) => {
		const { queries } = await read(inTurn(body));
		expect(queries).toEqual([{ limit: 500 }, { before: 'm1', limit: 500 }]);
	});

	test.each([
		['no handle', {}],
		['an empty handle', { message_handle: '' }],
	])('begins at the last row that has a handle, where one below it has %s', async (_, row) => {
		const { queries } = await read(inTurn({ messages: [...page('m2', 'm1'), row] }));
		expect(queries).toEqual([{ limit: 500 }, { before: 'm1', limit: 500 }]);
	});

	test('begins at a cursor that is a number', async () => {
		const { queries } = await read(inTurn({ messages: page('m1'), next: 7 }));
		expect(queries.at(-1)).toEqual({ before: '7', limit: 500 });
	});

	test.each([
		['null under another name before it', { before: null, next: 'c1' }],
		['an empty text under another name', { before: '', cursor: 'c1' }],
		['null in the body, and a cursor beside it', { next: null, pagination: { next_cursor: 'c1' } }],
		['something else under another name', { before: {}, meta: { cursor: 'c1' } }],
		['what was asked for under another name', { before: 'm3', next: 'c1' }],
	])('begins at the first cursor that can be used: %s', async (_, said) => {
		const { pages } = await read(
			({ qs }) =>
				qs?.before === 'c1'
					? response(200, { messages: page('m1') })
					: response(200, { messages: page('m2'), ...said }),
			{ before: 'm3' },
		);

		expect(pages.slice(0, 2)).toEqual([['m2'], ['m1']]);
	});

	test.each([
		['a URL', { next: 'https://service.example/v2/messages?limit=500&before=c1' }],
		['a path', { meta: { next_page_url: '/v2/messages?before=c1' } }],
		['a link', { _links: { previous: { href: '?before=x' }, next: { href: '?before=c1' } } }],
		['another name', { paging: { page: { endCursor: 'c1' } } }],
	])('begins at a cursor that is named in %s', async (_, said) => {
		const { queries } = await read(inTurn({ messages: page('m2'), ...said }));
		expect(queries.at(-1)).toEqual({ before: 'c1', limit: 500 });
	});

	test.each([
		['?cursor=c1', { cursor: 'c1' }],
		['?before=m3&page=2', { before: 'm3', page: '2' }],
	])('is asked for as a URL says: %s', async (next, query) => {
		const { queries } = await read(inTurn({ messages: page('m2'), links: { next } }), {
			before: 'm3',
		});
		expect(queries.at(-1)).toEqual({ ...query, limit: 500 });
	});

	test.each([
		{ next: null },
		{ before: null, cursor: '' },
		{ next: ' ' },
		{ meta: { next: false } },
	])('does not exist when every name says so: %j', async (said) => {
		const { queries } = await read(() => response(200, { messages: page('m1'), ...said }));

		expect(queries).toHaveLength(1);
	});
});

describe('a service that names no cursor', () => {
	const row = (at: number) => ({
		message_handle: `m${at}`,
		date_sent: `2026-01-01T10:00:${99 - at}Z`,
	});
	const rows = (from: number, to: number) =>
		Array.from({ length: to - from }, (_, at) => row(from + at));

	test('is asked by the date of the last row, where it does not go by its handle', async () => {
		const { pages } = await read(({ qs }) => {
			const all = rows(0, 15);
			const before = all.findIndex(({ date_sent: date }) => date === qs?.before);
			return response(200, { messages: all.slice(before + 1, before + 11) });
		});
		expect(pages.flat()).toHaveLength(15);
	});

	test.each([
		['refuses it', response(422, { message: 'The before is not a valid date.' })],
		['finds nothing for it', response(404, { message: 'Not Found' })],
		['answers it with an empty page', response(200, { messages: [] })],
	])('is asked by the date of the last row where it goes by dates, and %s', async (_, other) => {
		const all = rows(0, 25);
		const { pages } = await read(({ qs }) => {
			const at =
				qs?.before === undefined ? -1 : all.findIndex((one) => one.date_sent === qs.before);
			if (qs?.before !== undefined && at < 0) return other;
			return response(200, { messages: all.slice(at + 1, at + 11) });
		});
		expect(pages.flat()).toHaveLength(25);
	});

	test.each([
		['refuses every other one', response(422, { message: 'No' })],
		[
			'answers every other one with the same page',
			response(200, { messages: rows(0, 10), before: null }),
		],
	])('has an end where it says null for the cursor, and %s', async (_, other) => {
		const { pages } = await read(({ qs }) =>
			qs?.before === undefined ? response(200, { messages: rows(0, 10), before: null }) : other,
		);
		expect(pages.flat()).toHaveLength(10);
	});

	test.each([
		['takes no date', response(422, {})],
		['begins anew for a date', response(200, { messages: rows(0, 10) })],
	])(
		'has an end where an empty page says so, also where its last page was full and it %s',
		async (_, other) => {
			const { pages } = await read(({ qs }) => {
				if (qs?.before === undefined) return response(200, { messages: rows(0, 10) });
				return qs.before === 'm9' ? response(200, { messages: [] }) : other;
			});
			expect(pages.flat()).toHaveLength(10);
		},
	);

	test('has an end where it finds nothing behind its last row', async () => {
		const { pages } = await read(({ qs }) =>
			qs?.before === undefined
				? response(200, rows(0, 7))
				: response(404, { message: 'Not Found' }),
		);
		expect(pages.flat()).toHaveLength(7);
	});

	test.each([
		['what was asked for', (before: unknown) => ({ meta: { before, limit: 10 } })],
		['whether there is more', (_: unknown, isMore: boolean) => ({ has_next: isMore ? 1 : 0 })],
		['it in words', (_: unknown, isMore: boolean) => ({ page: { hasNextPage: String(isMore) } })],
		['when a cursor expires', () => ({ cursor_expires_at: '2026-02-01T10:00:00Z' })],
	])('is asked by the handle of the last row, also where it says %s', async (_, say) => {
		const all = rows(0, 25);
		const { pages } = await read(({ qs }) => {
			const at = all.findIndex((one) => one.message_handle === qs?.before);
			if (qs?.before !== undefined && at < 0) return response(422, { message: 'No' });
			const messages = all.slice(at + 1, at + 11);
			const isMore = at + 11 < all.length;
			return response(200, { messages, ...say(qs?.before ?? null, isMore) });
		});
		expect(pages.flat()).toHaveLength(25);
	});

	test('has an end where a page that is not full has come again', async () => {
		const { pages, queries } = await read(() => response(200, { messages: rows(0, 7) }));

		expect(pages.flat()).toHaveLength(7);
		expect(queries).toHaveLength(2);
	});

	describe.each([
		['its pages are full', { messages: rows(0, 10) }],
		['it says so', { messages: rows(0, 7), pagination: { has_more: 1 } }],
		['it says so with a cursor', { messages: rows(0, 7), next: null, hasMore: true }],
	])('has more than it shows, as %s', (_, body) => {
		test('which is never taken for the end', async () => {
			await expect(read(() => response(200, body))).rejects.toThrow(
				'The history goes on, and the service does not say how to read on',
			);
		});

		test('which is said to who can do without', async () => {
			const onCut = jest.fn();

			const { pages } = await read(() => response(200, body), { onCut });

			expect(pages).toEqual([body.messages.map(({ message_handle }) => message_handle)]);
			expect(onCut).toHaveBeenCalledTimes(1);
		});
	});
});

describe('§4.5 rows that are older than what is wanted', () => {
	const AT_MS = Date.UTC(2026, 0, 1);
	const row = (at: number, secondsAgo: number | null) => ({
		message_handle: `m${at}`,
		status: 'RECEIVED',
		date_sent: secondsAgo === null ? null : new Date(AT_MS - secondsAgo * 1_000).toISOString(),
	});
	/** How many pages are read of these, each a list of ages in seconds. */
	const pagesRead = async (pages: Array<Array<number | null>>, more: Reading = {}) => {
		let rows = 0;
		const bodies = pages.map((ages) => ({ messages: ages.map((age) => row((rows += 1), age)) }));
		return (await read(inTurn(...bodies), { since: () => AT_MS, ...more })).pages.length;
	};

	test.each<[string, Array<Array<number | null>>, number]>([
		['a whole page of them', [[0], [61, 90], [0]], 2],
		['a hundred of them', [[0, ...Array<number>(100).fill(61)], [0]], 1],
	])('end the reading with %s', async (_, pages, read) => {
		expect(await pagesRead(pages)).toBe(read);
	});

	test.each<[string, Array<Array<number | null>>]>([
		['a newer one stands among them', [[61, 0, 90], [0]]],
		['they are a minute older, as rows may lag', [[60], [0]]],
		['they have no date', [[null, null], [0]]],
		['rows without a date stand among them, which may be newer', [[null, 61], [0]]],
	])('do not end it where %s', async (_, pages) => {
		expect(await pagesRead(pages)).toBe(2);
	});

	test('may have no date, where somebody knows of such rows', async () => {
		expect(await pagesRead([[null], [0]], { isPast: () => true })).toBe(1);
	});

	test('are told by what the page itself has taught', async () => {
		let sinceMs = AT_MS - 3_600_000;
		const since = () => (sinceMs += 3_600_000);
		expect(await pagesRead([[61], [0]], { since })).toBe(1);
	});
});

describe('a service that refuses our page size', () => {
	const refusing: Respond = ({ qs }) => {
		if (qs?.limit !== undefined) return response(422, { message: 'Unknown field: limit' });
		return response(200, {
			messages: page(qs?.before === 'm2' ? 'm1' : 'm2'),
			next: qs?.before ? null : 'm2',
		});
	};

	test('is asked without one, and from then on only so', async () => {
		const { pages, queries } = await read(refusing);

		expect(pages).toEqual([['m2'], ['m1']]);
		expect(queries).toEqual([{ limit: 500 }, {}, { before: 'm2' }]);
	});

	test('may refuse with status 400 as well', async () => {
		const { queries } = await read(({ qs }) =>
			qs?.limit === undefined ? response(200, []) : response(400, {}),
		);
		expect(queries).toEqual([{ limit: 500 }, {}]);
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

	test('is told the size again, where it has refused both', async () => {
		const { connection, asked } = await connectionTo(() => response(422, {}));
		await expect(readRows(connection, {}).next()).rejects.toThrow();
		await expect(readRows(connection, {}).next()).rejects.toThrow();
		expect(asked.map(({ qs }) => qs)).toEqual([{ limit: 500 }, {}, { limit: 500 }, {}]);
	});

	test('is told from one that refuses the request whatever the size is', async () => {
		const reading = read(() => response(422, { message: 'Unknown cursor' }), { before: 'x' });

		await expect(reading).rejects.toThrow('The service refused the request (status 422)');
	});
});
