import fc from 'fast-check';
import {
	eventName,
	LINE_KINDS,
	outcomeOf,
	readEvent,
	saysNothing,
	toLineFacts,
	type ServiceEvent,
} from '../../nodes/TwoWayMessaging/trigger/event';

const ANNA = '+15551230001';

/** The name of the event in a webhook's body. */
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
			from: '+15551230001',
			to: '+15550100001',
			text: 'hello',
			channel: 'imessage',
			status: 'received',
			line_handle: 'line_l1',
		},
	},
};

/** §6.3, with the fields shown there. */
const flat = {
	event: 'receive',
	message_handle: 'a1',
	from: '+15551230001',
	to: '+15550100001',
	content: 'hello',
	media_url: null,
	service: 'iMessage',
	is_outbound: false,
	status: 'RECEIVED',
	date_sent: '2026-01-01T00:00:00Z',
	conversation_handle: 'c1',
};

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
				from: '+15551230001',
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
		const message: Partial<typeof flat> = { ...flat };
		delete message.event;
		expect(readEvent(flat)).toEqual({ kind: 'receive', body: flat, message });
	});

	test('is the one that the event shows, and not one that it answers', () => {
		const body = {
			type: 'receive',
			data: { in_reply_to: { message_handle: 'a0' }, ...envelope.data },
		};
		expect(nameOf(body)).toBe('receive:a1');
	});

	test('has the same name in both forms', () => {
		expect(nameOf(envelope)).toBe('receive:a1');
		expect(nameOf(flat)).toBe('receive:a1');
	});

	test('has one name, whatever it says of an error', () => {
		expect(nameOf({ ...flat, status: 'ERROR', error_message: 'no route' })).toBe('receive:a1');
	});

	test('without a handle is named by the ID of its event, and without that by its content', () => {
		const nameless: Partial<typeof flat> = { ...flat };
		delete nameless.message_handle;
		expect(nameOf({ ...nameless, id: 'evt_7' })).toBe('evt_7');
		expect(nameOf({ ...nameless })).toBe(nameOf(nameless));
		expect(nameOf({ ...nameless, content: 'bye' })).not.toBe(nameOf(nameless));
	});
});

describe('what the event says of itself', () => {
	test.each([
		['is empty', ''],
		['is no text', 7],
		['is null', null],
	])('is left out where it %s', (_, value) => {
		const event = readEvent({ ...envelope, id: value, created_at: value });
		expect(event).toMatchObject({ kind: 'receive', message: { message_handle: 'a1' } });
		expect(Object.keys(event).sort()).toEqual(['body', 'kind', 'message']);
	});

	test('is read also where the message has no handle', () => {
		const message = { from: '+15551230001', text: 'hello' };
		const body = { id: 'evt_8', type: 'receive', data: { message } };
		expect(readEvent(body)).toMatchObject({
			eventId: 'evt_8',
			message: { from: '+15551230001', content: 'hello' },
		});
		expect(nameOf(body)).toBe('evt_8');
	});
});

describe('an outbound message (data not shown in §6.3)', () => {
	const message = { message_handle: 'msg_b2', status: 'sent', channel: 'sms' };
	const read = {
		kind: 'outbound',
		message: { message_handle: 'b2', status: 'SENT', service: 'SMS' },
	};

	test.each([
		['data.message', { type: 'outbound', data: { message } }],
		['data itself', { type: 'outbound', data: message }],
		['the flat form', { event: 'outbound', ...message }],
	])('is read from %s', (_, body) => {
		expect(readEvent(body)).toEqual({ ...read, body });
		expect(nameOf(body)).toBe('outbound:b2');
	});

	test.each([
		[{ status: 'sent' }, 'outbound:a1'],
		[{ status: 'DELIVERED' }, 'outbound:a1'],
		[{ status: 'error' }, 'outbound:a1:failed'],
		[{ status: 'sent', error_message: 'no route' }, 'outbound:a1:failed'],
		[{ to: '+15551230001' }, 'outbound:a1'],
	])('%j is named by how it ended: %s', (says, name) => {
		expect(
			nameOf({ type: 'outbound', data: { message: { message_handle: 'msg_a1', ...says } } }),
		).toBe(name);
	});

	test.each([
		['of the message', { data: { message: { id: 'a1', status: 'sent' } } }, 'outbound:a1'],
		[
			'of the message, with its prefix',
			{ data: { message: { id: 'msg_a1', status: 'sent' } } },
			'outbound:a1',
		],
		['in the data', { data: { id: 'a1', status: 'sent' } }, 'outbound:a1'],
		['of the flat form with its prefix', { id: 'msg_a1', status: 'sent' }, 'outbound:a1'],
		['of the flat form, which is the event’s', { id: 'a1', status: 'sent' }, 'a1'],
		['of the event in the data', { id: 'e', data: { id: 'evt_a1', status: 'sent' } }, 'e'],
		['that is a number', { id: 'e', data: { message: { id: 7, status: 'sent' } } }, 'outbound:7'],
	])('without a message_handle takes the id %s', (_, says, name) => {
		expect(nameOf({ type: 'outbound', ...says })).toBe(name);
	});

	test.each([
		[{ status: 'SENT' }, 'sent'],
		[{ status: 'DELIVERED' }, 'sent'],
		[{ status: 'ERROR' }, 'failed'],
		[{ status: 'SENT', error_message: 'no route' }, 'failed'],
		[{ status: 'QUEUED' }, undefined],
	])('%j has ended as %s', (message, outcome) => {
		expect(outcomeOf(message)).toBe(outcome);
	});

	test('has another name than the received message with the same handle', () => {
		expect(nameOf({ event: 'receive', ...message })).toBe('receive:b2');
	});
});

describe('a line event (data not shown in §6.3)', () => {
	test.each([
		['data.line', { type: 'line_blocked', data: { line } }],
		['data itself', { type: 'line_blocked', data: line }],
		['the flat form', { event: 'line_blocked', ...line }],
	])('is read from %s, with the handle of the REST side', (_, body) => {
		expect(readEvent(body)).toEqual({
			kind: 'line_blocked',
			body,
			line: { ...line, line_handle: 'l1' },
		});
		expect(nameOf(body)).toBe(`line_blocked:l1:${Date.UTC(2026, 0, 1)}`);
	});

	test('is named by the line and the moment of the block, however the moment is written', () => {
		const later = { ...line, blocked_at: '2026-01-01T01:00:00+01:00' };
		const other = { ...line, blocked_at: '2026-01-02T00:00:00Z' };
		const blocked = (of: object) => ({ type: 'line_blocked', data: { line: of } });
		expect(nameOf(blocked(later))).toBe(`line_blocked:l1:${Date.UTC(2026, 0, 1)}`);
		expect(nameOf(blocked(other))).toBe(`line_blocked:l1:${Date.UTC(2026, 0, 2)}`);
	});

	test('with only a number is named by the number', () => {
		const numbered: Partial<typeof line> = { ...line };
		delete numbered.line_handle;
		expect(nameOf({ type: 'line_blocked', data: { line: numbered } })).toBe(
			`line_blocked:+15550100001:${Date.UTC(2026, 0, 1)}`,
		);
	});

	test.each([
		['no moment', { line_handle: 'line_l1', number: '+15550100001' }],
		['neither a handle nor a number', { blocked_at: '2026-01-01T00:00:00Z' }],
	])('with %s is named by the ID of its event', (_, said) => {
		const facts = toLineFacts(said);
		const event: ServiceEvent = { kind: 'line_blocked', line: facts, body: said, eventId: 'evt_5' };
		expect(eventName(event)).toBe('evt_5');
	});

	test('says of the line what the service said, and nothing else', () => {
		expect(toLineFacts({ line_handle: 'line_l1', colour: 'red' })).toStrictEqual({
			line_handle: 'l1',
		});
		expect(toLineFacts({ line_handle: 7, label: null })).toStrictEqual({
			line_handle: '7',
			label: null,
		});
		expect(toLineFacts({ is_active: 0 })).toStrictEqual({ is_active: false });
	});

	test('is one of two kinds', () => {
		expect(LINE_KINDS).toEqual(['line_blocked', 'line_unblocked']);
	});

	test('of the end of a block is named by the moment of the block where that is known, and else by its own', () => {
		const created_at = '2026-01-01T09:00:00Z';
		const unblocked = { ...line, blocked_at: null };
		const body = { type: 'line_unblocked', created_at, data: { line: unblocked } };
		const event = readEvent(body) as ServiceEvent;
		expect(eventName(event)).toBe(`line_unblocked:l1:${Date.parse(created_at)}`);
		expect(eventName({ ...event, endedBlock: line.blocked_at })).toBe(
			`line_unblocked:l1:${Date.UTC(2026, 0, 1)}`,
		);
	});
});

describe('an event in other words', () => {
	test.each<[string, object, object]>([
		[
			'outbound',
			{ data: { sms: { message_id: 7, status: 'sent' } } },
			{ message_handle: '7', status: 'SENT' },
		],
		['outbound', { payload: { message: { message_handle: 'msg_1' } } }, { message_handle: '1' }],
		[
			'receive',
			{ data: { attributes: { text: 'hi', from: ANNA } } },
			{ content: 'hi', from: ANNA },
		],
		['outbound', { data: { note: 'sent' } }, {}],
		['outbound', {}, {}],
	])('tells the %s in %j', (type, said, message) => {
		const event = readEvent({ type, id: 'evt_1', ...said });
		expect(event).toMatchObject({ kind: type, message });
		expect(saysNothing(event as ServiceEvent)).toBe(Object.keys(message).length === 0);
	});

	test.each<[object, object]>([
		[{ data: { number: { line_handle: 7 } } }, { line_handle: '7' }],
		[{ data: { phone: { number: ANNA } } }, { number: ANNA }],
		[{ data: { colour: 'red' } }, {}],
	])('tells the line in %j', (said, line) => {
		const event = readEvent({ type: 'line_blocked', id: 'evt_1', ...said });
		expect(event).toMatchObject({ kind: 'line_blocked', line });
		expect(saysNothing(event as ServiceEvent)).toBe(Object.keys(line).length === 0);
	});

	test('goes by its own ID where nothing of it is understood', () => {
		expect(nameOf({ type: 'outbound', id: 'evt_1', data: { note: 'sent' } })).toBe('evt_1');
	});
});

describe('a body without a known event', () => {
	test.each<[unknown, string]>([
		[{ type: 'typing', data: {} }, 'typing'],
		[{}, 'no kind of event'],
		[{ type: { toString: 1 } }, 'no kind of event'],
		[undefined, 'no JSON object'],
		[[envelope], 'no JSON object'],
		['receive', 'no JSON object'],
		[{ type: 'x'.repeat(100) }, 'x'.repeat(40)],
	])('%j is unknown, with a reason', (body, reason) => {
		expect(readEvent(body)).toEqual({ kind: 'unknown', reason });
	});

	test('never throws: every body is an event with a name, or unknown', () => {
		const kinds = fc.constantFrom('receive', 'outbound', 'line_blocked', 'line_unblocked', 'other');
		const bodies = fc.record({
			type: kinds,
			id: fc.jsonValue(),
			created_at: fc.jsonValue(),
			data: fc.oneof(
				fc.jsonValue(),
				fc.record({ message: fc.jsonValue() }),
				fc.record({
					message: fc.dictionary(fc.constantFrom('message_handle', 'from'), fc.jsonValue()),
				}),
				fc.record({ line: fc.dictionary(fc.constantFrom('number', 'blocked_at'), fc.jsonValue()) }),
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
