import {
	historyPages,
	type HistoryQuery,
} from '../../nodes/TwoWayMessaging/transport/historyPages';
import { connectionTo, response, type Respond } from './caller';

/** Reads the handles of a history, page by page, and how it was asked for. */
async function read(respond: Respond, query: HistoryQuery = {}) {
	const { connection, asked } = await connectionTo(respond);
	const pages: unknown[][] = [];
	for await (const rows of historyPages(connection, query)) {
		pages.push(rows.map(({ message_handle: handle }) => handle));
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

	test('ends it without a cursor, with a cursor that was used, and as the third of its kind', async () => {
		expect((await read(inTurn({ messages: [] }, page('m1')))).pages).toEqual([]);
		expect((await read(inTurn(empty('c1'), empty('c1'), page('m1')))).pages).toEqual([]);
		const three = Array.from({ length: 3 }, (_, at) => empty(`c${at}`));
		expect((await read(inTurn(...three, page('m1')))).pages).toEqual([]);
		expect((await read(inTurn(...three.slice(1), page('m1')))).pages).toEqual([['m1']]);
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

	test('come once, where pages overlap', async () => {
		const { pages } = await read(
			inTurn({ messages: page('m4', 'm3') }, { messages: page('m3', 'm2') }),
		);
		expect(pages).toEqual([['m4', 'm3'], ['m2']]);
	});

	test('come all, where they have no handle', async () => {
		const { pages } = await read(
			inTurn(
				{ messages: [{ content: 'two' }], next: 'c1' },
				{ messages: [{ content: 'one' }], next: null },
			),
		);
		expect(pages).toEqual([[undefined], [undefined]]);
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
	test('with an empty page', async () => {
		const { pages, queries } = await read(
			inTurn({ messages: page('m1'), next: 'c1' }, { messages: [], next: null }),
		);
		expect(pages).toEqual([['m1']]);
		expect(queries).toHaveLength(2);
	});

	test('with a page that brings nothing new, although its cursor moves', async () => {
		let cursors = 0;
		const { pages, queries } = await read(() =>
			response(200, { messages: page('m1'), next: `c${(cursors += 1)}` }),
		);
		expect(pages).toEqual([['m1']]);
		expect(queries).toHaveLength(2);
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

	test('where no page comes after the one that was asked for', async () => {
		const { queries } = await read(() => response(200, { messages: page('m1'), next: null }), {
			before: 'm2',
		});
		expect(queries).toHaveLength(1);
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

	test('does not exist where no cursor is named and no row has a handle', async () => {
		expect((await read(inTurn({ messages: [{}] }))).queries).toHaveLength(1);
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
	])('begins at the first cursor that can be used: %s', async (_, said) => {
		const { pages } = await read(({ qs }) =>
			qs?.before === 'c1'
				? response(200, { messages: page('m1') })
				: response(200, { messages: page('m2'), ...said }),
		);

		expect(pages.slice(0, 2)).toEqual([['m2'], ['m1']]);
	});

	test.each([{ next: null }, { before: null, cursor: '' }, { meta: { next: false } }])(
		'does not exist when every name says so: %j',
		async (said) => {
			const { queries } = await read(() => response(200, { messages: page('m1'), ...said }));

			expect(queries).toHaveLength(1);
		},
	);
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
		await expect(historyPages(connection, {}).next()).rejects.toThrow();
		expect(asked.map(({ qs }) => qs)).toEqual(Array(requests).fill({ limit: 500 }));
	});

	test('is told the size again, where it has refused both', async () => {
		const { connection, asked } = await connectionTo(() => response(422, {}));
		await expect(historyPages(connection, {}).next()).rejects.toThrow();
		await expect(historyPages(connection, {}).next()).rejects.toThrow();
		expect(asked.map(({ qs }) => qs)).toEqual([{ limit: 500 }, {}, { limit: 500 }, {}]);
	});

	test('is told from one that refuses the request whatever the size is', async () => {
		const reading = read(() => response(422, { message: 'Unknown cursor' }), { before: 'x' });

		await expect(reading).rejects.toThrow('The service refused the request (status 422)');
	});
});
