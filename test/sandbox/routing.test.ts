import { CHARACTER_NAMES } from '../../sandbox/src';
import { CONTACT, serviceOf } from './service';

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	const newService = serviceOf(character);

	const contactPath = `/sandbox/contacts/${encodeURIComponent(CONTACT)}`;

	/** Sends a text; returns its row of the history after the device has confirmed it. */
	const sendNow = async ({ send, sandbox, rows }: ReturnType<typeof newService>) => {
		await send();
		await sandbox.advance(10_000);
		return (await rows())[0];
	};

	describe('Channel routing', () => {
		test('§1.2 a contact who has iMessage gets iMessage', async () => {
			expect((await sendNow(newService()))?.service).toBe('iMessage');
		});

		test('§1.2 a contact without iMessage gets SMS', async () => {
			const service = newService();
			await service.call('PATCH', contactPath, { imessage: false });
			expect((await sendNow(service))?.service).toBe('SMS');
		});

		test('§1.2 a contact who fell back to SMS stays there, even when iMessage is back', async () => {
			const service = newService();
			await service.call('PATCH', contactPath, { imessage: false });
			await sendNow(service);
			await service.call('PATCH', contactPath, { imessage: true });
			expect((await sendNow(service))?.service).toBe('SMS');
		});

		test('§1.2 a contact who loses iMessage falls back to SMS', async () => {
			const service = newService();
			await sendNow(service);
			await service.call('PATCH', contactPath, { imessage: false });
			expect((await sendNow(service))?.service).toBe('SMS');
		});

		test('§2.6 a contact is answered by the service that the contact used', async () => {
			const service = newService();
			await service.text('by SMS', { service: 'SMS' });
			expect((await sendNow(service))?.service).toBe('SMS');
			await service.text('by iMessage');
			expect((await sendNow(service))?.service).toBe('iMessage');
		});

		test('§1.3 only rows of the history say RCS: GET /status says SMS', async () => {
			const service = newService();
			await service.text('by RCS', { service: 'RCS' });
			const row = await sendNow(service);
			expect((await service.page()).rows[0]?.service).toBe('RCS');
			const status = await service.status(row?.message_handle ?? '');
			expect(status['service']).toBe('SMS');
		});

		test('§1.2 a channel in the request changes nothing', async () => {
			const service = newService();
			await service.send({ service: 'SMS', channel: 'sms' });
			await service.sandbox.advance(10_000);
			expect((await service.rows())[0]?.service).toBe('iMessage');
		});
	});

	describe('Threading', () => {
		test('§1.4 both directions with one contact on one line are one conversation', async () => {
			const { send, text, rows } = newService();
			await send();
			await text('Hi');
			const [inbound, outbound] = await rows();
			expect(inbound).toMatchObject({ status: 'RECEIVED', is_outbound: false, from: CONTACT });
			expect(inbound?.conversation_handle).toBe(outbound?.conversation_handle);
		});

		test('§1.4 another line or another contact is another conversation', async () => {
			const { text, rows } = newService();
			await text('one', { to: '+15550100001' });
			await text('two', { to: '+15550100002' });
			await text('three', { from: '+15551230002', to: '+15550100001' });
			expect(new Set((await rows()).map((row) => row.conversation_handle)).size).toBe(3);
		});
	});

	describe('Opting out', () => {
		test.each(['STOP', 'stop', ' Stop. ', 'UNSUBSCRIBE', 'cancel', 'END', 'quit', 'StopAll!'])(
			'§1.5 %p opts the contact out',
			async (word) => {
				const { send, text } = newService();
				await text(word);
				expect((await send()).status).toBe(422);
			},
		);

		test.each(['Please stop by tomorrow', 'stopp', 'Dead end', 'STOP IT', 'START'])(
			'§1.5 %p does not opt the contact out',
			async (content) => {
				const { send, text } = newService();
				await text(content);
				expect((await send()).status).toBe(201);
			},
		);

		test.each(['iMessage', 'SMS', 'RCS'])(
			'§4.6 a look-up of a contact who wrote by %s says how sends reach them',
			async (channel) => {
				const service = newService();
				await service.text('Hi', { service: channel });
				const path = `/lookup?number=${encodeURIComponent(CONTACT)}`;
				await service.call('GET', path);
				const row = await sendNow(service);
				const predicted = JSON.stringify((await service.call('GET', path)).body).toLowerCase();
				const used = String((await service.status(row!.message_handle))['service']).toLowerCase();
				const capable = `"imessage_capable":${channel === 'iMessage' ? 1 : 0}`;
				expect(predicted).toContain(character === 'foreign' ? capable : `"${used}"`);
				expect(used).toBe(channel === 'iMessage' ? 'imessage' : 'sms');
			},
		);

		test('§1.5 opting out lasts until START and applies to every line', async () => {
			const { sandbox, send, text } = newService();
			await text('STOP', { to: '+15550100002' });
			await sandbox.advance(30 * 24 * 3_600_000);
			await text('Hello?');
			expect((await send()).status).toBe(422);
			await text('start');
			expect((await send()).status).toBe(201);
		});

		test('§1.5 §6.1 a STOP has a row and an event like any other message', async () => {
			const { sandbox, register, text, rows, posted } = newService();
			await register(['receive']);
			await text('STOP');
			await sandbox.settled();
			expect(await rows()).toMatchObject([{ content: 'STOP', status: 'RECEIVED' }]);
			expect(posted).toHaveLength(1);
		});

		test('assumption (§3.1): a message that is queued when its contact opts out ends in ERROR and is not sent', async () => {
			const { sandbox, send, text, rows } = newService();
			await send();
			await text('STOP');
			await sandbox.advance(10_000);
			expect((await rows())[1]).toMatchObject({
				status: 'ERROR',
				error_message: 'Contact has opted out of messages',
			});
		});
	});
});
