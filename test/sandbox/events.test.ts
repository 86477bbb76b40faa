import { CONTACT, FRONT_DESK, START_MS, eventIn, newService } from './service';

const ALL = ['receive', 'outbound', 'line_blocked', 'line_unblocked'];

describe('Events in the envelope form', () => {
	test('§6.1 each inbound message has one event', async () => {
		const { sandbox, register, text, posted } = newService();
		await register(ALL);
		for (const content of ['a', 'b', 'c']) await text(content);
		await sandbox.settled();
		const ids = posted.map((request) => eventIn(request).id);
		expect(new Set(ids).size).toBe(3);
		expect(posted.map((request) => eventIn(request).data.message['text'])).toEqual(['a', 'b', 'c']);
	});

	test('§3.1 §6.1 an outbound message has one event, with its channel, when the device confirms it', async () => {
		const { sandbox, register, send, posted } = newService({ sentAfterMs: 300 });
		await register(ALL);
		const sent = await send();
		await sandbox.advance(299);
		expect(posted).toEqual([]);
		await sandbox.advance(100_000);
		expect(posted).toHaveLength(1);
		expect(eventIn(posted[0])).toMatchObject({
			type: 'outbound',
			created_at: new Date(START_MS + 300).toISOString().replace('Z', '+00:00'),
			data: {
				message: {
					message_handle: `msg_${sent.body['message_handle'] as string}`,
					direction: 'outbound',
					from: '+15550100001',
					to: CONTACT,
					channel: 'imessage',
					status: 'sent',
				},
			},
		});
	});

	test('§3.2 §6.1 the events of a block and its end carry the line', async () => {
		const { sandbox, call, register, posted } = newService();
		await register(ALL);
		await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, { reason: 'Spam reports' });
		await call('POST', `/sandbox/lines/${FRONT_DESK}/unblock`);
		await sandbox.settled();
		const events = posted.map(eventIn);
		expect(events.map(({ type }) => type)).toEqual(['line_blocked', 'line_unblocked']);
		expect(events[0]?.data.line).toMatchObject({
			line_handle: `line_${FRONT_DESK}`,
			number: '+15550100001',
			label: 'Front desk',
			blocked_at: new Date(START_MS).toISOString(),
			block_reason: 'Spam reports',
		});
		expect(events[1]?.data.line).toMatchObject({ blocked_at: null, block_reason: null });
	});
});

describe('Events in the flat form', () => {
	test('assumption (§6.3): the other kinds follow the same pattern', async () => {
		const { sandbox, call, register, send, posted } = newService({ eventForm: 'flat' });
		await register(ALL);
		await send();
		await sandbox.advance(10_000);
		await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
		await sandbox.settled();
		expect(posted.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
			{ event: 'outbound', status: 'SENT', is_outbound: true },
			{ event: 'line_blocked', line_handle: FRONT_DESK, number: '+15550100001' },
		]);
	});
});
