import { DateTime } from 'luxon';
import { NodeOperationError } from 'n8n-workflow';
import { readSendingOptions } from '../../nodes/TwoWayMessaging/action/sending/sendFields';
import type { Item } from '../../nodes/TwoWayMessaging/service/request';

const read = (onlyOnceFor?: unknown) => {
	const context = {
		getNode: () => ({ name: 'Node', parameters: {} }),
		getNodeParameter: () => ({ onlyOnceFor }),
	};
	return readSendingOptions({ context, itemIndex: 3 } as unknown as Item).onlyOnceFor;
};

test.each([
	['  order 1 ', 'order 1'],
	[4711, '4711'],
	[0, '0'],
	[12.5, '12.5'],
	['Anna Null', 'Anna Null'],
	['order true', 'order true'],
	[DateTime.fromISO('2026-01-02T00:00Z', { zone: 'utc' }), '2026-01-02T00:00:00.000Z'],
	[undefined, undefined],
	[null, undefined],
	['', undefined],
	[' \n', undefined],
])('%j names what a message is for: %j', (value, name) => {
	expect(read(value)).toBe(name);
});

test.each([
	[{ id: 1 }, '{"id":1}'],
	[['a', 'b'], '["a","b"]'],
	[Number.NaN, 'NaN'],
	[-1 / 0, '-Infinity'],
	[true, 'true'],
	['false', 'false'],
	[' undefined ', 'undefined'],
	['null', 'null'],
	['Invalid Date', 'Invalid Date'],
	['order [object Object]', 'order [object Object]'],
	['reminder of Invalid DateTime', 'reminder of Invalid DateTime'],
])('%j is refused, as all messages would have the same name', (value, shown) => {
	expect(() => read(value)).toThrow(NodeOperationError);
	expect(() => read(value)).toThrow(
		expect.objectContaining({
			message: `Send Only Once Per is “${shown}”, which names nothing`,
			description: expect.stringContaining('{{ $json.order_id }}') as string,
			context: { itemIndex: 3 },
		}) as Error,
	);
});
