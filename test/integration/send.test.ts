import type { INodeParameters } from 'n8n-workflow';
import { fastMemory } from '../support/testClock';
import { ANNA, BEN, FRONT_DESK, SEND, serviceInEachTest, SUPPORT } from '../support/service';

const LINES = [FRONT_DESK, SUPPORT];
const HELLO = { number: ANNA, content: 'hello' };

const service = serviceInEachTest(() => ({ memory: fastMemory() }));

const send = async (parameters: INodeParameters = {}, items: object[] = [HELLO]) =>
	await service.run({
		parameters: { ...SEND, ...parameters },
		items: items.map((item) => ({ ...item })),
	});

const acceptedLines = async () => (await service.accepted()).map((row) => row.line_handle);

describe('a message that the service accepts', () => {
	test('§2.2 comes out in the service’s words, linked to its item', async () => {
		const { items } = await send();

		const [row] = await service.accepted();
		const { message_handle } = row ?? {};
		expect(items('Node')).toEqual([
			{
				json: { to: ANNA, content: 'hello', status: 'QUEUED', is_outbound: true, message_handle },
				pairedItem: { item: 0 },
			},
		]);
	});

	test('§2.1 goes out with the number in international format, of the country of the option', async () => {
		const typed = ['+1 (555) 123-0001', '001 555 123 0001', '0151 2345678'];
		const items = typed.map((number) => ({ ...HELLO, number }));
		await send({ options: { numberCountry: 'DE' } }, items);
		expect((await service.accepted()).map(({ to }) => to)).toEqual([ANNA, ANNA, '+491512345678']);
	});

	type Line = (typeof LINES)[number];

	test.each<[string, (line: Line) => INodeParameters['line']]>([
		['from the list', ({ handle }) => ({ __rl: true, mode: 'list', value: handle })],
		['by an event’s ID', ({ handle }) => ({ __rl: true, mode: 'handle', value: `line_${handle}` })],
		['by number', ({ number }) => ({ __rl: true, mode: 'number', value: number })],
		['by ID, in a plain text', ({ handle }) => handle],
		['by an event’s ID, in a plain text', ({ handle }) => `line_${handle}`],
		['by number, in a plain text', ({ number }) => number],
		['by an expression', ({ handle }) => `={{ "${handle}" }}`],
	])('§2.1 goes out by the chosen line: %s', async (_, lineOf) => {
		for (const line of LINES) await send({ line: lineOf(line) });
		expect(await acceptedLines()).toEqual(LINES.map(({ handle }) => handle));
	});

	test('§2.1 goes out by any line where the field is empty, as it is when any active line is chosen', async () => {
		await service.control.patch(`/sandbox/lines/${FRONT_DESK.handle}`, { is_active: false });
		for (const line of ['', { __rl: true, mode: 'list', value: '' }]) await send({ line });
		expect(await service.accepted()).toHaveLength(2);
	});

	test.each([
		['nothing', '={{ $json.nobody }}'],
		['null', '={{ null }}'],
		['an empty text', '={{ " " }}'],
	])('§2.1 goes out by no line where an expression gives %s', async (_, value) => {
		for (const line of [value, { __rl: true, mode: 'handle', value }]) {
			expect((await send({ line })).nodeError('Node')?.message).toBe('Line is empty');
		}
		expect(await service.rows()).toEqual([]);
	});

	test.each(['list', 'handle', 'number'])(
		'§2.1 finds its line by a number, however it is written, in the mode %s',
		async (mode) => {
			const written = [
				...['+1\u2011555\u2011010\u20110001', '+1 555–010–0001', '+1 [555] 010-0001'],
				...['\u202a+15550100001\u202c', '+1555\u00ad010\u00ad0001', '001 555 010 0001'],
			];
			const line = { __rl: true, mode, value: '={{ $json.line }}' };
			const items = written.map((one) => ({ ...HELLO, line: one }));

			await send({ line }, items);
			const get = { resource: 'line', operation: 'get', line };
			const { json } = await service.run({ parameters: get, items });

			const ids = written.map(() => FRONT_DESK.handle);
			expect(await acceptedLines()).toEqual(ids);
			expect(json('Node').map((found) => found.line_handle)).toEqual(ids);
		},
	);

	test('§3.1 can be waited for until it is delivered', async () => {
		const { json } = await send({ options: { waitFor: 'delivered' } });
		expect(json('Node')).toMatchObject([{ status: 'DELIVERED' }]);
	});
});

describe('a message that cannot be sent', () => {
	const byId = (value: string) => ({ line: { __rl: true, mode: 'handle', value } });
	const GERMAN = { options: { numberCountry: 'DE' } };

	// lists.test.ts and oddValues.test.ts have what is refused with the whole list.
	test.each<[string, object, INodeParameters, RegExp]>([
		['one of another country', { number: '0151 23' }, GERMAN, /not fit the numbers behind \+49/],
		['§7 a line that does not exist', {}, byId('nobody'), /The line nobody is not one of yours/],
	])('is refused in words, and nothing goes out: %s', async (_, item, parameters, words) => {
		const { status, nodeError } = await send(parameters, [{ ...HELLO, ...item }]);
		expect(status).toBe('error');
		expect(`${nodeError('Node')?.message}. ${nodeError('Node')?.description}`).toMatch(words);
		expect(await service.rows()).toEqual([]);
	});

	test('§3.2 a line that is switched off is named', async () => {
		await service.control.patch(`/sandbox/lines/${FRONT_DESK.handle}`, { is_active: false });
		const { nodeError } = await send(byId(FRONT_DESK.handle));
		expect(nodeError('Node')?.message).toBe('The line Front desk · +15550100001 is switched off');
	});

	test('§1.5 becomes a skipped item when the customer has opted out, which stops no list', async () => {
		await service.text('STOP');

		const { json } = await send({}, [HELLO, { number: BEN, content: 'hi' }]);

		const skipped = {
			status: 'SKIPPED',
			error_message: 'The customer has opted out of messages',
			is_outbound: true,
		};
		expect(json('Node')).toEqual([
			{ to: ANNA, content: 'hello', ...skipped },
			expect.objectContaining({ to: BEN, status: 'QUEUED' }),
		]);
	});

	test('§7 is skipped, and not sent again, where the refusal is in a list of reasons', async () => {
		const body = { errors: [{ field: 'to', reason: 'Contact has opted out of messages' }] };
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const run = { parameters: SEND, items: [HELLO], node };
		const { json, asked } = await service.runAt(() => ({ status: 422, body }), run);
		expect(json('Node')).toMatchObject([
			{ status: 'SKIPPED', error_message: 'The customer has opted out of messages' },
		]);
		expect(asked).toHaveLength(1);
	});

	test('is refused with half a key pair', async () => {
		const engine = service.engineWith(service.credential({ apiSecret: '' }));
		const { nodeError } = await service.run({ parameters: SEND, items: [HELLO] }, engine);
		expect(nodeError('Node')?.message).toBe('The credential has no complete key pair');
		expect(await service.accepted()).toEqual([]);
	});
});
