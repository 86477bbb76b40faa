import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import {
	FAULT_KINDS,
	NO_REQUEST_LIMITS,
	createSandbox,
	serve,
	type Sandbox,
	type Served,
} from '../../sandbox/src';
import {
	accessibilityFindings,
	launchBrowser,
	visit,
	type Visit,
} from '../support/playground/browser';
import { waitUntil } from '../support/waitUntil';

const CONTACT = '+15551230001';
const KEY_PAIR = { key: 'key_of_the_tests', secret: 'secret_of_the_tests' };
const SIGNING_SECRET = 'signing_secret_of_the_tests';
const PICTURE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

type Received = { headers: Record<string, unknown>; body: string };

let browser: Browser;
let sandbox: Sandbox;
let served: Served;
let receiver: Server | undefined;
let visits: Visit[] = [];
/** The requests that the receiver of events got, and the status that it answers. */
let received: Received[] = [];
let receiverStatus = 200;

beforeAll(async () => {
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
});

beforeEach(async () => {
	received = [];
	receiverStatus = 200;
	sandbox = createSandbox({
		keyPairs: [KEY_PAIR],
		requestLimits: NO_REQUEST_LIMITS,
		sentAfterMs: 50,
		deliveredAfterMs: 50,
		workflowsUrl: 'http://127.0.0.1:5678/home/workflows',
	});
	served = await serve(sandbox);
});

afterEach(async () => {
	const seen = visits.map(({ complaints, foreignRequests }) => ({ complaints, foreignRequests }));
	for (const { page } of visits) await page.context().close();
	visits = [];
	await served.close();
	receiver?.closeAllConnections();
	receiver?.close();
	receiver = undefined;
	// In every test the console stays empty, and the page makes no request to another host.
	for (const one of seen) expect(one).toEqual({ complaints: [], foreignRequests: [] });
});

const openPhone = async (options?: BrowserContextOptions): Promise<Page> => {
	const opened = await visit(browser, served.url, options);
	visits.push(opened);
	await opened.page.getByText('Live', { exact: true }).waitFor();
	return opened.page;
};

/** Calls the service as a workflow would, or calls a control endpoint. */
const call = async (method: string, path: string, body?: object) => {
	const answer = await fetch(served.url + path, {
		method,
		headers: {
			'x-api-key': KEY_PAIR.key,
			'x-api-secret': KEY_PAIR.secret,
			'content-type': 'application/json',
		},
		body: body && JSON.stringify(body),
	});
	return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const send = async (content: string, fields: object = {}) =>
	await call('POST', '/v1/send-message', { number: CONTACT, content, ...fields });

const text = async (content: string, from = CONTACT) =>
	await call('POST', '/sandbox/inbound', { from, content });

const registerReceiver = async () => {
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			received.push({ headers: request.headers, body });
			// As n8n does where a test has ended.
			const status = request.url?.startsWith('/webhook-test/ended') ? 404 : receiverStatus;
			response.statusCode = status;
			response.end(status === 200 ? 'thanks' : 'the workflow is not active');
		});
	});
	receiver = server;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	await call('POST', '/v1/account/webhooks', { url, secret: SIGNING_SECRET, events: ['receive'] });
};

/** Whether a received event is signed with the right secret, and how many seconds ago. */
const signatureOf = (at: number) => {
	const { headers, body } = received[at]!;
	const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature']))!;
	const right = createHmac('sha256', SIGNING_SECRET).update(`${t}.${body}`).digest('hex');
	return { isRight: v1 === right, ageSeconds: Math.round(Date.now() / 1000 - Number(t)) };
};

const messageField = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });
const bubble = (page: Page, words: string): Locator =>
	messages(page).locator('.message').filter({ hasText: words });
const log = (page: Page) => page.getByRole('list', { name: 'Log' });
const entry = (page: Page, words: string): Locator =>
	log(page).locator('> li').filter({ hasText: words }).first();
const thread = (page: Page, number: string) =>
	page.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: number });
const looks = (page: Page): Locator => log(page).locator('> .looks').first();
const controls = async (page: Page) => {
	await page.getByRole('tab', { name: 'Controls' }).click();
	return page.getByRole('tabpanel', { name: 'Controls' });
};
const advanced = async (page: Page) => {
	const panel = await controls(page);
	await panel.getByRole('heading', { name: 'Advanced' }).click();
	return panel;
};
/** The title follows what is on the page by one look at the service's state. */
const titled = async (page: Page, title: string) =>
	await page.waitForFunction(`document.title === ${JSON.stringify(title)}`);
const seeing = async (locator: Locator, words: string) =>
	await locator.filter({ hasText: words }).first().waitFor();

describe('A conversation', () => {
	test('§1.4 a person texts from any number, and the answer appears without reloading the page', async () => {
		await registerReceiver();
		const page = await openPhone();
		await page.getByText('You hold a customer’s phone').waitFor();
		await page.getByRole('textbox', { name: 'From' }).fill('+44 7700 900-123');
		await messageField(page).fill('Are you open?');
		await page.getByRole('button', { name: 'Send' }).click();
		await seeing(bubble(page, 'Are you open?'), 'iMessage · Received by the line');

		await waitUntil('the event', async () => received[0]);
		expect(received[0]!.body).toContain('+447700900123');
		await send('Until six.', { number: '+447700900123' });
		await seeing(bubble(page, 'Until six.'), 'iMessage · Delivered');
		expect(await bubble(page, 'Until six.').getAttribute('class')).toContain('from-line iMessage');
	});

	test('a URL in a text is a link, and the rest of it is text and never HTML', async () => {
		const page = await openPhone();
		await text('Look (http://menu.example/today?of=me). <b>Not javascript:alert(1)</b>');
		const shown = bubble(page, 'Look');
		await shown.waitFor();
		expect(await shown.locator('.text').textContent()).toBe(
			'Look (http://menu.example/today?of=me). <b>Not javascript:alert(1)</b>',
		);
		const links = shown.getByRole('link');
		expect(await links.count()).toBe(1);
		expect(await links.getAttribute('href')).toBe('http://menu.example/today?of=me');
		expect(await links.getAttribute('target')).toBe('_blank');
		expect(await links.getAttribute('rel')).toContain('noopener');
	});

	test('what a person has not sent yet stays with its customer', async () => {
		await text('first', '+15551230008');
		await text('second', '+15551230009');
		const page = await openPhone();
		await bubble(page, 'second').waitFor();
		await messageField(page).fill('As the ninth');
		await thread(page, '+15551230008').click();
		await bubble(page, 'first').waitFor();
		expect(await messageField(page).inputValue()).toBe('');
		await messageField(page).fill('As the eighth');
		await thread(page, '+15551230009').click();
		await bubble(page, 'second').waitFor();
		expect(await messageField(page).inputValue()).toBe('As the ninth');
		await page.keyboard.press('Enter');
		await bubble(page, 'As the ninth').waitFor();
		await call('POST', '/sandbox/reset');
		await page.getByText('You hold a customer’s phone').waitFor();
		expect(await messageField(page).inputValue()).toBe('');
	});

	test('a text can have several lines, and Enter sends it', async () => {
		const page = await openPhone();
		await messageField(page).fill('one');
		await page.keyboard.press('Shift+Enter');
		await page.keyboard.type('two');
		await page.keyboard.press('Enter');
		await bubble(page, 'two').waitFor();
		const { body } = await call('GET', '/v2/messages');
		expect(body['messages']).toMatchObject([{ content: 'one\ntwo' }]);
		expect(await messageField(page).inputValue()).toBe('');
	});

	test('§4.8 a picture that a person sends is shown in its bubble', async () => {
		await registerReceiver();
		const page = await openPhone();
		await page
			.locator('#file')
			.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PICTURE });
		await page.getByText('a.png').waitFor();
		await page.getByRole('button', { name: 'Send' }).click();
		const picture = messages(page).getByRole('img', { name: 'Attached picture' });
		await picture.waitFor();
		expect(
			await picture.evaluate(({ naturalWidth }: { naturalWidth: number }) => naturalWidth),
		).toBe(1);
		await waitUntil('the event', async () => received[0]);
		const { body } = await call('GET', '/v2/messages');
		expect(body).toMatchObject({
			messages: [{ media_url: expect.stringContaining(`${served.url}/sandbox/media/`) as string }],
		});
	});

	test('media on another host is a link, and the page does not load it', async () => {
		const page = await openPhone();
		await text('Hi');
		await send('The menu', { media_url: 'https://menu.example/today.png' });
		await messages(page).getByRole('link', { name: 'Media on menu.example' }).waitFor();
		expect(await messages(page).getByRole('img').count()).toBe(0);
	});

	test('§1.5 after the quick reply STOP, sends are refused until START', async () => {
		await text('Hi');
		const page = await openPhone();
		await page.getByRole('button', { name: 'STOP', exact: true }).click();
		await page.getByText('Opted out: sends to this number are refused').waitFor();
		expect((await send('Still there?')).status).toBe(422);
		await entry(page, '422').waitFor();
		await page.getByRole('button', { name: 'START', exact: true }).click();
		await page.getByText('Opted out: sends').waitFor({ state: 'hidden' });
		expect((await send('Welcome back')).status).toBe(201);
	});

	test('§1.2 a customer who is switched to SMS gets green bubbles', async () => {
		await text('Hi');
		const page = await openPhone();
		await page.getByRole('button', { name: 'Details' }).click();
		await page.getByRole('switch', { name: 'Has iMessage' }).click();
		await page.getByText('The next message goes by SMS, and later ones').waitFor();
		await send('By SMS');
		await seeing(bubble(page, 'By SMS'), 'SMS · Delivered');
		expect(await bubble(page, 'By SMS').getAttribute('class')).toContain('from-line SMS');
	});

	test('§3.1 the next message fails when a person asks for it, and shows the reason under its bubble', async () => {
		await text('Hi');
		const page = await openPhone();
		await page.getByRole('button', { name: 'Details' }).click();
		await page.getByRole('textbox', { name: 'Reason' }).fill('Out of reach');
		await page.getByRole('switch', { name: 'Next message fails' }).click();
		await page.getByRole('switch', { name: 'Next message fails', checked: true }).waitFor();
		await waitUntil('the reason at the sandbox', async () => {
			const { conversations } = (await call('GET', '/sandbox/state')).body as {
				conversations: Array<{ contact: { fail_next: string | null } }>;
			};
			return conversations[0]?.contact.fail_next === 'Out of reach' || undefined;
		});
		await send('Lost');
		await seeing(bubble(page, 'Lost'), 'Not sent: Out of reach');
	});
});

describe('A message that the service refuses', () => {
	test('§7 stands in the conversation, where it would have been, and says why', async () => {
		await text('Are you open?');
		const lines = (await call('GET', '/v1/lines')).body['lines'] as Array<{ line_handle: string }>;
		const [frontDesk, support] = lines.map(({ line_handle: handle }) => handle);
		await call('POST', `/sandbox/lines/${frontDesk}/block`, {});
		const page = await openPhone();
		await send('Until six.', { line_handle: frontDesk });
		const refused = bubble(page, 'Until six.');
		await seeing(refused, 'The shop’s answer was refused: the line is blocked · ');
		expect(await refused.getAttribute('class')).toContain('from-line');

		await text('Hello?');
		await bubble(page, 'Hello?').waitFor();
		const said = await messages(page).locator('.text').allTextContents();
		expect(said).toEqual(['Are you open?', 'Until six.', 'Hello?']);

		await call('PATCH', `/sandbox/lines/${support}`, { is_active: false });
		await send('From the other one', { line_handle: support });
		await seeing(
			bubble(page, 'From the other one'),
			'refused: the line is off, or there is none like it (Support)',
		);
	});
});

describe('A line on the page', () => {
	test('has one state at a time: Active, Off or Blocked', async () => {
		await text('Hi');
		const page = await openPhone();
		const states = (await controls(page)).getByRole('group', { name: 'Front desk is' });
		const line = async () => {
			const { lines } = (await call('GET', '/v1/lines')).body as {
				lines: Array<{ is_active: boolean; blocked_at: string | null }>;
			};
			return { isActive: lines[0]!.is_active, isBlocked: lines[0]!.blocked_at !== null };
		};
		const choose = async (state: string) => {
			await states.getByRole('button', { name: state }).click();
			await states.getByRole('button', { name: state, pressed: true }).waitFor();
			expect(await states.locator('[aria-pressed=true]').count()).toBe(1);
			return await line();
		};
		expect(await choose('Blocked')).toEqual({ isActive: true, isBlocked: true });
		expect(await choose('Off')).toMatchObject({ isActive: false });
		await page.locator('.phone-head').getByText('Off', { exact: true }).waitFor();
		expect(await choose('Active')).toEqual({ isActive: true, isBlocked: false });
	});
});

describe('The log', () => {
	test('§6.4 a failed delivery shows its attempt and answer, and can be delivered again in three ways', async () => {
		await registerReceiver();
		receiverStatus = 500;
		const page = await openPhone();
		await text('Hi');
		const delivery = entry(page, 'A customer wrote');
		await seeing(delivery, 'n8n broke down (500): tries again');
		await delivery.locator('summary').first().click();
		const attempts = delivery.getByRole('list', { name: 'Attempts' }).locator('> li');
		await seeing(attempts, 'Attempt 1');
		await seeing(attempts, 'the workflow is not active');
		await seeing(attempts, 'ms');
		await attempts.getByText('Headers sent').click();
		await attempts.getByText(/^t=\d{10},v1=[0-9a-f]{64}$/).waitFor();
		await seeing(delivery, 'Next attempt');

		receiverStatus = 200;
		await delivery.getByRole('button', { name: 'Deliver again' }).click();
		await seeing(attempts, 'By hand: same');
		await delivery.getByRole('button', { name: 'With an old timestamp' }).click();
		await seeing(attempts, 'By hand: old timestamp');
		await delivery.getByRole('button', { name: 'With a broken signature' }).click();
		await seeing(attempts, 'By hand: broken signature');

		expect(new Set(received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).size).toBe(
			1,
		);
		expect(received).toHaveLength(4);
		expect(signatureOf(1)).toEqual({ isRight: true, ageSeconds: expect.closeTo(0, -1) as number });
		expect(signatureOf(2).isRight).toBe(true);
		expect(signatureOf(2).ageSeconds).toBeGreaterThan(300);
		expect(signatureOf(3).isRight).toBe(false);
	});

	test('looks at the history are folded into one row, however many, which a person can open', async () => {
		await send('Hello');
		// More than the newest calls that the page asks for at first.
		for (let at = 0; at < 120; at += 1) await call('GET', '/v2/messages');
		const page = await openPhone();
		const folded = log(page).locator('> li').first();
		await seeing(folded, '120 looks at the history');
		expect(await log(page).locator('> li').count()).toBe(2);
		await folded.locator('summary').first().click();
		await call('GET', '/v2/messages');
		await seeing(folded, '121 looks at the history');
		await folded.locator('.calls summary').first().click();
		await seeing(folded, 'Answer 200');
	});

	test('a test in the editor that has ended does not count among those that got a text', async () => {
		await registerReceiver();
		const { port } = receiver?.address() as AddressInfo;
		for (const path of ['second', 'webhook-test/ended']) {
			const url = `http://127.0.0.1:${port}/${path}`;
			await call('POST', '/v1/account/webhooks', { url, secret: 'x', events: ['receive'] });
		}
		const page = await openPhone();
		await text('Hi there');
		const row = entry(page, 'A customer wrote');
		await seeing(row, '2 workflows have it, and each may answer');
		await row.filter({ hasNotText: 'editor' }).waitFor();
		await row.locator('summary').first().click();
		await row.getByText('A test in the editor got nothing: the test had ended').waitFor();
	});

	test('a text that nobody gets says so, and the URLs that were given up are folded', async () => {
		await registerReceiver();
		receiverStatus = 404;
		for (let at = 0; at < 10; at += 1) await text('Anyone?');
		await waitUntil('ten failures', async () => (received.length >= 10 ? true : undefined));
		const page = await openPhone();
		await text('Hello?');
		const row = entry(page, 'Hello?');
		await seeing(row, 'No workflow is listening');
		await row.locator('summary').first().click();
		await seeing(row, '1 disabled URL got nothing: ten attempts had failed');
		const side = await advanced(page);
		await seeing(side, 'No workflow is listening. Publish one');
		await seeing(side, '1 URL is disabled: ten attempts had failed');
	});

	test('§6.4 the next attempt follows when time passes', async () => {
		await registerReceiver();
		receiverStatus = 500;
		const page = await openPhone();
		await text('Hi');
		await seeing(entry(page, 'A customer wrote'), 'n8n broke down (500): tries again');
		receiverStatus = 200;
		await (await controls(page)).getByRole('button', { name: '+ 1 minute' }).click();
		await page.getByRole('tab', { name: 'Activity' }).click();
		await seeing(entry(page, 'A customer wrote'), 'Delivered');
		expect(received).toHaveLength(2);
	});

	test('a call shows its request and its answer without key and secret', async () => {
		const page = await openPhone();
		await registerReceiver();
		await send('What a day');
		const sent = entry(page, 'Send a message');
		await seeing(sent, '201');
		await sent.locator('summary').first().click();
		await sent.getByText('Request headers').click();
		await seeing(sent, 'What a day');
		await seeing(sent, 'QUEUED');
		await entry(page, 'Register a webhook').locator('summary').first().click();
		await seeing(entry(page, 'Register a webhook'), '<SIGNING_SECRET>');
		const shown = await page.content();
		expect(shown).toContain('&lt;API_SECRET&gt;');
		for (const secret of [KEY_PAIR.key, KEY_PAIR.secret, SIGNING_SECRET]) {
			expect(shown).not.toContain(secret);
		}
	});

	test('a call can be copied as a curl command that takes the key pair from the shell', async () => {
		const page = await openPhone({ permissions: ['clipboard-read', 'clipboard-write'] });
		await send("It's here");
		const sent = entry(page, 'Send a message');
		await sent.locator('summary').first().click();
		await sent.getByRole('button', { name: 'Copy as curl' }).click();
		await page.getByText('The curl command copied.').waitFor();
		const curl = await page.evaluate<string>('navigator.clipboard.readText()');
		expect(curl).toContain(`curl -X POST '${served.url}/v1/send-message'`);
		expect(curl).toContain('-H "x-api-key: $API_KEY"');
		expect(curl).toContain('-H "x-api-secret: $API_SECRET"');
		expect(curl).toContain(`--data-raw '{"number":"${CONTACT}","content":"It'\\''s here"}'`);
		expect(curl).not.toContain(KEY_PAIR.secret);
	});

	test('a person sees what character the service has, and gives it another one', async () => {
		const page = await openPhone();
		const panel = await controls(page);
		const choice = panel.getByLabel('What its document leaves open');
		expect(await choice.isVisible()).toBe(false);
		await panel.getByRole('heading', { name: 'Advanced' }).click();
		await choice.waitFor();
		expect(await choice.inputValue()).toBe('literal');
		await panel.getByText('Literal: the service sends what its document shows').waitFor();
		await choice.selectOption('awkward');
		await panel.getByText('Awkward: the service does what its document leaves open').waitFor();
		expect((await call('GET', '/v1/me')).body).toHaveProperty('data');
		expect((await call('GET', '/sandbox/state')).body).toMatchObject({ character: 'awkward' });
		expect(await accessibilityFindings(page)).toEqual([]);
		await call('POST', '/sandbox/character', { character: 'generous' });
		await panel.getByText('Generous: the service sends more fields').waitFor();
		expect(await choice.inputValue()).toBe('generous');
	});

	test('a person can make the next call fail in every way, and can remove the fault', async () => {
		const page = await openPhone();
		const panel = await controls(page);
		const kinds = panel.getByRole('combobox', { name: /^The service/ });
		await kinds.locator('option').first().waitFor({ state: 'attached' });
		const offered = await kinds
			.locator('option')
			.evaluateAll((options) => options.map((option) => option.getAttribute('value')));
		expect(offered).toEqual(FAULT_KINDS.filter((kind) => kind !== 'pass'));
		await kinds.selectOption('status-500-after');
		await panel.getByRole('button', { name: 'Make it fail' }).click();
		await panel.getByRole('list', { name: 'Pending faults' }).waitFor();
		expect((await send('Did it go?')).status).toBe(500);
		await bubble(page, 'Did it go?').waitFor();
		await page.getByRole('tab', { name: 'Activity' }).click();
		await entry(page, '500').locator('summary').first().click();
		await page.getByText('the service does it, then breaks down and does not say so').waitFor();

		await controls(page);
		await panel.getByRole('button', { name: 'Make it fail' }).click();
		await panel.getByRole('button', { name: 'Remove them' }).click();
		await panel.getByRole('list', { name: 'Pending faults' }).waitFor({ state: 'detached' });
		expect((await send('And now?')).status).toBe(201);
	});
});

describe('The page', () => {
	test('links to the workflows, where it was told of them', async () => {
		const page = await openPhone();
		const link = page.getByRole('link', { name: 'Open n8n' });
		await link.waitFor();
		expect(await link.getAttribute('href')).toBe('http://127.0.0.1:5678/home/workflows');
	});

	test('a reset asks first, removes the messages and keeps the registered webhooks', async () => {
		await registerReceiver();
		await text('Hi');
		const page = await openPhone();
		await bubble(page, 'Hi').waitFor();
		const panel = await controls(page);
		await panel.getByRole('button', { name: 'Reset…' }).click();
		await panel.getByRole('button', { name: 'Yes, start over' }).click();
		await page.getByText('You hold a customer’s phone').waitFor();
		expect(await messages(page).locator('.message').count()).toBe(0);
		await text('After');
		await waitUntil('the event', async () => received[1]);
		expect(received[1]!.body).toContain('After');
	});

	test('a person changes a line’s limits, and the card says how many conversations wait', async () => {
		const page = await openPhone();
		const panel = await controls(page);
		const card = panel.getByRole('article').filter({ hasText: 'Front desk' });
		await card.getByLabel('Per hour').fill('0');
		await card.getByRole('button', { name: 'Change the limits of Front desk' }).click();
		await seeing(card, '0 of 0 new conversations left this hour');
		const { lines } = (await call('GET', '/v1/lines')).body as {
			lines: Array<{ line_handle: string }>;
		};
		await send('Held', { line_handle: lines[0]!.line_handle });
		await seeing(card, '1 new conversation waits for the limit');
		await seeing(bubble(page, 'Held'), 'Queued');
	});

	test('Activity and Controls each have a place of their own on a narrow page', async () => {
		const page = await openPhone({ viewport: { width: 390, height: 800 } });
		const [activity, panel] = ['activity', 'controls'].map((id) => page.locator(`#${id}`));
		await page.getByRole('button', { name: 'Controls', exact: true }).click();
		await panel!.getByRole('heading', { name: 'Lines' }).waitFor();
		expect(await activity!.isVisible()).toBe(false);
		expect(await page.getByRole('tab').count()).toBe(0);
		await page.getByRole('button', { name: 'Activity', exact: true }).click();
		await activity!.getByText('The service has not been called yet').waitFor();
		expect(await panel!.isVisible()).toBe(false);
	});

	test('the page can be used by keyboard alone', async () => {
		await text('first', '+15551230008');
		await text('second', '+15551230009');
		const page = await openPhone();
		await bubble(page, 'second').waitFor();
		await page.keyboard.press('Tab');
		expect(await page.locator(':focus').textContent()).toBe('Skip to the phone');
		const focused = async () => (await page.locator(':focus').textContent()) ?? '';
		for (let n = 0; n < 10 && !(await focused()).includes('+15551230009'); n++) {
			await page.keyboard.press('Tab');
		}
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await bubble(page, 'first').waitFor();
		await page.keyboard.type('by keyboard');
		await page.keyboard.press('Enter');
		await bubble(page, 'by keyboard').waitFor();
		const { body } = await call('GET', '/v2/messages?limit=1');
		expect(body['messages']).toMatchObject([{ from: '+15551230008', content: 'by keyboard' }]);

		await page.getByRole('tab', { name: 'Activity' }).focus();
		await page.keyboard.press('ArrowRight');
		await page.getByRole('heading', { name: 'Make the next call fail' }).waitFor();
	});

	test('a conversation of two thousand messages needs few elements, and every message can be reached', async () => {
		const receive = async (from: string, content: string) =>
			await sandbox.app.request('/sandbox/inbound', {
				method: 'POST',
				body: JSON.stringify({ from, content }),
			});
		for (let n = 0; n < 100; n++) await receive(`+1555124${1000 + n}`, `Message of ${n}`);
		for (let n = 0; n < 2_000; n++) await receive(CONTACT, `Line ${n}.`);
		const page = await openPhone();
		await messages(page).locator('.message').last().waitFor();
		expect(await page.locator('#thread-list > li').count()).toBe(100);
		const scrolled = await messages(page).evaluate(async (scroller) => {
			const seen = new Set<string>();
			let most = 0;
			// Scrolls up as a person does, until a second has brought nothing older.
			for (let last = performance.now(); performance.now() - last < 1_000;) {
				const before = seen.size;
				for (const { textContent } of scroller.querySelectorAll('.text')) seen.add(textContent);
				most = Math.max(most, scroller.querySelectorAll('.message').length);
				if (seen.size > before) last = performance.now();
				scroller.scrollTop = 0;
				await new Promise((resolve) => setTimeout(resolve, 16));
			}
			return { seen: seen.size, most };
		});
		expect(scrolled.seen).toBe(2_000);
		expect(scrolled.most).toBeLessThanOrEqual(180);

		await text('The newest of all');
		await page.getByRole('button', { name: 'Newest messages' }).click();
		await bubble(page, 'The newest of all').waitFor();
	});

	test('the page says so when the sandbox does not answer', async () => {
		const page = await openPhone();
		await served.close();
		await page.getByText('Sandbox does not answer').waitFor();
		// The browser itself logs the lost connection, and every try to connect again.
		await page.close();
		visits.at(-1)!.complaints.length = 0;
	});

	test('a refusal is shown with the service’s sentence', async () => {
		const page = await openPhone();
		await page.getByRole('textbox', { name: 'From' }).fill('nobody');
		await messageField(page).fill('Hi');
		await page.keyboard.press('Enter');
		await page.getByRole('status').getByText('must be a phone number in international').waitFor();
		expect(await messageField(page).inputValue()).toBe('Hi');
		// The browser itself logs the answer 422.
		const { complaints } = visits.at(-1)!;
		expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
	});
});

describe('What a person has not looked at', () => {
	test('is marked in the list and counted in the title, until the conversation is opened', async () => {
		await text('first', '+15551230008');
		await text('second', '+15551230009');
		const page = await openPhone();
		await bubble(page, 'second').waitFor();
		expect(await page.getByText('Unread:').count()).toBe(0);
		await send('An answer', { number: '+15551230008' });
		await seeing(thread(page, '+15551230008'), 'Unread:');
		await titled(page, '(1) Sandbox phone');
		expect(await accessibilityFindings(page)).toEqual([]);
		await send('In the open one', { number: '+15551230009' });
		await bubble(page, 'In the open one').waitFor();
		expect(await page.getByText('Unread:').count()).toBe(1);
		await thread(page, '+15551230008').click();
		await bubble(page, 'An answer').waitFor();
		await page.getByText('Unread:').waitFor({ state: 'detached' });
		await titled(page, 'Sandbox phone');
	});

	test('is counted on a narrow page, also where the phone is not on the screen', async () => {
		await text('first', '+15551230008');
		const page = await openPhone({ viewport: { width: 390, height: 800 } });
		await bubble(page, 'first').waitFor();
		await page.getByRole('button', { name: 'Activity', exact: true }).click();
		await send('An answer', { number: '+15551230008' });
		await page.getByRole('button', { name: 'Conversations 1 unread' }).waitFor();
		await page.getByRole('button', { name: 'Phone', exact: true }).click();
		await page.getByRole('button', { name: 'Conversations', exact: true }).waitFor();
	});
});

describe('The details, the channel and the webhooks', () => {
	test('Esc closes the details and gives the focus back to their button', async () => {
		await text('Hi');
		const page = await openPhone();
		await page.getByRole('button', { name: 'Details' }).click();
		await page.getByRole('switch', { name: 'Has iMessage' }).focus();
		await page.keyboard.press('Escape');
		await page.getByRole('switch', { name: 'Has iMessage' }).waitFor({ state: 'hidden' });
		expect(await page.locator(':focus').textContent()).toBe('Details');
		expect(await page.locator(':focus').getAttribute('aria-expanded')).toBe('false');
	});

	test('the menu of channels says what it is', async () => {
		await text('Hi');
		const page = await openPhone();
		const menu = page.getByRole('combobox', { name: 'Channel', exact: true });
		await page.locator('label').filter({ hasText: 'Channel' }).filter({ has: menu }).waitFor();
		await menu.selectOption('RCS');
		await messageField(page).fill('By RCS');
		await page.keyboard.press('Enter');
		await seeing(bubble(page, 'By RCS'), 'RCS');
	});

	test('a webhook is removed by its button', async () => {
		await registerReceiver();
		const page = await openPhone();
		const panel = await advanced(page);
		await panel.getByRole('button', { name: /^Remove http/ }).click();
		await panel.getByText('No workflow is listening').waitFor();
		await text('Hi');
		expect((await call('GET', '/sandbox/webhooks')).body).toEqual({ webhooks: [] });
		expect(received).toEqual([]);
	});

	test('a conversation that the list has not loaded is found, opened and stays open', async () => {
		await text('A needle in the hay', '+15551230008');
		for (let at = 100; at < 201; at++) await text('Nothing to see', `+15551231${at}`);
		const page = await openPhone();
		const list = page.locator('#thread-list > li');
		await list.filter({ hasText: '+15551231200' }).waitFor();
		const find = page.getByLabel('Find a conversation');
		await find.fill('needle');
		await list.filter({ hasText: '+15551230008' }).waitFor();
		await find.fill('+1 (555) 123-0008');
		await list.filter({ hasText: '+15551231200' }).waitFor({ state: 'detached' });
		await thread(page, '+15551230008').click();
		await bubble(page, 'A needle in the hay').waitFor();
		await find.fill('');
		await list.filter({ hasText: '+15551231200' }).waitFor();
		await text('Look at me', '+15551231150');
		await seeing(thread(page, '+15551231150'), 'Look at me');
		await bubble(page, 'A needle in the hay').waitFor();
	});
});

describe('Accessibility: axe-core finds nothing', () => {
	const states: Array<[string, (page: Page) => Promise<void>]> = [
		['a conversation', async (page) => await bubble(page, 'On its way').waitFor()],
		[
			'the contact’s details',
			async (page) => await page.getByRole('button', { name: 'Details' }).click(),
		],
		['a new text', async (page) => await page.getByRole('button', { name: 'New text' }).click()],
		[
			'a failed delivery, opened',
			async (page) => {
				await entry(page, 'A customer wrote').locator('summary').first().click();
				await page.getByRole('list', { name: 'Attempts' }).first().waitFor();
			},
		],
		[
			'a call, opened',
			async (page) => await entry(page, 'Send a message').locator('summary').first().click(),
		],
		['the controls', async (page) => void (await advanced(page))],
		['looks at the history', async (page) => await looks(page).locator('summary').click()],
	];

	const fillTheTable = async () => {
		await registerReceiver();
		receiverStatus = 500;
		await text('Where is it?');
		await call('PATCH', `/sandbox/contacts/${encodeURIComponent(CONTACT)}`, { fail_next: true });
		await send('Fails');
		await text('STOP', '+15551230002');
		await waitUntil('the end of the failing send', async () => {
			const { messages: rows } = (await call('GET', '/v2/messages')).body as {
				messages: Array<{ status: string }>;
			};
			return rows.some(({ status }) => status === 'ERROR') || undefined;
		});
		await send('On its way: https://shop.example/parcel', {
			media_url: 'https://menu.example/today.png',
		});
		await send('Refused', { line_handle: 'unknown' });
	};

	test.each(['light', 'dark'] as const)(
		'in the %s color scheme, in every state',
		async (colorScheme) => {
			const empty = await openPhone({ colorScheme });
			expect(await accessibilityFindings(empty)).toEqual([]);
			await fillTheTable();
			for (const [state, enter] of states) {
				const page = await openPhone({ colorScheme });
				await bubble(page, 'On its way').waitFor();
				await enter(page);
				expect({ state, findings: await accessibilityFindings(page) }).toEqual({
					state,
					findings: [],
				});
			}
		},
	);

	test.each([320, 390, 800])('at a width of %i, at which nothing is cut off', async (width) => {
		await fillTheTable();
		const page = await openPhone({ viewport: { width, height: 800 } });
		for (const view of ['Phone', 'Conversations', 'Activity', 'Controls']) {
			await page.getByRole('button', { name: view, exact: true }).click();
			expect(await accessibilityFindings(page)).toEqual([]);
			expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
		}
	});
});
