import fc from 'fast-check';
import {
	eventName,
	outcomeOf,
	readEvent,
	saysNothing,
	toLineFacts,
	type ServiceEvent,
} from '../../nodes/TwoWayMessaging/trigger/event';

const ANNA = '+15551230001';

const nameOf = (body: unknown) => eventName(readEvent(body) as ServiceEvent);

/** §6.2, with the fields of the table there. */
const envelope = {
	id: 'evt_9',
	type: 'receive',
	created_at: '2026-01-01T00:00:00+00:00',
	data: {
		message: {
			message_handle: 'msg_a1',
			direction: 'inbound',
			from: ANNA,
			to: '+15550100001',
			text: 'hello',
			channel: 'imessage',
			status: 'received',
			line_handle: 'line_l1',
		},
	},
};

/** §6.3, with the fields shown there. */
const shown = {
	message_handle: 'a1',
	from: ANNA,
	to: '+15550100001',
	content: 'hello',
	media_url: null,
	service: 'iMessage',
	is_outbound: false,
	status: 'RECEIVED',
	date_sent: '2026-01-01T00:00:00Z',
	conversation_handle: 'c1',
};
const flat = { event: 'receive', ...shown };

const line = {
	line_handle: 'line_l1',
	number: '+15550100001',
	label: 'Front desk',
	is_active: true,
	blocked_at: '2026-01-01T00:00:00Z',
	block_reason: 'carrier',
	limits: { hourly: { limit: 5, remaining: 4 }, daily: { limit: 9, remaining: 8 } },
};

describe('a received message', () => {
	test('§6.2 is read from the envelope', () => {
		expect(readEvent(envelope)).toEqual({
			kind: 'receive',
			body: envelope,
			eventId: 'evt_9',
			createdAt: '2026-01-01T00:00:00+00:00',
			message: {
				message_handle: 'a1',
				from: ANNA,
				to: '+15550100001',
				content: 'hello',
				service: 'iMessage',
				status: 'RECEIVED',
				is_outbound: false,
				line_handle: 'l1',
			},
		});
	});

	test('§6.3 is read from the flat form, which names no event and no line', () => {
		expect(readEvent(flat)).toEqual({ kind: 'receive', body: flat, message: shown });
	});

	test('is the one that the event shows, and not one that it answers', () => {
		const data = { in_reply_to: { message_handle: 'a0' }, ...envelope.data };
		expect(nameOf({ type: 'receive', data })).toBe('receive:a1');
	});

	test('has one name in both forms, whatever it says of an error', () => {
		const withError = { ...flat, status: 'ERROR', error_message: 'no route' };
		expect([envelope, flat, withError].map(nameOf)).toEqual(Array(3).fill('receive:a1'));
	});

	test('without a handle is named by the ID of its event, and without that by its content', () => {
		const nameless = { ...flat, message_handle: undefined };
		expect(nameOf({ ...nameless, id: 'evt_7' })).toBe('evt_7');
		expect(nameOf({ ...nameless })).toBe(nameOf(nameless));
		expect(nameOf({ ...nameless, content: 'bye' })).not.toBe(nameOf(nameless));
	});
});

describe('what the event says of itself', () => {
	test.each(['', 7, null])('is left out where it is %j', (value) => {
		const event = readEvent({ ...envelope, id: value, created_at: value });
		expect(event).toMatchObject({ eventId: undefined, createdAt: undefined });
	});

	test('is read also where the message has no handle', () => {
		const body = { id: 'evt_8', type: 'receive', data: { message: { from: ANNA, text: 'hello' } } };
		const message = { from: ANNA, content: 'hello' };
		expect(readEvent(body)).toMatchObject({ eventId: 'evt_8', message });
	});
});

describe('an outbound message (data not shown in §6.3)', () => {
	const message = { message_handle: 'msg_b2', status: 'sent', channel: 'sms' };

	test.each([
		['data.message', { type: 'outbound', data: { message } }],
		['data itself', { type: 'outbound', data: message }],
		['the flat form', { event: 'outbound', ...message }],
	])('is read from %s', (_, body) => {
		const read = { message_handle: 'b2', status: 'SENT', service: 'SMS' };
		expect(readEvent(body)).toEqual({ kind: 'outbound', message: read, body });
		expect(nameOf(body)).toBe('outbound:b2');
	});

	test.each([
		[{ status: 'SENT' }, 'sent', 'outbound:a1'],
		[{ status: 'DELIVERED' }, 'sent', 'outbound:a1'],
		[{ status: 'ERROR' }, 'failed', 'outbound:a1:failed'],
		[{ status: 'SENT', error_message: 'no route' }, 'failed', 'outbound:a1:failed'],
		[{ to: ANNA }, undefined, 'outbound:a1'],
	])('%j has ended as %s, and is named by that: %s', (says, outcome, name) => {
		expect(outcomeOf(says)).toBe(outcome);
		expect(nameOf({ type: 'outbound', data: { message: { message_handle: 'a1', ...says } } })).toBe(
			name,
		);
	});

	test.each([
		['of the message', { data: { message: { id: 'a1', status: 'sent' } } }, 'outbound:a1'],
		['in the data', { data: { id: 'a1', status: 'sent' } }, 'outbound:a1'],
		['of the flat form with its prefix', { id: 'msg_a1', status: 'sent' }, 'outbound:a1'],
		['of the flat form, which is the event’s', { id: 'a1', status: 'sent' }, 'a1'],
		['of the event in the data', { id: 'e', data: { id: 'evt_a1', status: 'sent' } }, 'e'],
		['that is a number', { id: 'e', data: { message: { id: 7, status: 'sent' } } }, 'outbound:7'],
	])('without a message_handle takes the id %s', (_, says, name) => {
		expect(nameOf({ type: 'outbound', ...says })).toBe(name);
	});
});

describe('a line event (data not shown in §6.3)', () => {
	const blocked = (of: object) => ({ type: 'line_blocked', data: { line: of } });

	test.each([
		['data.line', blocked(line)],
		['data itself', { type: 'line_blocked', data: line }],
		['the flat form', { event: 'line_blocked', ...line }],
	])('is read from %s, with the handle of the REST side', (_, body) => {
		const facts = { ...line, line_handle: 'l1' };
		expect(readEvent(body)).toEqual({ kind: 'line_blocked', body, line: facts });
	});

	test.each([
		['the line and the moment of the block', {}, 'l1', 1],
		['the moment, however it is written', { blocked_at: '2026-01-01T01:00:00+01:00' }, 'l1', 1],
		['another moment', { blocked_at: '2026-01-02T00:00:00Z' }, 'l1', 2],
		['the number, where it has no handle', { line_handle: undefined }, '+15550100001', 1],
	])('is named by %s', (_, says, id, day) => {
		const name = `line_blocked:${id}:${Date.UTC(2026, 0, day)}`;
		expect(nameOf(blocked({ ...line, ...says }))).toBe(name);
	});

	test.each([
		['no moment', { line_handle: 'line_l1', number: '+15550100001' }],
		['neither a handle nor a number', { blocked_at: '2026-01-01T00:00:00Z' }],
	])('with %s is named by the ID of its event', (_, said) => {
		expect(nameOf({ ...blocked(said), id: 'evt_5' })).toBe('evt_5');
	});

	test('says of the line what the service said, and nothing else', () => {
		const facts = [
			{ line_handle: 'line_l1', colour: 'red' },
			{ line_handle: 7, label: null },
			{ is_active: 0 },
		].map(toLineFacts);
		expect(facts).toStrictEqual([
			{ line_handle: 'l1' },
			{ line_handle: '7', label: null },
			{ is_active: false },
		]);
	});

	test('of the end of a block is named by the moment of the block where that is known, and else by its own', () => {
		const created_at = '2026-01-01T09:00:00Z';
		const unblocked = { ...line, blocked_at: null };
		const body = { type: 'line_unblocked', created_at, data: { line: unblocked } };
		const event = readEvent(body) as ServiceEvent;
		expect(eventName(event)).toBe(`line_unblocked:l1:${Date.parse(created_at)}`);
		const ended = `line_unblocked:l1:${Date.parse(line.blocked_at)}`;
		expect(eventName({ ...event, endedBlock: line.blocked_at })).toBe(ended);
	});
});

describe('an event in other words', () => {
	test.each<[string, object, object]>([
		['outbound', { data: { sms: { message_id: 7, status: 'sent' } } }, { message_handle: '7' }],
		[
			'receive',
			{ data: { attributes: { text: 'hi', from: ANNA } } },
			{ content: 'hi', from: ANNA },
		],
		['line_blocked', { data: { number: { line_handle: 7 } } }, { line_handle: '7' }],
	])('tells the %s in %j', (type, said, told) => {
		const event = readEvent({ type, id: 'evt_1', ...said }) as ServiceEvent;
		expect('line' in event ? event.line : event.message).toMatchObject(told);
		expect([event.kind, saysNothing(event)]).toEqual([type, false]);
	});

	test.each([
		{ type: 'outbound', data: { note: 'sent' } },
		{ type: 'line_blocked', data: { colour: 'red' } },
	])('goes by its own ID where nothing of it is understood: %j', (body) => {
		expect(nameOf({ ...body, id: 'evt_1' })).toBe('evt_1');
		expect(saysNothing(readEvent(body) as ServiceEvent)).toBe(true);
	});
});

describe('a body without a known event', () => {
	test.each<[unknown, string]>([
		[{ type: 'typing', data: {} }, 'typing'],
		[{ type: { toString: 1 } }, 'no kind of event'],
		[undefined, 'no JSON object'],
		[[envelope], 'no JSON object'],
		[{ type: 'x'.repeat(100) }, 'x'.repeat(40)],
	])('%j is unknown, with a reason', (body, reason) => {
		expect(readEvent(body)).toEqual({ kind: 'unknown', reason });
	});

	test('never throws: every body is an event with a name, or unknown', () => {
		const anyOf = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
		const bodies = fc.record({
			type: fc.constantFrom('receive', 'outbound', 'line_blocked', 'line_unblocked', 'other'),
			id: fc.jsonValue(),
			created_at: fc.jsonValue(),
			data: fc.oneof(
				fc.jsonValue(),
				fc.record({ message: fc.oneof(fc.jsonValue(), anyOf('message_handle', 'from')) }),
				fc.record({ line: anyOf('number', 'blocked_at') }),
			),
		});
		fc.assert(
			fc.property(fc.oneof(bodies, fc.jsonValue()), (body) => {
				const event = readEvent(body);
				expect(event.kind === 'unknown' || eventName(event) !== '').toBe(true);
			}),
		);
	});
});
