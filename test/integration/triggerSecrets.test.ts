import { inspect } from 'node:util';
import { log } from '../support/log';
import { startStub } from '../support/stub';
import { HistoryWorld, MINUTE_MS, SECRET as SIGNING_SECRET } from './historyWorld';
import { inbound } from './triggerHistory';
import { derivedSecret, engineWithTrigger, receiveEvent, triggerNode } from './triggerWorkflow';

/* No secret comes into an item, a message or the log, not even where the service repeats it. */

const KEY_PAIR = { apiKey: 'key-of-the-shop', apiSecret: 'secret_abc' };
const SECRETS = [KEY_PAIR.apiKey, KEY_PAIR.apiSecret, btoa(KEY_PAIR.apiSecret), SIGNING_SECRET];
const REPEATED = `for ${SECRETS.join(' and ')}`;

let world: HistoryWorld;

beforeEach(async () => {
	world = await HistoryWorld.start();
});
afterEach(async () => await world.service.stop());

/** A process that has published the workflow. */
const started = async (options = {}) =>
	await world.started({ options }, { ...world.service.credential, ...KEY_PAIR });

function expectNoSecretIn(seen: unknown): void {
	const everything = inspect(seen, { depth: Infinity }) + log.text();
	expect(everything).toContain('•••');
	for (const secret of SECRETS) expect(everything).not.toContain(secret);
}

test.each([{ simplify: true }, { simplify: false }])(
	'a signed event that repeats the secrets has none of them: %j',
	async (options) => {
		const process = await started(options);
		const event = receiveEvent('a', { text: REPEATED, error_message: [REPEATED] });

		await process.receive(event, SIGNING_SECRET, world.nowMs);

		const items = await process.execute();
		expect(items).toHaveLength(1);
		expectNoSecretIn(items);
	},
);

test('an event after a restart has none either: the secrets are read to verify it', async () => {
	await started();
	const process = await world.restarted({}, { ...world.service.credential, ...KEY_PAIR });

	await process.receive(receiveEvent('a', { text: REPEATED }), SIGNING_SECRET, world.nowMs);

	expectNoSecretIn(await process.execute());
});

test('a message that a check finds has none', async () => {
	const process = await started();
	const row = inbound('a', world.nowMs + 1_000);
	world.service.rows.push({ ...row, content: REPEATED });
	world.nowMs += 5 * MINUTE_MS;

	await process.check();

	expectNoSecretIn(await process.execute());
});

test('a message that is completed from the history has none', async () => {
	const process = await started({ completeMessages: true });
	const media_url = `https://files.example/x.jpg?for=${REPEATED}`;
	world.service.rows.push(inbound('msg_a', world.nowMs, { media_url }));

	await process.receive(receiveEvent('a'), SIGNING_SECRET, world.nowMs);

	const items = await process.execute();
	expect(items).toEqual([
		expect.objectContaining({ media_url: expect.stringContaining('x.jpg?for=') as string }),
	]);
	expectNoSecretIn(items);
});

test('an event has neither the key pair of now nor the one before, after a check', async () => {
	const credential = { ...world.service.credential, ...KEY_PAIR };
	const process = await world.started({}, credential);
	credential.apiSecret = 'secret_def';
	const receive = async (handle: string, secret: string) => {
		const event = receiveEvent(handle, { text: `secret_def and ${REPEATED}` });
		await process.receive(event, secret, world.nowMs);
		const items = await process.execute();
		expect(items).toHaveLength(1);
		expectNoSecretIn(items);
		expect(inspect(items, { depth: Infinity })).not.toContain('secret_def');
	};

	world.nowMs += 5 * MINUTE_MS;
	await process.check();
	await receive('a', derivedSecret('secret_def'));
});

test('a refusal of the registration has none, nor the signing secret that was sent with it', async () => {
	const stub = await startStub(() => ({ status: 422, body: { message: REPEATED } }));
	const engine = engineWithTrigger({ baseUrl: stub.url, ...KEY_PAIR });

	const thrown = await engine
		.callWebhookMethod({ node: triggerNode(), method: 'create' })
		.catch((error: unknown) => error);
	await stub.stop();

	expect(thrown).toBeInstanceOf(Error);
	expectNoSecretIn(thrown);
});
