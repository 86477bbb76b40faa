import { inspect } from 'node:util';
import { log } from '../support/log';
import { historyWorld, SECRET } from './historyWorld';
import { inbound } from './triggerHistory';
import { derivedSecret, engineWithTrigger, receiveEvent, triggerNode } from './triggerWorkflow';

/* No secret comes into an item, a message or the log, not even where the service repeats it. */

const KEY_PAIR = { apiKey: 'key-of-the-shop', apiSecret: 'secret_abc' };
const SECRETS = [KEY_PAIR.apiKey, KEY_PAIR.apiSecret, btoa(KEY_PAIR.apiSecret), SECRET];
const REPEATED = `for ${SECRETS.join(' and ')}`;

const world = historyWorld();

const credential = () => ({ ...world.service.credential, ...KEY_PAIR });

function expectNoSecretIn(seen: unknown, secrets = SECRETS): void {
	const everything = inspect(seen, { depth: Infinity }) + log.text();
	expect(everything).toContain('•••');
	for (const secret of secrets) expect(everything).not.toContain(secret);
}

/** The items that a signed event starts the workflow with have no secret. */
async function expectNoneOf(
	process: Awaited<ReturnType<typeof world.started>>,
	message: object,
	secret = SECRET,
	secrets = SECRETS,
) {
	await process.receive(receiveEvent('a', message), secret, world.nowMs);
	const items = await process.execute();
	expect(items).toHaveLength(1);
	expectNoSecretIn(items, secrets);
	return items;
}

test.each([{ simplify: true }, { simplify: false }])(
	'a signed event that repeats the secrets has none of them: %j',
	async (options) => {
		const process = await world.started({ options }, credential());
		await expectNoneOf(process, { text: REPEATED, error_message: [REPEATED] });
	},
);

test('an event after a restart has none either, nor has a message that a check finds then', async () => {
	await world.started({}, credential());
	const process = await world.restarted({}, credential());
	// The secrets are read to verify it.
	await expectNoneOf(process, { text: REPEATED });
	world.rows(inbound('b', world.nowMs + 1_000, { content: REPEATED }));
	expectNoSecretIn(await world.check(process));
});

test('a message that is completed from the history has none', async () => {
	const process = await world.started({ options: { completeMessages: true } }, credential());
	const media_url = `https://files.example/x.jpg?for=${REPEATED}`;
	world.rows(inbound('msg_a', world.nowMs, { media_url }));
	expect(await expectNoneOf(process, {})).toEqual([
		expect.objectContaining({ media_url: expect.stringContaining('x.jpg?for=') as string }),
	]);
});

test('an event has neither the key pair of now nor the one before, after a check', async () => {
	const changing = credential();
	const process = await world.started({}, changing);
	changing.apiSecret = 'secret_def';
	await world.check(process);
	const text = `secret_def and ${REPEATED}`;
	const secrets = [...SECRETS, 'secret_def'];
	await expectNoneOf(process, { text }, derivedSecret('secret_def'), secrets);
});

test('a refusal of the registration has none, nor the signing secret that was sent with it', async () => {
	world.service.answerRegistrations({ status: 422, body: { message: REPEATED } });
	const engine = engineWithTrigger(credential());
	const thrown = await engine
		.callWebhookMethod({ node: triggerNode(), method: 'create' })
		.catch((error: unknown) => error);
	expect(thrown).toBeInstanceOf(Error);
	expectNoSecretIn(thrown);
});
