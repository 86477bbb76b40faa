import axios from 'axios';
import { Customer } from '../support/playground/customer';
import { TemporaryPlayground } from '../support/playground/temporaryPlayground';
import { waitUntil } from '../support/waitUntil';

// What people see at the first start: the phone has the conversations of a small shop, and n8n leaves them alone.

const WORKFLOW = 'twmAutoReply0001';
const ANNA = '+15551230001';

let temporary: TemporaryPlayground;

beforeAll(async () => {
	temporary = await TemporaryPlayground.start({ withShop: true });
});

afterAll(async () => await temporary?.removeAll());

const conversations = async (): Promise<object[]> => {
	const url = `${temporary.running.sandboxUrl}/sandbox/state`;
	return (await axios.get<{ conversations: object[] }>(url, { proxy: false })).data.conversations;
};

const executions = async () => await temporary.running.n8n.executions(WORKFLOW);

/** Publishes the workflow again, which makes it check for texts that it has missed, and waits until it has looked. */
const check = async () => {
	const { n8n, sandboxUrl } = temporary.running;
	const looks = async () => {
		const url = `${sandboxUrl}/sandbox/calls?limit=1000`;
		const { data } = await axios.get<{ calls: Array<{ path: string }> }>(url, { proxy: false });
		return data.calls.filter(({ path }) => path.startsWith('/v2/messages')).length;
	};
	const before = await looks();
	await n8n.activate(WORKFLOW, (await n8n.findWorkflow(WORKFLOW))?.versionId ?? '');
	await waitUntil('a check', async () => ((await looks()) > before ? true : undefined));
};

describe('the conversations of the shop', () => {
	test('are on the phone, and start no workflow', async () => {
		expect((await conversations()).length).toBeGreaterThan(3);
		await check();
		expect(await executions()).toEqual([]);
	});

	test('go on when a customer of the shop texts', async () => {
		const customer = new Customer(temporary.running.sandboxUrl, ANNA);
		const before = await customer.lastMessage();
		const text = await customer.text('And on Monday?');
		expect(text.conversation_handle).toBe(before?.conversation_handle);
		await customer.waitForAnswer();
		expect(await executions()).toHaveLength(1);
	});

	test('start no workflow after a reset or a second start either', async () => {
		const reset = `${temporary.running.sandboxUrl}/sandbox/reset`;
		await axios.post(reset, { keep_webhooks: true }, { proxy: false });
		await check();
		await temporary.stop();
		await temporary.startAgain();
		await check();
		expect(await conversations()).toEqual([]);
		expect(await executions()).toHaveLength(1);
	});
});
