import axios from 'axios';
import type { Playground } from '../../playground/playground';
import { Customer, type Row } from '../support/playground/customer';
import { TemporaryPlayground } from '../support/playground/temporaryPlayground';

// A person's n8n may end at any time: the system takes its memory, or they end the wrong process.

const ANNA = '+15551230001';

let temporary: TemporaryPlayground;
let playground: Playground;

beforeAll(async () => {
	temporary = await TemporaryPlayground.start();
	playground = temporary.running;
});

afterAll(async () => await temporary?.removeAll());

const conversation = async (): Promise<Row[]> => {
	const url = `${playground.sandboxUrl}/sandbox/messages`;
	return (await axios.get<{ messages: Row[] }>(url, { proxy: false })).data.messages.reverse();
};

describe('a playground whose n8n is killed by somebody else', () => {
	test('starts it again, keeps the conversations on the phone, and answers what came meanwhile', async () => {
		const customer = new Customer(playground.sandboxUrl, ANNA);
		await customer.text('before');
		await customer.waitForAnswer();
		const first = await playground.n8nProcess.pid();
		process.kill(first ?? Number.NaN, 'SIGKILL');
		await customer.text('meanwhile');
		await customer.waitForAnswer();

		const said = (await conversation()).map(({ content }) => content);
		expect(said).toEqual([
			'before',
			expect.stringContaining('before'),
			'meanwhile',
			expect.stringContaining('meanwhile'),
		]);
		expect(await playground.n8nProcess.pid()).not.toBe(first);
		expect(temporary.printed).toContainEqual(
			expect.stringMatching(/n8n was ended by a signal \(SIGKILL\)\. It is started again/),
		);
		expect(await playground.n8n.workflows()).not.toEqual([]);
	});
});
