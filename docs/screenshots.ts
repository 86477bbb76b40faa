/**
 * Takes the pictures of the README from a running playground, so that they show the current state:
 * `npm run screenshots`. It needs Chromium, and installs n8n where `npm start` has not done so yet.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Playground } from '../playground/playground';
import { logTo } from '../playground/progress';
import { launchBrowser } from '../test/support/playground/browser';
import { Customer } from '../test/support/playground/customer';
import { TemporaryPlayground } from '../test/support/playground/temporaryPlayground';

const PICTURES = join(__dirname, 'screenshots');
const WORKFLOW = 'twmAutoReply0001';
const CREDENTIAL = { type: 'twoWayMessagingApi', name: 'Two-Way Messaging Sandbox' };
const TRIGGER = 'When a customer texts';
const ANSWER = 'Answer';

/** How long a picture may have to wait for something on the page. */
const PATIENCE_MS = 20_000;

const log = logTo(process.stdout);

/** Opens a page in a window as wide as a picture in the README can be. */
async function open(browser: Browser, url: string, height: number): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1200, height },
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
	const page = await context.newPage();
	page.setDefaultTimeout(PATIENCE_MS);
	await page.goto(url);
	return page;
}

async function take(name: string, of: Page | Locator): Promise<void> {
	const path = join(PICTURES, `${name}.png`);
	await of.screenshot({ path, animations: 'disabled', caret: 'hide' });
	log(`  ✓ ${name}`);
}

/** Takes the phone with a conversation that a workflow has answered. */
async function takePhone(browser: Browser, { sandboxUrl }: Playground): Promise<void> {
	const customers = ['+15551230002', '+15551230001'].map((from) => new Customer(sandboxUrl, from));
	const texts = ['Can I come on Friday at 10?', 'Hi, are you open today?'];
	for (const [at, customer] of customers.entries()) {
		await customer.text(texts[at] ?? '');
		await customer.waitForAnswer();
	}
	const page = await open(browser, sandboxUrl, 680);
	await page.locator('#thread-list').getByText('are you open', { exact: false }).first().click();
	await page.locator('.message').filter({ hasText: 'answer shortly' }).waitFor();
	await page.getByText('Live', { exact: true }).waitFor();
	await take('phone', page);
}

async function logIn(browser: Browser, { n8nUrl, login }: Playground): Promise<Page> {
	const page = await open(browser, `${n8nUrl}/signin`, 760);
	await page
		.locator('input[autocomplete="email"], input[name="emailOrLdapLoginId"]')
		.first()
		.fill(login.email);
	await page.locator('input[type="password"]').first().fill(login.password);
	await page.locator('[data-test-id="form-submit-button"]').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
	return page;
}

const node = (page: Page, name: string) => page.locator(`[data-node-name="${name}"]`).first();
const panel = (page: Page) => page.locator('[data-test-id="ndv"]').first();

async function takeCanvas(page: Page, { n8nUrl }: Playground): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/${WORKFLOW}`);
	await node(page, ANSWER).waitFor();
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await settle(page);
	await take('canvas', page);
}

/** Takes the panels with a real event, so that they show real data. */
async function takePanels(page: Page, { sandboxUrl }: Playground): Promise<void> {
	await node(page, TRIGGER).dblclick();
	await panel(page).waitFor();
	await page.locator('[data-test-id="node-execute-button"]').first().click();
	await page.locator('[data-test-id="trigger-listening"]').waitFor();
	await new Customer(sandboxUrl, '+15551230001').text('And on Sunday?');
	await panel(page).getByText('And on Sunday?').first().waitFor();
	await page.locator('[data-test-id="output-panel"]').getByText('Schema', { exact: true }).click();
	await settle(page);
	await take('trigger', page);

	await page.keyboard.press('Escape');
	await panel(page).waitFor({ state: 'hidden' });
	await node(page, ANSWER).dblclick();
	await panel(page).getByText('And on Sunday?').first().waitFor();
	await settle(page);
	await take('reply', page);
	await page.keyboard.press('Escape');
}

async function takeCredential(page: Page, { n8n, n8nUrl }: Playground): Promise<void> {
	const id = await n8n.findCredential(CREDENTIAL.type, CREDENTIAL.name);
	await page.goto(`${n8nUrl}/home/credentials/${id ?? ''}`);
	const dialog = page.locator('[data-test-id="editCredential-modal"]');
	await dialog.getByText('Base URL').first().waitFor();
	await settle(page);
	await take('credential', dialog);
}

/** Waits until nothing moves and every icon is loaded, and hides what n8n shows for some seconds only. */
async function settle(page: Page): Promise<void> {
	await page.addStyleTag({
		content: '.el-notification, [data-reka-popper-content-wrapper] { display: none !important }',
	});
	await page.waitForLoadState('networkidle');
	await page.waitForTimeout(800);
}

async function run(): Promise<void> {
	await mkdir(PICTURES, { recursive: true });
	const temporary = await TemporaryPlayground.start({ log, withShop: true });
	let browser: Browser | undefined;
	try {
		const playground = temporary.running;
		browser = await launchBrowser();
		await takePhone(browser, playground);
		const page = await logIn(browser, playground);
		await takeCanvas(page, playground);
		await takePanels(page, playground);
		await takeCredential(page, playground);
	} finally {
		await browser?.close();
		await temporary.removeAll();
	}
}

run().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
