import fc from 'fast-check';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { CONTACT, newService as newLiteralService, serviceOf, type Row } from './service';
import { DAY_MS } from '../support/times';

/** The order in which a page shows its rows is another test's rule. */
const newestFirst = (rows: Row[]) =>
	[...rows].sort((one, other) => Number(other.content) - Number(one.content));

describe.each(CHARACTER_NAMES)('GET /v2/messages of a service that is %s', (character) => {
	const newService = serviceOf(character);

	/** Reads all rows page by page, as a caller who follows the cursor does; an empty page is the last one. */
	const follow = async ({ page }: ReturnType<typeof newService>, limit: number, query = '') => {
		const pages: Row[][] = [];
		let before: string | null = '';
		while (before !== null) {
			const cursor = before ? `&before=${before}` : '';
			const { rows, next } = await page(`?limit=${limit}${query}${cursor}`);
			if (rows.length > 0) pages.push(rows);
			before = next;
		}
		return pages;
	};

	test('§4.5 the pages contain every row once, whatever their size', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 15 }), async (count, limit) => {
				const service = newService();
				for (let n = 0; n < count; n++) await service.text(String(n));
				const pages = await follow(service, limit);
				expect(pages.flatMap(newestFirst).map((row) => Number(row.content))).toEqual(
					Array.from({ length: count }, (_, n) => count - 1 - n),
				);
				expect(pages.length).toBe(Math.ceil(count / limit));
			}),
			{ numRuns: 15 },
		);
	});

	test('§4.5 new messages do not shift the pages of somebody who is reading them', async () => {
		const service = newService();
		for (const content of ['1', '2', '3', '4']) await service.text(content);
		const { next } = await service.page('?limit=2');
		await service.text('5');
		const { rows } = await service.page(`?limit=2&before=${next}`);
		expect(newestFirst(rows).map((row) => row.content)).toEqual(['2', '1']);
	});

	test('§4.5 a conversation can be paged by its handle', async () => {
		const service = newService();
		for (let n = 0; n < 6; n++) {
			await service.text(`1${n}`);
			await service.text(`2${n}`, { from: '+15551230009' });
		}
		const [theirs] = await service.rows();
		const query = `&conversation_handle=${theirs?.conversation_handle}`;
		const rows = (await follow(service, 4, query)).flatMap(newestFirst);
		expect(rows.map(({ content }) => content)).toEqual(['25', '24', '23', '22', '21', '20']);
	});

	test('§4.5 an unknown conversation has no messages; an unknown cursor is 422', async () => {
		const service = newService();
		await service.text('Hi');
		expect((await service.page('?conversation_handle=unknown')).rows).toEqual([]);
		for (const cursor of ['unknown', 'page_', 'page_7', 'page_-1', 'page_0x0']) {
			expect((await service.call('GET', `/v2/messages?before=${cursor}`)).status).toBe(422);
		}
	});

	test('assumption (§4.5): a page has 50 rows unless `limit` says otherwise', async () => {
		const service = newService();
		for (let n = 0; n < 60; n++) await service.text('Hi');
		expect((await service.page()).rows).toHaveLength(50);
		expect((await service.page('?limit=60')).rows).toHaveLength(60);
		for (const limit of ['0', '-1', 'many', '1.5', '']) {
			expect((await service.call('GET', `/v2/messages?limit=${limit}`)).status).toBe(422);
		}
	});
});

test('§4.6 §8.3 a look-up has a result when its check ends, for seven days, and then checks again', async () => {
	const { sandbox, call, change } = newLiteralService({ lookupAfterMs: 1_500 });
	const lookUp = async () => await call('GET', `/lookup?number=${encodeURIComponent(CONTACT)}`);
	await lookUp();
	await sandbox.advance(1_499);
	expect((await lookUp()).status).toBe(202);
	await sandbox.advance(1);
	await change({ imessage: false });
	await sandbox.advance(7 * DAY_MS - 1);
	expect((await lookUp()).body['service']).toBe('iMessage');
	await sandbox.advance(1);
	await lookUp();
	await sandbox.advance(1_500);
	expect((await lookUp()).body['service']).toBe('SMS');
});
