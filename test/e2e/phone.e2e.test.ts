import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { NO_REQUEST_LIMITS, createSandbox, serve } from '../../sandbox/src';
import type { Sandbox, Served } from '../../sandbox/src';
import {
	accessibilityFindings,
	launchBrowser,
	visit,
	type Visit,
} from '../support/playground/browser';
import { PNG } from '../support/picture';
import { startStub } from '../support/stub';
import { waitUntil } from '../support/waitUntil';

const CONTACT = '+15551230001';
const [EIGHTH, NINTH] = ['+15551230008', '+15551230009'] as const;
const KEY_PAIR = { key: 'key_of_the_tests', secret: 'secret_of_the_tests' };
const SIGNING_SECRET = 'signing_secret_of_the_tests';
/** What n8n answers, and at some paths of its own accord. */
const NOT_ACTIVE =
	'{"code":404,"message":"the workflow is \\"not\\" active","stacktrace":"at line 1 …';
const THANKS: Record<string, string> = {
	'/picky': 'starts nothing: the filters leave it out',
	'/again': 'starts nothing: it has come before',
	'/asking': 'it may be the answer to a question that waits',
};
const EMPTY = 'You hold a customer’s phone';

let browser: Browser;
let sandbox: Sandbox;
let served: Served;
let visits: Visit[] = [];
/** The receiver of events, once a test has registered it, and the status that it answers. */
let receiver: Awaited<ReturnType<typeof startStub>> | undefined;
let receiverStatus = 200;
/** The paths at which n8n has no webhook: a test has ended, or a workflow was stopped. */
let noWebhook: RegExp;

beforeAll(async () => {
	browser = await launchBrowser();
});

afterAll(async () => await browser?.close());

beforeEach(async () => {
	receiverStatus = 200;
	noWebhook = /ended|stopped/;
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
	const seen = visits.map(({ complaints, foreignRequests }) => [...complaints, ...foreignRequests]);
	for (const { page } of visits) await page.context().close();
	visits = [];
	await served.close();
	await receiver?.stop();
	receiver = undefined;
	// In every test the console stays empty, and the page makes no request to another host.
	expect(seen.flat()).toEqual([]);
});

const openPhone = async (options?: BrowserContextOptions): Promise<Page> => {
	const opened = await visit(browser, served.url, options);
	visits.push(opened);
	await opened.page.getByText('Live', { exact: true }).waitFor();
	return opened.page;
};

/** A phone with two conversations; the one of the ninth customer is open. */
const openTwo = async (): Promise<Page> => {
	await text('first', EIGHTH);
	await text('second', NINTH);
	const page = await openPhone();
	await bubble(page, 'second').waitFor();
	return page;
};

/** Calls the service as a workflow would, or calls a control endpoint. */
const call = async (method: string, path: string, body?: object) => {
	const { key, secret } = KEY_PAIR;
	const headers = { 'x-api-key': key, 'x-api-secret': secret, 'content-type': 'application/json' };
	const given = { method, headers, body: body && JSON.stringify(body) };
	const answer = await fetch(served.url + path, given);
	return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const send = async (content: string, fields: object = {}) =>
	await call('POST', '/v1/send-message', { number: CONTACT, content, ...fields });

const text = async (content: string, from: string = CONTACT) =>
	await call('POST', '/sandbox/inbound', { from, content });

/** The history, newest first, where a test waits for something in it. */
const history = async () =>
	(await call('GET', '/v2/messages')).body['messages'] as Array<Record<string, string>>;

type Line = { line_handle: string; is_active: boolean; blocked_at: string | null };
const lines = async () => (await call('GET', '/v1/lines')).body['lines'] as Line[];

const register = async (path: string) => {
	const webhook = { url: receiver!.url + path, secret: SIGNING_SECRET, events: ['receive'] };
	await call('POST', '/v1/account/webhooks', webhook);
};

const startReceiver = async (path = '/hook') => {
	receiver = await startStub(({ path }) => {
		const status = noWebhook.test(path) ? 404 : receiverStatus;
		return { status, body: status === 200 ? (THANKS[path] ?? 'thanks') : NOT_ACTIVE };
	});
	await register(path);
};

/** The events that the receiver has got, once there are so many. */
const received = async (count: number) =>
	await waitUntil(`${count} events`, async () =>
		receiver!.requests.length >= count
			? receiver!.requests.map(({ body }) => String(body))
			: undefined,
	);

const button = (page: Page | Locator, name: string | RegExp) =>
	page.getByRole('button', { name, exact: typeof name === 'string' });
const messageField = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });
const bubble = (page: Page, words: string): Locator =>
	messages(page).locator('.message').filter({ hasText: words });
const rows = (page: Page) => page.getByRole('list', { name: 'Log' }).locator('> li');
const entry = (page: Page, words: string): Locator => rows(page).filter({ hasText: words }).first();
const open = async (row: Locator) => await row.locator('summary').first().click();
const thread = (page: Page, number: string) =>
	page.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: number });
const tab = async (page: Page, name: string) => {
	await page.getByRole('tab', { name }).click();
	return page.getByRole('tabpanel', { name });
};
const advanced = async (page: Page) => {
	const panel = await tab(page, 'Controls');
	await panel.getByRole('heading', { name: 'Advanced' }).click();
	return panel;
};
/** The title follows what is on the page by one look at the service's state. */
const titled = async (page: Page, title: string) =>
	await page.waitForFunction(`document.title === ${JSON.stringify(title)}`);
const seeing = async (locator: Locator, ...words: string[]) => {
	for (const one of words) await locator.filter({ hasText: one }).first().waitFor();
};
const write = async (page: Page, words: string) => {
	await messageField(page).fill(words);
	await page.keyboard.press('Enter');
};

describe('A conversation', () => {
	test('§1.4 a person texts from any number, and the answer appears without reloading the page', async () => {
		await startReceiver();
		const page = await openPhone();
		await page.getByText(EMPTY).waitFor();
		await page.getByRole('textbox', { name: 'From' }).fill('+44 7700 900-123');
		await messageField(page).fill('Are you open?');
		await button(page, 'Send').click();
		await seeing(bubble(page, 'Are you open?'), 'iMessage · Received by the line');
		expect((await received(1))[0]).toContain('+447700900123');
		await send('Until six.', { number: '+447700900123' });
		await seeing(bubble(page, 'Until six.'), 'iMessage · Delivered');
		expect(await bubble(page, 'Until six.').getAttribute('class')).toContain('from-line iMessage');
	});

	test('a URL in a text is a link, and the rest of it is text and never HTML', async () => {
		const page = await openPhone();
		const said = 'Look (http://menu.example/today?of=me). <b>Not javascript:alert(1)</b>';
		await text(said);
		const shown = bubble(page, 'Look').locator('.text');
		expect(await shown.textContent()).toBe(said);
		const link = shown.getByRole('link');
		expect(await link.getAttribute('href')).toBe('http://menu.example/today?of=me');
		expect(await link.getAttribute('rel')).toContain('noopener');
	});

	test('what a person has not sent yet stays with its customer, until a reset', async () => {
		const page = await openTwo();
		const turnTo = async (number: string, said: string) => {
			await thread(page, number).click();
			await bubble(page, said).waitFor();
			return await messageField(page).inputValue();
		};
		await messageField(page).fill('As the ninth');
		expect(await turnTo(EIGHTH, 'first')).toBe('');
		await messageField(page).fill('As the eighth');
		expect(await turnTo(NINTH, 'second')).toBe('As the ninth');
		await call('POST', '/sandbox/reset');
		await page.getByText(EMPTY).waitFor();
		expect(await messageField(page).inputValue()).toBe('');
	});

	test('a text can have several lines and a channel, and Enter sends it', async () => {
		const page = await openPhone();
		await page.getByRole('combobox', { name: 'Channel', exact: true }).selectOption('RCS');
		await messageField(page).fill('one');
		await page.keyboard.press('Shift+Enter');
		await page.keyboard.type('two');
		await page.keyboard.press('Enter');
		await seeing(bubble(page, 'two'), 'RCS');
		expect(await history()).toMatchObject([{ content: 'one\ntwo' }]);
		expect(await messageField(page).inputValue()).toBe('');
	});

	test('§4.8 a picture that a person sends is shown, and media on another host is a link only', async () => {
		const page = await openPhone();
		const file = { name: 'a.png', mimeType: 'image/png', buffer: PNG };
		await page.locator('#file').setInputFiles(file);
		await page.getByText('a.png').waitFor();
		await button(page, 'Send').click();
		const picture = messages(page).getByRole('img', { name: 'Attached picture' });
		await picture.waitFor();
		const width = await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth);
		expect(width).toBe(1);
		expect((await history())[0]!['media_url']).toContain(`${served.url}/sandbox/media/`);
		await send('The menu', { media_url: 'https://menu.example/today.png' });
		await messages(page)
			.getByRole('link', { name: /^Media on menu\.example/ })
			.waitFor();
		expect(await messages(page).getByRole('img').count()).toBe(1);
	});

	test('§1.5 the quick replies opt the customer out and in, which the conversation shows', async () => {
		await text('Hi');
		const page = await openPhone();
		await button(page, 'STOP').click();
		await page.getByText('Opted out: sends to this number are refused').waitFor();
		await button(page, 'START').click();
		await page.getByText('Opted out: sends').waitFor({ state: 'hidden' });
	});

	test('§1.2 §3.1 a customer can be switched to SMS, and the next message can be made to fail', async () => {
		await text('Hi');
		const page = await openPhone();
		await button(page, 'Details').click();
		await page.getByRole('switch', { name: 'Has iMessage' }).click();
		await page.getByText('The next message goes by SMS, and later ones').waitFor();
		await send('By SMS');
		await seeing(bubble(page, 'By SMS'), 'SMS · Delivered');

		await page.getByRole('textbox', { name: 'Reason' }).fill('Out of reach');
		await page.getByRole('switch', { name: 'Next message fails' }).click();
		await page.getByRole('switch', { name: 'Next message fails', checked: true }).waitFor();
		await waitUntil('the reason at the sandbox', async () => {
			const { body } = await call('GET', '/sandbox/state');
			return JSON.stringify(body).includes('Out of reach') || undefined;
		});
		await send('Lost');
		await seeing(bubble(page, 'Lost'), 'Not sent: Out of reach');
	});

	test('Esc closes the details and gives the focus back to their button', async () => {
		await text('Hi');
		const page = await openPhone();
		await button(page, 'Details').click();
		const inside = page.getByRole('switch', { name: 'Has iMessage' });
		await inside.focus();
		await page.keyboard.press('Escape');
		await inside.waitFor({ state: 'hidden' });
		expect(await page.locator(':focus').textContent()).toBe('Details');
		expect(await page.locator(':focus').getAttribute('aria-expanded')).toBe('false');
	});

	test('§7 a refused message stands where it would have been, says why, and is in the list until a newer one', async () => {
		await text('Are you open?');
		const page = await openPhone();
		await send('Until six.', { line_handle: 'unknown' });
		await seeing(bubble(page, 'Until six.'), 'The shop’s message was refused: the line is off');
		await seeing(thread(page, CONTACT), 'Refused: Until six.');
		await text('Hello?');
		await seeing(thread(page, CONTACT), 'Hello?');
		await bubble(page, 'Hello?').waitFor();
		const said = await messages(page).locator('.text').allTextContents();
		expect(said).toEqual(['Are you open?', 'Until six.', 'Hello?']);
	});

	test('who writes from what is no number is told how one looks, and can change it at once', async () => {
		const page = await openPhone();
		const from = page.getByRole('textbox', { name: 'From' });
		await from.fill('555 999');
		await write(page, 'Hi');
		await page.getByRole('status').getByText('with a plus and the country code').waitFor();
		expect(await from.evaluate((field) => field.matches(':focus'))).toBe(true);
		expect(await messageField(page).inputValue()).toBe('Hi');
	});
});

describe('The log', () => {
	test('§6.4 a failed delivery shows its attempts, goes again by hand in three ways, and as time passes', async () => {
		await startReceiver();
		receiverStatus = 500;
		const page = await openPhone();
		await text('Hi');
		const delivery = entry(page, 'A customer wrote');
		await seeing(delivery, 'n8n broke down (500): tries again');
		await open(delivery);
		const attempts = delivery.getByRole('list', { name: 'Attempts' }).locator('> li');
		await seeing(attempts, 'Attempt 1', 'the workflow is "not" active', 'ms');
		expect(await attempts.textContent()).not.toContain('stacktrace');
		await attempts.getByText('Headers sent').click();
		await attempts.getByText(/^t=\d{10},v1=[0-9a-f]{64}$/).waitFor();
		await seeing(delivery, 'Next attempt');
		const topOf = async (part: Locator) => (await part.boundingBox())!.y;
		const again = await topOf(button(delivery, 'Deliver again'));
		expect(again).toBeLessThan(await topOf(delivery.getByText('Event body')));
		for (const [name, how] of [
			['Deliver again', 'Delivered again by hand'],
			['Deliver too late: to be refused', 'by hand, with an old timestamp'],
			['Deliver forged: to be refused', 'by hand, with a broken signature'],
		] as const) {
			await button(delivery, name).click();
			await seeing(attempts, how);
		}
		receiverStatus = 200;
		await button(await tab(page, 'Controls'), '+ 1 minute').click();
		await tab(page, 'Activity');
		await seeing(delivery, 'Received by n8n');
		expect(await received(5)).toHaveLength(5);
	});

	test('looks at the history are folded into one row, however many, which a person can open', async () => {
		await send('Hello');
		// More than the newest calls that the page asks for at first.
		for (let at = 0; at < 120; at += 1) await history();
		const page = await openPhone();
		const folded = rows(page).first();
		await seeing(folded, '120 looks at the history');
		expect(await rows(page).count()).toBe(2);
		await open(folded);
		await history();
		await seeing(folded, '121 looks at the history');
	});

	test.each([
		[
			['/hook', '/second', '/webhook-test/ended'],
			['Received by n8n', 'Two workflows listen to this line, so both got this text.'],
		],
		[
			['/picky', '/stopped'],
			['Starts no workflow', 'the filters leave it out'],
		],
		[['/picky', '/stopped', '/hook'], ['Received by n8n']],
		[['/again'], ['Received by n8n']],
		[
			['/stopped', '/asking'],
			['Received by n8n', 'It may be the answer that a workflow waits for.'],
		],
		[
			['/stopped', '/stopped-too'],
			['No workflow is listening', 'usual after Unpublish. Tries again at'],
		],
	])('says what becomes of a text at %j, and leaves out who has stopped: %j', async (...given) => {
		const [[first, ...others], words] = given;
		await startReceiver(first);
		for (const path of others) await register(path);
		const page = await openPhone();
		await text('Hi there');
		await seeing(entry(page, 'A customer wrote').filter({ hasNotText: 'editor' }), ...words);
	});

	test('an opened text folds who got nothing, and keeps what is open when that one gets it later', async () => {
		await startReceiver('/stopped');
		await register('/hook');
		const page = await openPhone();
		await text('Hi there');
		const row = entry(page, 'Hi there');
		await seeing(row, 'Received by n8n');
		await open(row);
		await row.getByText(`${receiver!.url}/hook`).waitFor();
		expect(await row.getByText(`${receiver!.url}/stopped`).isVisible()).toBe(false);
		await row.getByText('n8n has no such webhook any more (404)').first().click();
		await row.getByText(`${receiver!.url}/stopped`).waitFor();
		const titles = row.locator('details > summary');
		const numbers = async () => (await titles.allTextContents()).join().match(/Webhook \d/g);
		const before = await numbers();
		noWebhook = /ended/;
		await call('POST', '/sandbox/clock', { advance_seconds: 60 });
		await seeing(row, 'Two workflows listen');
		await row.getByText(`${receiver!.url}/stopped`).waitFor();
		expect(await numbers()).toEqual(before);
		expect(await row.locator('.headers[open]').count()).toBe(0);
		// Nor does it move while others come.
		const place = async () => (await row.boundingBox())!.y;
		const placeBefore = await place();
		await text('Another one');
		await page.getByText('1 newer').waitFor();
		expect(await place()).toBeCloseTo(placeBefore, 0);
	});

	test('who looks at older entries sees how many newer ones came, and goes to them', async () => {
		await startReceiver();
		for (let at = 0; at < 20; at += 1) await text(`Older ${at}`);
		const page = await openPhone();
		await entry(page, 'Older 19').waitFor();
		const newer = button(page, /newer/);
		expect(await newer.isVisible()).toBe(false);
		const scrollTop = async () => await page.locator('#activity').evaluate((one) => one.scrollTop);
		await page.locator('#activity').evaluate((one) => (one.scrollTop = 500));
		await text('One');
		await history();
		await text('Two');
		await page.getByText('2 newer').click();
		expect(await scrollTop()).toBe(0);
		await newer.waitFor({ state: 'hidden' });
		await entry(page, 'Two').waitFor();
	});

	test('the empty log says first to send a text, and how to connect only where n8n never called', async () => {
		const page = await openPhone();
		const empty = page.locator('#log-empty p');
		const alone = createSandbox({ keyPairs: [KEY_PAIR] });
		const servedAlone = await serve(alone);
		const other = await visit(browser, servedAlone.url);
		const otherEmpty = other.page.locator('#log-empty p');
		await seeing(otherEmpty, 'Base URL');
		expect(await otherEmpty.first().textContent()).toMatch(/^Send a text/);
		await other.page.context().close();
		await servedAlone.close();
		// This one is a playground's.
		await startReceiver();
		await entry(page, 'Register a webhook').waitFor();
		await call('POST', '/sandbox/reset', { keep_webhooks: true });
		await empty.first().waitFor();
		await empty.nth(1).waitFor({ state: 'detached' });
		expect(await empty.first().textContent()).toMatch(/^Send a text/);
	});

	test('a send with a wrong key pair says who could not text whom', async () => {
		const page = await openPhone();
		const body = JSON.stringify({ number: CONTACT, content: 'Hello' });
		const headers = { 'x-api-key': 'wrong', 'content-type': 'application/json' };
		await fetch(`${served.url}/v1/send-message`, { method: 'POST', headers, body });
		const said = `A workflow tried to text ${CONTACT} “Hello”: the key or the secret`;
		await seeing(entry(page, 'Send a message'), said, 'Key pair not accepted (401)');
	});

	test('a text that nobody gets says so, and the URLs that were given up are folded', async () => {
		await startReceiver();
		receiverStatus = 404;
		for (let at = 0; at < 10; at += 1) await text('Anyone?');
		await received(10);
		const page = await openPhone();
		await text('Hello?');
		const row = entry(page, 'Hello?');
		await seeing(row, 'No workflow is listening', 'Publish one that starts with');
		await open(row);
		await seeing(rows(page).nth(1), 'The service has given up', 'Publish the workflow');
		await seeing(row, '1 disabled webhook got nothing: ten attempts had failed');
		await seeing(await advanced(page), '1 webhook is disabled: ten attempts had failed');
	});

	test('a call shows its request and answer, and can be copied as curl, without key and secret', async () => {
		const page = await openPhone({ permissions: ['clipboard-read', 'clipboard-write'] });
		await startReceiver();
		await send("It's here");
		const sent = entry(page, 'Send a message');
		await seeing(sent, '201');
		await open(sent);
		await sent.getByText('Request headers').click();
		await seeing(sent, "It's here", 'QUEUED');
		const registered = entry(page, 'Register a webhook');
		await open(registered);
		await seeing(registered, '<SIGNING_SECRET>');
		await button(sent, 'Copy as curl').click();
		await page.getByText('The curl command copied.').waitFor();
		const curl = await page.evaluate<string>('navigator.clipboard.readText()');
		expect(curl).toContain(`curl -X POST '${served.url}/v1/send-message'`);
		expect(curl).toContain('-H "x-api-key: $API_KEY"');
		expect(curl).toContain('-H "x-api-secret: $API_SECRET"');
		expect(curl).toContain(`--data-raw '{"number":"${CONTACT}","content":"It'\\''s here"}'`);
		const shown = await page.content();
		expect(shown).toContain('&lt;API_SECRET&gt;');
		for (const secret of [KEY_PAIR.key, KEY_PAIR.secret, SIGNING_SECRET]) {
			expect(shown + curl).not.toContain(secret);
		}
	});
});

describe('The controls', () => {
	test('§3.2 give a line one state at a time: Active, Off or Blocked', async () => {
		await text('Hi');
		const page = await openPhone();
		const panel = await tab(page, 'Controls');
		const states = panel.getByRole('group', { name: 'Front desk is' });
		for (const [state, isActive, isBlocked] of [
			['Blocked', true, true],
			['Off', false, expect.any(Boolean)],
			['Active', true, false],
		] as const) {
			await button(states, state).click();
			await states.getByRole('button', { name: state, pressed: true }).waitFor();
			expect(await states.locator('[aria-pressed=true]').count()).toBe(1);
			const [line] = await lines();
			expect([line!.is_active, line!.blocked_at !== null]).toEqual([isActive, isBlocked]);
			const shown = page.locator('.phone-head').getByText('Off', { exact: true });
			if (state === 'Off') await shown.waitFor();
		}
	});

	test('§8.2 change a line’s limits, and its card says how many conversations wait', async () => {
		const page = await openPhone();
		const panel = await tab(page, 'Controls');
		const card = panel.getByRole('article').filter({ hasText: 'Front desk' });
		await card.getByLabel('Per hour').fill('0');
		await button(card, 'Change the limits of Front desk').click();
		await seeing(card, '0 of 0 new conversations left this hour');
		await send('Held', { line_handle: (await lines())[0]!.line_handle });
		await seeing(card, '1 new conversation waits for the limit');
		await seeing(bubble(page, 'Held'), 'Queued');
	});

	test('a refusal is shown with the service’s sentence', async () => {
		const page = await openPhone();
		const panel = await tab(page, 'Controls');
		await panel.getByLabel('Per hour').first().fill('');
		await button(panel, 'Change the limits of Front desk').click();
		await page.getByRole('status').getByText('must be a whole number').waitFor();
		// The browser itself logs the answer 422.
		expect(visits.at(-1)!.complaints.splice(0)).toEqual([expect.stringContaining('422')]);
	});

	test('give the service another character, and show the one that it has', async () => {
		const page = await openPhone();
		const panel = await tab(page, 'Controls');
		const choice = panel.getByLabel('What its document leaves open');
		await panel.getByRole('heading', { name: 'Advanced' }).click();
		await panel.getByText('Literal: the service sends what its document shows').waitFor();
		expect(await choice.inputValue()).toBe('literal');
		await choice.selectOption('awkward');
		await panel.getByText('Awkward: the service does what its document leaves open').waitFor();
		expect((await call('GET', '/sandbox/state')).body).toMatchObject({ character: 'awkward' });
		await call('POST', '/sandbox/character', { character: 'generous' });
		await panel.getByText('Generous: the service sends more fields').waitFor();
		expect(await choice.inputValue()).toBe('generous');
	});

	test('make the next call fail, and remove the fault', async () => {
		const page = await openPhone();
		const panel = await tab(page, 'Controls');
		const kinds = panel.getByRole('combobox', { name: /^The service/ });
		await kinds.selectOption('status-500-after');
		await button(panel, 'Make it fail').click();
		const said = 'The next time a workflow wants to send a message, the service does it, then';
		await page.getByRole('status').getByText(said).waitFor();
		await panel.getByRole('list', { name: 'Pending faults' }).getByText(said).waitFor();
		expect((await send('Did it go?')).status).toBe(500);
		await tab(page, 'Activity');
		await open(entry(page, '500'));
		await page.getByText('You asked for this: the service does it, then breaks down').waitFor();

		await tab(page, 'Controls');
		await button(panel, 'Make it fail').click();
		await button(panel, 'Remove it').click();
		await panel.getByRole('list', { name: 'Pending faults' }).waitFor({ state: 'detached' });
		expect((await send('And now?')).status).toBe(201);
	});

	test('reset after a question, which removes the messages and keeps the registered webhooks', async () => {
		await startReceiver();
		await text('Hi');
		const page = await openPhone();
		await bubble(page, 'Hi').waitFor();
		const panel = await tab(page, 'Controls');
		await button(panel, 'Reset…').click();
		await button(panel, 'Yes, start over').click();
		await page.getByText(EMPTY).waitFor();
		expect(await messages(page).locator('.message').count()).toBe(0);
		await text('After');
		expect((await received(2))[1]).toContain('After');
	});

	test('remove a webhook', async () => {
		await startReceiver();
		const page = await openPhone();
		const panel = await advanced(page);
		await button(panel, /^Remove http/).click();
		await panel.getByText('No workflow is listening').waitFor();
		expect((await call('GET', '/sandbox/webhooks')).body).toEqual({ webhooks: [] });
	});
});

describe('The page', () => {
	test('links to the workflows, and says so when the sandbox does not answer', async () => {
		const page = await openPhone();
		const link = page.getByRole('link', { name: 'Open n8n' });
		expect(await link.getAttribute('href')).toBe('http://127.0.0.1:5678/home/workflows');
		await served.close();
		await page.getByText('Sandbox does not answer').waitFor();
		// The browser itself logs the lost connection, and every try to connect again.
		await page.close();
		visits.at(-1)!.complaints.length = 0;
	});

	test('can be used by keyboard alone', async () => {
		const page = await openTwo();
		await page.keyboard.press('Tab');
		const focused = async () => (await page.locator(':focus').textContent()) ?? '';
		expect(await focused()).toBe('Skip to the phone');
		for (let n = 0; n < 10 && !(await focused()).includes(NINTH); n++) {
			await page.keyboard.press('Tab');
		}
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await bubble(page, 'first').waitFor();
		await page.keyboard.type('by keyboard');
		await page.keyboard.press('Enter');
		await bubble(page, 'by keyboard').waitFor();
		expect((await history())[0]).toMatchObject({ from: EIGHTH, content: 'by keyboard' });
		await page.getByRole('tab', { name: 'Activity' }).focus();
		await page.keyboard.press('ArrowRight');
		await page.getByRole('heading', { name: 'Make the next call fail' }).waitFor();
	});

	test('needs few elements for two thousand messages; scrolling and search reach every one', async () => {
		const receive = async (from: string, content: string) => {
			const given = { method: 'POST', body: JSON.stringify({ from, content }) };
			await sandbox.app.request('/sandbox/inbound', given);
		};
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
		const another = await openPhone();
		await another.getByLabel('Find a conversation').fill('Line 3.');
		await seeing(thread(another, CONTACT), 'Line 3.');
		await thread(another, CONTACT).click();
		const found = messages(another).locator('[aria-current]', { hasText: 'Line 3.' });
		await found.waitFor();
		expect(await found.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThan(0);
	});

	test('finds a conversation that the list has not loaded, opens it and keeps it open', async () => {
		await text('A needle in the hay', EIGHTH);
		for (let at = 100; at < 201; at++) await text('Nothing to see', `+15551231${at}`);
		const page = await openPhone();
		const list = page.locator('#thread-list > li');
		const newest = list.filter({ hasText: '+15551231200' });
		await newest.waitFor();
		const find = page.getByLabel('Find a conversation');
		await find.fill('needle');
		await list.filter({ hasText: EIGHTH }).waitFor();
		await newest.waitFor({ state: 'detached' });
		let goOn = () => {};
		const held = new Promise<void>((resolve) => (goOn = resolve));
		await page.route(
			/conversation_handle=\w/,
			async (all) => await held.then(() => all.continue()),
		);
		await thread(page, EIGHTH).click();
		// Whoever goes back to the field before the conversation is there goes on typing in the field.
		await find.fill('');
		goOn();
		await newest.waitFor();
		await bubble(page, 'A needle in the hay').waitFor();
		await page.keyboard.type('needle');
		await newest.waitFor({ state: 'detached' });
	});

	test('marks and counts what a person has not looked at, until the conversation is opened', async () => {
		const page = await openTwo();
		expect(await page.getByText('Unread:').count()).toBe(0);
		await send('An answer', { number: EIGHTH });
		await seeing(thread(page, EIGHTH), 'Unread:');
		await titled(page, '(1) Sandbox phone');
		expect(await accessibilityFindings(page)).toEqual([]);
		await thread(page, EIGHTH).click();
		await bubble(page, 'An answer').waitFor();
		await page.getByText('Unread:').waitFor({ state: 'detached' });
		await titled(page, 'Sandbox phone');
	});

	test('lets a person go on after a reset where it is narrow: a notice lies on nothing and goes by itself', async () => {
		const page = await openPhone({ viewport: { width: 390, height: 800 } });
		await page.clock.install();
		await page.getByText(EMPTY).waitFor();
		const heightOf = async () => (await messageField(page).boundingBox())!.height;
		const before = await heightOf();
		await text('first', EIGHTH);
		await bubble(page, 'first').waitFor();
		await button(page, 'Controls').click();
		await button(page, 'Reset…').click();
		await button(page, 'Yes, start over').click();
		const notice = page.locator('.notice').filter({ hasText: 'Everything is as it was' });
		for (const view of ['Controls', 'Conversations']) {
			await button(page, view).click();
			const [top, main] = [await notice.boundingBox(), await page.locator('main').boundingBox()];
			expect(top!.y).toBeGreaterThanOrEqual(main!.y + main!.height);
			expect(top!.y + top!.height).toBeLessThanOrEqual(800);
		}
		await page.clock.fastForward(7_000);
		await notice.waitFor({ state: 'detached' });
		// The phone starts over while it is not on the screen.
		await page.locator('#message-list .message').waitFor({ state: 'detached' });
		await button(page, 'Phone').click();
		await page.getByText(EMPTY).waitFor();
		expect(await heightOf()).toBeCloseTo(before, 0);
	});

	test('has one view at a time where it is narrow, and counts there what is new, too', async () => {
		await text('first', EIGHTH);
		const page = await openPhone({ viewport: { width: 390, height: 800 } });
		const [activity, panel] = ['activity', 'controls'].map((id) => page.locator(`#${id}`));
		await bubble(page, 'first').waitFor();
		await button(page, 'Controls').click();
		await panel!.getByRole('heading', { name: 'Lines' }).waitFor();
		expect(await activity!.isVisible()).toBe(false);
		expect(await page.getByRole('tab').count()).toBe(0);
		await button(page, 'Activity').click();
		await activity!.getByText('Nothing has happened yet').waitFor();
		expect(await panel!.isVisible()).toBe(false);
		await send('An answer', { number: EIGHTH });
		await button(page, 'Conversations 1 unread').waitFor();
		await button(page, 'Phone').click();
		await button(page, 'Conversations').waitFor();
	});
});

describe('Accessibility: axe-core finds nothing', () => {
	const states: Array<[string, (page: Page) => Promise<void>]> = [
		['a conversation', async (page) => await bubble(page, 'On its way').waitFor()],
		['the contact’s details', async (page) => await button(page, 'Details').click()],
		['a new text', async (page) => await button(page, 'New text').click()],
		[
			'a failed delivery, opened',
			async (page) => {
				await open(entry(page, 'A customer wrote'));
				await page.getByRole('list', { name: 'Attempts' }).first().waitFor();
			},
		],
		['a call, opened', async (page) => await open(entry(page, 'Send a message'))],
		['the controls', async (page) => void (await advanced(page))],
		['looks at the history', async (page) => await open(rows(page).and(page.locator('.looks')))],
	];

	const fillTheTable = async () => {
		await startReceiver();
		receiverStatus = 500;
		await text('Where is it?');
		await call('PATCH', `/sandbox/contacts/${encodeURIComponent(CONTACT)}`, { fail_next: true });
		await send('Fails');
		await text('STOP', '+15551230002');
		await waitUntil('the end of the failing send', async () =>
			(await history()).some(({ status }) => status === 'ERROR') ? true : undefined,
		);
		const media = { media_url: 'https://menu.example/today.png' };
		await send('On its way: https://shop.example/parcel', media);
		await send('Refused', { line_handle: 'unknown' });
	};

	test.each(['light', 'dark'] as const)('in the %s color scheme, in every state', async (color) => {
		const options = { colorScheme: color };
		expect(await accessibilityFindings(await openPhone(options))).toEqual([]);
		await fillTheTable();
		for (const [state, enter] of states) {
			const page = await openPhone(options);
			await bubble(page, 'On its way').waitFor();
			await enter(page);
			expect([state, await accessibilityFindings(page)]).toEqual([state, []]);
		}
	});

	test.each([320, 390, 800])('at a width of %i, at which nothing is cut off', async (width) => {
		await fillTheTable();
		const page = await openPhone({ viewport: { width, height: 800 } });
		for (const view of ['Phone', 'Conversations', 'Activity', 'Controls']) {
			await button(page, view).click();
			expect(await accessibilityFindings(page)).toEqual([]);
			expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
		}
	});
});
