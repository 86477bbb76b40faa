import { fastMemory } from '../support/testClock';
import { TestService } from '../support/service';
import { startStub } from '../support/stub';

const LINE = '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01';
const SEND = {
	resource: 'message',
	operation: 'send',
	number: '={{ $json.number }}',
	content: '={{ $json.content }}',
};
const HELLO = { number: '+15551230001', content: 'hello' };

let service: TestService;

beforeEach(async () => {
	service = await TestService.start({ memory: fastMemory() });
});

afterEach(async () => {
	await service.stop();
});

describe('a message that the service accepts', () => {
	test('§2.2 comes out in the service’s words, linked to its item', async () => {
		const run = await service.run({ parameters: SEND, items: [HELLO] });

		const [row] = await service.accepted();
		expect(run.items('Node')).toEqual([
			{
				json: {
					to: '+15551230001',
					content: 'hello',
					status: 'QUEUED',
					is_outbound: true,
					message_handle: row?.message_handle,
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('§2.1 goes out with the number in international format, however it was typed', async () => {
		const typed = ['+1 (555) 123-0001', '001 555 123 0001', ' +1.555.123.0001 ', '+15551230001'];

		await service.run({ parameters: SEND, items: typed.map((number) => ({ ...HELLO, number })) });

		const rows = await service.accepted();
		expect(rows.map(({ to }) => to)).toEqual(typed.map(() => '+15551230001'));
	});

	test('§2.1 goes out with the country of the option, where a number has no plus', async () => {
		const options = { numberCountry: 'DE' };
		const typed = ['0151 2345678', '1512345678', '+1 555 123 0001'];

		await service.run({
			parameters: { ...SEND, options },
			items: typed.map((number) => ({ ...HELLO, number })),
		});

		const rows = await service.accepted();
		expect(rows.map(({ to }) => to)).toEqual(['+491512345678', '+491512345678', '+15551230001']);
	});

	test('§2.1 sends nothing where a number without a plus does not fit the country of the option', async () => {
		const { error } = await service.run({
			parameters: { ...SEND, options: { numberCountry: 'DE' } },
			items: [HELLO, { ...HELLO, number: '0151 23' }],
		});

		expect(error?.message).toContain('does not fit the numbers of Germany');
		expect(await service.accepted()).toEqual([]);
	});

	test('§2.1 goes out by the chosen line: by handle, by an event’s prefixed handle, by number', async () => {
		const choices = [
			{ mode: 'list', value: LINE },
			{ mode: 'handle', value: `line_${LINE}` },
			{ mode: 'number', value: '+1 555 010 0001' },
		];
		for (const choice of choices) {
			await service.run({
				parameters: { ...SEND, line: { __rl: true, ...choice } },
				items: [HELLO],
			});
		}

		const rows = await service.accepted();
		expect(rows.map(({ line_handle: handle }) => handle)).toEqual([LINE, LINE, LINE]);
	});

	test.each([
		['its ID', LINE],
		['an event’s ID', `line_${LINE}`],
		['its number', '+1 555 010 0001'],
		['an expression', '={{ $json.line }}'],
	])('§2.1 goes out by a line that is saved as a plain text: %s', async (_, line) => {
		await service.run({ parameters: { ...SEND, line }, items: [{ ...HELLO, line: LINE }] });
		await service.control.patch(`/sandbox/lines/${LINE}`, { is_active: false });
		const refused = await service.run({
			parameters: { ...SEND, line },
			items: [{ ...HELLO, line: LINE }],
		});

		expect((await service.accepted()).map((row) => row.line_handle)).toEqual([LINE]);
		expect(refused.nodeError('Node')).toMatchObject({
			message: 'The line does not exist or is not active',
		});
	});

	test('§2.1 goes out by any line where the field is empty, as it is when any active line is chosen', async () => {
		await service.control.patch(`/sandbox/lines/${LINE}`, { is_active: false });
		for (const line of ['', { __rl: true, mode: 'list', value: '' }]) {
			await service.run({ parameters: { ...SEND, line }, items: [HELLO] });
		}

		expect(await service.accepted()).toHaveLength(2);
	});

	test.each([
		['nothing', '={{ $json.nobody }}'],
		['null', '={{ null }}'],
		['an empty text', '={{ " " }}'],
	])('§2.1 goes out by no line where an expression gives %s', async (_, value) => {
		for (const line of [value, { __rl: true, mode: 'handle', value }]) {
			const run = await service.run({ parameters: { ...SEND, line }, items: [HELLO] });
			expect(run.nodeError('Node')?.message).toBe('Line is empty');
		}
		expect(await service.rows()).toEqual([]);
	});

	const WRITTEN = [
		['with non-breaking hyphens', '+1\u2011555\u2011010\u20110001'],
		['with en dashes', '+1 555–010–0001'],
		['with square brackets', '+1 [555] 010-0001'],
		['between invisible marks', '\u202a+15550100001\u202c'],
		['with soft hyphens', '+1555\u00ad010\u00ad0001'],
		['with two zeros', '001 555 010 0001'],
	];
	test.each(
		['list', 'handle', 'number'].flatMap((mode) =>
			WRITTEN.map(([how = '', value = '']) => ({ mode, how, value })),
		),
	)('§2.1 finds its line by a number $how, in the mode $mode', async ({ mode, value }) => {
		const line = { __rl: true, mode, value };
		await service.run({ parameters: { ...SEND, line }, items: [HELLO] });
		const get = await service.run({ parameters: { resource: 'line', operation: 'get', line } });

		expect((await service.accepted()).map((row) => row.line_handle)).toEqual([LINE]);
		expect(get.json('Node')).toEqual([expect.objectContaining({ line_handle: LINE })]);
	});

	test('§2.1 may be media alone', async () => {
		const run = await service.run({
			parameters: { ...SEND, content: '', media: 'url', mediaUrl: 'https://example.com/menu.jpg' },
			items: [HELLO],
		});

		expect(run.json('Node')).toEqual([expect.objectContaining({ status: 'QUEUED' })]);
		expect(await service.accepted()).toEqual([
			expect.objectContaining({ media_url: 'https://example.com/menu.jpg' }),
		]);
	});

	test('§3.1 can be waited for until it is sent and delivered', async () => {
		const [sent, delivered] = await Promise.all(
			['sent', 'delivered'].map(
				async (waitFor) =>
					await service.run({ parameters: { ...SEND, options: { waitFor } }, items: [HELLO] }),
			),
		);

		expect(sent?.json('Node')).toEqual([
			expect.objectContaining({ status: 'SENT', service: 'iMessage' }),
		]);
		expect(delivered?.json('Node')).toEqual([expect.objectContaining({ status: 'DELIVERED' })]);
	});
});

describe('a message that cannot be sent', () => {
	const refusals = [
		{
			title: 'a number that is no number',
			item: { number: '0151 234', content: 'hello' },
			message: 'The phone number “0151 234” is not in international format',
		},
		{
			title: 'an empty number',
			item: { number: '', content: 'hello' },
			message: 'Phone Number is empty',
		},
		{
			title: '§7 neither text nor media',
			item: { number: '+15551230001', content: ' ' },
			message: 'There is nothing to send',
		},
		{
			title: 'a media URL that is not a URL',
			parameters: { media: 'url', mediaUrl: 'menu.jpg' },
			message: 'Media URL “menu.jpg” is not a complete URL',
		},
		{
			title: '§7 a line that does not exist',
			parameters: { line: { __rl: true, mode: 'handle', value: 'nobody' } },
			message: 'The line does not exist or is not active',
			description: 'Unknown or inactive line',
		},
		{
			title: 'a line that is an object',
			parameters: { line: { __rl: true, mode: 'handle', value: '={{ { id: 1 } }}' } },
			message: 'Line is “{"id":1}”, and neither an ID nor a number',
		},
		{
			title: 'a line that is a list, in a plain text',
			parameters: { line: '={{ [1] }}' },
			message: 'Line is “[1]”, and neither an ID nor a number',
		},
		{
			title: 'a line that is a whole line, in a plain text',
			parameters: { line: '={{ { label: "Shop" } }}' },
			message: 'Line is “{"label":"Shop"}”, and neither an ID nor a number',
		},
		{
			title: 'a line number that no line has',
			parameters: { line: { __rl: true, mode: 'number', value: '+15559999999' } },
			message: 'No line of yours has the number +15559999999',
		},
	];

	test.each(refusals)(
		'is refused in words, and nothing goes out: $title',
		async ({ item, parameters, message, description }) => {
			const run = await service.run({
				parameters: { ...SEND, ...parameters },
				items: [item ?? HELLO],
			});

			expect(run.status).toBe('error');
			expect(run.nodeError('Node')).toMatchObject({
				message,
				description: expect.stringContaining(description ?? ''),
			});
			expect(await service.rows()).toEqual([]);
		},
	);

	test('§7 is refused when the line is blocked', async () => {
		await service.control.post(`/sandbox/lines/${LINE}/block`, { reason: 'spam reports' });

		const run = await service.run({
			parameters: { ...SEND, line: { __rl: true, mode: 'list', value: LINE } },
			items: [HELLO],
		});

		expect(run.nodeError('Node')).toMatchObject({
			message: 'The line is blocked',
			description: expect.stringContaining('Line is blocked'),
		});
		expect(await service.accepted()).toEqual([]);
	});

	const OPTED_OUT = 'Contact has opted out of messages';
	const STOPPING = { ...SEND, options: { ifOptedOut: 'fail' } };

	test('§1.5 becomes a skipped item when the customer has opted out, which stops no list', async () => {
		await service.control.post('/sandbox/inbound', { from: HELLO.number, content: 'STOP' });

		const run = await service.run({
			parameters: SEND,
			items: [HELLO, { number: '+15551230002', content: 'hi' }],
		});

		expect(run.json('Node')).toEqual([
			{
				to: '+15551230001',
				content: 'hello',
				status: 'SKIPPED',
				error_message: OPTED_OUT,
				is_outbound: true,
			},
			expect.objectContaining({ to: '+15551230002', status: 'QUEUED' }),
		]);
	});

	test('§1.5 is refused when the customer has opted out, where the option says so', async () => {
		await service.control.post('/sandbox/inbound', { from: HELLO.number, content: 'STOP' });

		const run = await service.run({ parameters: STOPPING, items: [HELLO] });

		expect(run.nodeError('Node')).toMatchObject({
			message: 'The customer has opted out of messages',
			description: expect.stringMatching(/START.*choose 'Skip' in the option 'If Opted Out'/),
		});
		expect(await service.accepted()).toEqual([]);
	});

	test.each([
		['a bare list', [OPTED_OUT]],
		['a list of reasons', { errors: [{ field: 'to', reason: OPTED_OUT }] }],
	])('§7 is skipped, and not sent again, where the refusal is in %s', async (_, body) => {
		const stub = await startStub(() => ({ status: 422, body }));
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		const run = await service.run(
			{
				parameters: SEND,
				items: [HELLO],
				node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			},
			engine,
		);
		await stub.stop();

		expect(run.json('Node')).toEqual([
			expect.objectContaining({ status: 'SKIPPED', error_message: OPTED_OUT }),
		]);
		expect(stub.requests).toHaveLength(1);
	});

	test('§5.6 is refused when the key pair is wrong', async () => {
		const engine = service.engineWith(service.credential({ apiSecret: 'wrong' }));

		const run = await service.run({ parameters: SEND, items: [HELLO] }, engine);

		expect(run.nodeError('Node')).toMatchObject({
			message: 'The service did not accept the key pair',
			description: expect.stringContaining('API Secret'),
		});
		expect(await service.accepted()).toEqual([]);
	});

	test.each([
		['a base URL without a scheme', { baseUrl: 'api.example.com' }, 'not a complete URL'],
		['no base URL', { baseUrl: '' }, 'Base URL is empty'],
		['half a key pair', { apiSecret: '' }, 'both API Key and API Secret'],
	])('is refused before anything is asked: %s', async (_title, changes, advice) => {
		const engine = service.engineWith(service.credential(changes));

		const run = await service.run({ parameters: SEND, items: [HELLO] }, engine);

		expect(run.nodeError('Node')).toMatchObject({ description: expect.stringContaining(advice) });
	});

	test('an item that is refused does not stop the other items when On Error is Continue', async () => {
		const run = await service.run({
			parameters: SEND,
			items: [HELLO, { number: 'nobody', content: 'x' }, { number: '+15551230002', content: 'hi' }],
			node: { onError: 'continueRegularOutput' },
		});

		expect(run.items('Node')).toMatchObject([
			{ json: { status: 'QUEUED' }, pairedItem: { item: 0 } },
			{
				json: {
					...{ to: 'nobody', content: 'x', status: 'NOT SENT' },
					error: 'The phone number “nobody” is not in international format',
				},
				pairedItem: { item: 1 },
			},
			{ json: { to: '+15551230002', status: 'QUEUED' }, pairedItem: { item: 2 } },
		]);
	});
});

describe('an answer that does not come', () => {
	const lost = ['reset-after', 'status-500-after', 'html-after', 'truncated-after'] as const;

	test.each(lost)(
		'§4.5 %s: the message is found in the history, and the customer gets it once',
		async (kind) => {
			await service.fault('/v1/send-message', kind);

			const run = await service.run({ parameters: SEND, items: [HELLO] });

			const rows = await service.accepted();
			expect(rows).toHaveLength(1);
			expect(run.json('Node')).toEqual([
				expect.objectContaining({ message_handle: rows[0]?.message_handle }),
			]);
		},
	);

	test.each(['reset-before', 'status-500', 'html'] as const)(
		'%s: the item says that the message is not confirmed, and nothing is sent again',
		async (kind) => {
			await service.fault('/v1/send-message', kind);

			const run = await service.run({ parameters: SEND, items: [HELLO] });

			expect(run.nodeError('Node')).toMatchObject({
				message: expect.stringContaining('has not confirmed the message'),
				description: expect.stringContaining('The history does not show the message so far'),
			});
			expect(await service.accepted()).toEqual([]);
		},
	);

	test('it is sent once more where the option says so', async () => {
		await service.fault('/v1/send-message', 'status-500');

		const run = await service.run({
			parameters: { ...SEND, options: { ifUnconfirmed: 'sendAgain' } },
			items: [HELLO],
		});

		expect(run.json('Node')).toEqual([expect.objectContaining({ status: 'QUEUED' })]);
		expect(await service.accepted()).toHaveLength(1);
	});

	test('an older message with the same text is not taken for it', async () => {
		const earlier = { number: HELLO.number, content: 'See you tomorrow' };
		await service.run({ parameters: SEND, items: [earlier] });
		await service.fault('/v1/send-message', 'reset-before');

		const run = await service.run({ parameters: SEND, items: [earlier] });

		expect(run.nodeError('Node')?.message).toContain('has not confirmed the message');
	});

	test('§8.1 a rate limit is waited out and loses nothing', async () => {
		await service.fault('/v1/send-message', 'refuse-429', 1, { retry_after_seconds: 1 });

		const run = await service.run({ parameters: SEND, items: [HELLO, HELLO] });

		expect(run.json('Node')).toHaveLength(2);
		expect(await service.accepted()).toHaveLength(2);
	});

	test('Retry On Fail sends nothing twice: the second run knows what the first has sent', async () => {
		await service.fault('/v1/send-message', 'pass', 1);
		await service.fault('/v1/send-message', 'status-503', 1);

		const run = await service.run({
			parameters: { ...SEND, content: '={{ $json.content + " " + $now.toMillis() }}' },
			items: [HELLO, { ...HELLO, content: 'second' }],
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});

		expect(run.nodeError('Node')?.description).toContain('Item 2, +15551230001');
		expect(await service.accepted()).toHaveLength(1);
	});
});
