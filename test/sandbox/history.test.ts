import fc from 'fast-check';
import type { Row } from './service';
import { newService } from './service';

/** Reads all rows page by page, as a caller who follows the cursor does. */
const follow = async ({ call }: ReturnType<typeof newService>, limit: number, query = '') => {
	const pages: Row[][] = [];
	let before: string | null = '';
	while (before !== null) {
		const cursor = before ? `&before=${before}` : '';
		const { body } = await call('GET', `/v2/messages?limit=${limit}${query}${cursor}`);
		pages.push(body['messages'] as Row[]);
		before = body['before'] as string | null;
	}
	return pages;
};

describe('GET /v2/messages', () => {
	test('§4.5 contains both directions, newest first', async () => {
		const { send, text, rows } = newService();
		await send({ content: 'one' });
		await text('two');
		await send({ content: 'three' });
		expect((await rows()).map(({ content, is_outbound }) => [content, is_outbound])).toEqual([
			['three', true],
			['two', false],
			['one', true],
		]);
	});

	test('§4.5 the pages contain every row once, whatever their size', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 15 }), async (count, limit) => {
				const service = newService();
				for (let n = 0; n < count; n++) await service.text(String(n));
				const pages = await follow(service, limit);
				expect(pages.flat().map((row) => Number(row.content))).toEqual(
					Array.from({ length: count }, (_, n) => count - 1 - n),
				);
				expect(pages.length).toBe(Math.max(1, Math.ceil(count / limit)));
			}),
			{ numRuns: 40 },
		);
	});

	test('§4.5 new messages do not shift the pages of somebody who is reading them', async () => {
		const service = newService();
		for (const content of ['1', '2', '3', '4']) await service.text(content);
		const first = (await service.call('GET', '/v2/messages?limit=2')).body;
		await service.text('5');
		const second = await service.rows(`?limit=2&before=${first['before'] as string}`);
		expect(second.map((row) => row.content)).toEqual(['2', '1']);
	});

	test('§4.5 a conversation can be paged by its handle', async () => {
		const service = newService();
		for (let n = 0; n < 6; n++) {
			await service.text(`mine ${n}`);
			await service.text(`theirs ${n}`, { from: '+15551230009' });
		}
		const [row] = await service.rows();
		const query = `&conversation_handle=${row?.conversation_handle}`;
		expect((await follow(service, 4, query)).flat().map(({ content }) => content)).toEqual(
			[5, 4, 3, 2, 1, 0].map((n) => `theirs ${n}`),
		);
	});

	test('§4.5 an unknown conversation has no messages; an unknown cursor is 422', async () => {
		const service = newService();
		await service.text('Hi');
		expect(await service.rows('?conversation_handle=unknown')).toEqual([]);
		expect((await service.call('GET', '/v2/messages?before=unknown')).status).toBe(422);
	});

	test('assumption (§4.5): a page has 50 rows, and up to 500 with `limit`', async () => {
		const service = newService();
		for (let n = 0; n < 510; n++) await service.text('Hi');
		expect(await service.rows()).toHaveLength(50);
		expect(await service.rows('?limit=500')).toHaveLength(500);
		expect(await service.rows('?limit=9999')).toHaveLength(500);
		for (const limit of ['0', '-1', 'many', '1.5', '']) {
			expect((await service.call('GET', `/v2/messages?limit=${limit}`)).status).toBe(422);
		}
	});
});

describe('GET /lookup', () => {
	const NUMBER = '+15551230001';
	const path = `/lookup?number=${encodeURIComponent(NUMBER)}`;

	test('§4.6 answers 202 while the live check runs, then the service', async () => {
		const { sandbox, call } = newService({ lookupAfterMs: 1_500 });
		expect((await call('GET', path)).status).toBe(202);
		await sandbox.advance(1_499);
		expect((await call('GET', path)).status).toBe(202);
		await sandbox.advance(1);
		const answer = await call('GET', path);
		expect([answer.status, answer.body]).toEqual([200, { number: NUMBER, service: 'iMessage' }]);
	});

	test('§8.3 keeps the result for seven days and then checks again', async () => {
		const { sandbox, call } = newService({ lookupAfterMs: 0 });
		await call('GET', path);
		await call('PATCH', `/sandbox/contacts/${encodeURIComponent(NUMBER)}`, { imessage: false });
		await sandbox.advance(7 * 24 * 3_600_000 - 1);
		expect((await call('GET', path)).body['service']).toBe('iMessage');
		await sandbox.advance(1);
		expect((await call('GET', path)).body['service']).toBe('SMS');
	});

	test('§4.6 answers 422 to an invalid number', async () => {
		const { call } = newService();
		expect((await call('GET', '/lookup?number=555')).status).toBe(422);
		expect((await call('GET', '/lookup')).status).toBe(422);
	});
});
