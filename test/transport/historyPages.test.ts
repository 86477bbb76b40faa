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

describe('§4.5 the next page', () => {
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

	test('is told from one that refuses the request whatever the size is', async () => {
		const reading = read(() => response(422, { message: 'Unknown cursor' }), { before: 'x' });

		await expect(reading).rejects.toThrow('The service refused the request (status 422)');
	});
});
