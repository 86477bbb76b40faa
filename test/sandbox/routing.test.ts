import { CHARACTER_NAMES } from '../../sandbox/src';
import { CONTACT, newService, serviceOf } from './service';
import { DAY_MS } from '../support/times';

type Service = ReturnType<typeof newService>;

/** Sends a text; returns its row of the history after the device has confirmed it. */
const sendNow = async ({ send, sandbox, rows }: Service, fields = {}) => {
	await send(fields);
	await sandbox.advance(10_000);
	return (await rows())[0]!;
};

const ACTS = {
	'has iMessage': async ({ change }: Service) => await change({ imessage: true }),
	'has none': async ({ change }: Service) => await change({ imessage: false }),
	'is texted': async (service: Service) => await sendNow(service),
	'texts by iMessage': async ({ text }: Service) => await text('Hi'),
	'texts by SMS': async ({ text }: Service) => await text('Hi', { service: 'SMS' }),
	'texts by RCS': async ({ text }: Service) => await text('Hi', { service: 'RCS' }),
};

test.each<[string, string, Array<keyof typeof ACTS>]>([
	['iMessage', '§1.2 is used where the contact has it', []],
	['SMS', '§1.2 is used where the contact has no iMessage', ['has none']],
	['SMS', '§1.2 stays after a fallback', ['has none', 'is texted', 'has iMessage']],
	['SMS', '§1.2 follows where the contact loses iMessage', ['is texted', 'has none']],
	['SMS', '§2.6 answers SMS', ['texts by SMS']],
	['iMessage', '§2.6 answers iMessage', ['texts by SMS', 'texts by iMessage']],
	['RCS', '§1.3 is shown by the history, not by GET /status', ['texts by RCS']],
])('the channel %s %s: %j', async (channel, _why, acts) => {
	const said = channel === 'RCS' ? 'SMS' : channel;
	// A channel in the request changes nothing.
	const request = { service: 'SMS', channel: 'sms' };
	for (const character of CHARACTER_NAMES) {
		const service = serviceOf(character)();
		for (const act of acts) await ACTS[act](service);
		const { message_handle: handle, service: used } = await sendNow(service, request);
		expect(used).toBe(channel);
		expect((await service.status(handle))['service']).toBe(said);
		// A look-up says how sends reach the contact (§4.6).
		const path = `/lookup?number=${encodeURIComponent(CONTACT)}`;
		await service.call('GET', path);
		await service.sandbox.advance(10_000);
		const predicted = JSON.stringify((await service.call('GET', path)).body).toLowerCase();
		const capable = `"imessage_capable":${said === 'iMessage' ? 1 : 0}`;
		const word = character === 'foreign' ? capable : `"${said.toLowerCase()}"`;
		expect(predicted).toContain(word);
	}
});

test('§1.4 both directions with one contact on one line are one conversation, and no others', async () => {
	const { send, text, rows } = newService();
	await send();
	await text('one', { to: '+15550100001' });
	await text('two', { to: '+15550100002' });
	await text('three', { from: '+15551230002', to: '+15550100001' });
	const [three, two, one, sent] = (await rows()).map((row) => row.conversation_handle);
	expect(one).toBe(sent);
	expect(new Set([one, two, three]).size).toBe(3);
});

describe('Opting out', () => {
	test.each([
		[422, ['STOP', 'stop', ' Stop. ', 'UNSUBSCRIBE', 'cancel', 'END', 'quit', 'StopAll!']],
		[201, ['Please stop by tomorrow', 'stopp', 'Dead end', 'STOP IT', 'START']],
	])('§1.5 makes the next send be answered %i after each of %j', async (status, texts) => {
		for (const said of texts) {
			const { send, text } = newService();
			await text(said);
			expect([said, (await send()).status]).toEqual([said, status]);
		}
	});

	test('§1.5 lasts until START or until a person changes it, and applies to every line', async () => {
		const { sandbox, send, text, change } = newService();
		await text('STOP', { to: '+15550100002' });
		await sandbox.advance(30 * DAY_MS);
		await text('Hello?');
		expect((await send()).status).toBe(422);
		await text('start');
		expect((await send()).status).toBe(201);
		await change({ opted_out: true });
		expect((await send()).status).toBe(422);
		await change({ opted_out: false });
		expect((await send()).status).toBe(201);
	});

	test('§1.5 §6.1 has a row and an event, and assumption (§3.1): what is queued ends in ERROR', async () => {
		const { sandbox, register, send, text, rows, posted } = newService();
		await register(['receive']);
		await send();
		await text('STOP');
		await sandbox.advance(10_000);
		expect(await rows()).toMatchObject([
			{ content: 'STOP', status: 'RECEIVED' },
			{ status: 'ERROR', error_message: 'Contact has opted out of messages' },
		]);
		expect(posted).toHaveLength(1);
	});
});
