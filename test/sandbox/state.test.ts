import { newService } from './service';

/** The customers in the state that a query asks for. */
const customers = async (service: ReturnType<typeof newService>, query: object) => {
	const search = new URLSearchParams(Object.entries(query));
	const { body } = await service.call('GET', `/sandbox/state?${search.toString()}`);
	const conversations = body['conversations'] as Array<{ contact: { number: string } }>;
	return conversations.map(({ contact }) => contact.number.slice(-4));
};

/** Three customers, the oldest first: the first two wrote to the front desk, the last one to Support. */
const withThree = async () => {
	const service = newService();
	const first = await service.text('Two tulips, please', { from: '+15551230001' });
	await service.text('And a card', { from: '+15551230001' });
	await service.text('Order 1042', { from: '+15551230002' });
	await service.text('Hello', { from: '+15551230003', to: '+15550100002' });
	return { service, first };
};

describe('GET /sandbox/state', () => {
	test.each([
		['TULIPS', ['0001']],
		['order 1042', ['0002']],
		['+15551230003', ['0003']],
		['+1 (555) 123-0003', ['0003']],
		['5551230', ['0003', '0002', '0001']],
		['front desk', ['0002', '0001']],
		[' ', ['0003']],
		['roses', []],
	])('finds %j among all conversations, not among the latest only', async (find, found) => {
		const { service } = await withThree();
		const limit = String(Math.max(1, found.length));
		expect(await customers(service, { find, limit })).toEqual(found);
	});

	test('shows as many of those that it finds as are asked for', async () => {
		const { service } = await withThree();
		expect(await customers(service, { find: '555', limit: '2' })).toEqual(['0003', '0002']);
	});
});
