/**
 * Takes the pictures of the pages from a running playground, so that they show the current state: `npm run screenshots`.
 * It needs Chromium, and installs n8n where `npm start` has not done so yet. `npm run screenshots survey filters` takes only
 * these. A picture that cannot be taken keeps no other one back.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { askingPage } from '../nodes/TwoWayMessaging/action/questions/page';
import type { Playground } from '../playground/playground';
import { logTo } from '../playground/progress';
import { launchBrowser } from '../test/support/playground/browser';
import { Customer } from '../test/support/playground/customer';
import { waitUntil } from '../test/support/waitUntil';
import { TemporaryPlayground } from '../test/support/playground/temporaryPlayground';

const PICTURES = join(__dirname, 'screenshots');
const WORKFLOW = 'twmAutoReply0001';
const SURVEY = 'twmSurvey0000001';
const CREDENTIAL = { type: 'twoWayMessagingApi', name: 'Two-Way Messaging Sandbox' };
const TRIGGER = 'When a customer texts';
const ANSWER = 'Answer';

const OPT_OUT_TRIGGER = 'When a customer opts out or in';

/** How long a picture may have to wait for something on the page. */
const PATIENCE_MS = 20_000;

/** How long n8n takes to show an execution beside the list. */
const PREVIEW_MS = 3_000;

const log = logTo(process.stdout);

/** Opens a page in a window as wide as a picture in the README can be. */
async function open(
	browser: Browser,
	url: string,
	height: number,
	deviceScaleFactor = 1,
): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1200, height },
		colorScheme: 'light',
		reducedMotion: 'reduce',
		deviceScaleFactor,
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

async function logIn(
	browser: Browser,
	{ n8nUrl, login }: Playground,
	deviceScaleFactor?: number,
): Promise<Page> {
	const page = await open(browser, `${n8nUrl}/signin`, 760, deviceScaleFactor);
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

/** The canvases that pages show: the picture, its workflow, and a node that is on it. */
const CANVASES = [
	{ name: 'survey', workflow: SURVEY, shown: 'How was it?' },
	{ name: 'outreach', workflow: 'twmOutreach00001', shown: 'Your people' },
	{ name: 'opening-hours', workflow: 'twmOpeningHours1', shown: 'Are we open?' },
	{ name: 'earlier-opt-outs', workflow: 'twmEarlierOptOut', shown: 'Only STOP and START' },
];

async function takeCanvas(
	page: Page,
	{ n8nUrl }: Playground,
	{ name, workflow, shown }: (typeof CANVASES)[number],
): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/${workflow}`);
	await node(page, shown).waitFor();
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await settle(page);
	await take(name, page);
}

/** Takes the list of executions of a workflow that asks: one has failed, and one waits for its answer. */
async function takeExecutions(page: Page, { n8n, n8nUrl, sandboxUrl }: Playground): Promise<void> {
	await axios.post(
		`${sandboxUrl}/sandbox/faults`,
		{ path: '/v1/send-message', kind: 'status-409', times: 1 },
		{ proxy: false },
	);
	await n8n.run(SURVEY, 'Send the survey');
	await waitUntil('one that has failed, and one that waits', async () => {
		const statuses = (await n8n.executions(SURVEY)).map(({ status }) => status);
		return statuses.includes('error') && statuses.includes('waiting') ? true : undefined;
	});
	await page.goto(`${n8nUrl}/workflow/${SURVEY}/executions`);
	await page
		.locator('[data-test-id="execution-preview-id"], [data-test-id^="execution-time"]')
		.first()
		.waitFor();
	await page.waitForTimeout(PREVIEW_MS);
	await settle(page);
	await take('executions', page);
	const open = (await n8n.executions(SURVEY)).filter(({ status }) => status === 'waiting');
	for (const { id } of open) await n8n.stopExecution(id);
}

/** Takes the trigger's panel with a filter. */
async function takeFilters(page: Page, { n8nUrl }: Playground): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/twmOptOuts000001`);
	await node(page, OPT_OUT_TRIGGER).dblclick();
	await panel(page).waitFor();
	await panel(page).getByText('STOP and START Texts').first().waitFor();
	await settle(page);
	await take('filters', page);
	await page.keyboard.press('Escape');
}

/** Takes the phone of a customer who is asked by text, and answers. */
async function takeQuestion(browser: Browser, { n8n, sandboxUrl }: Playground): Promise<void> {
	const anna = new Customer(sandboxUrl, '+15551230001');
	await n8n.run(SURVEY, 'Send the survey');
	for (const [question, answer] of [
		['How was it?', '2 please'],
		['Would you come again?', 'Sure!'],
	] as const) {
		await waitUntil(question, async () =>
			(await anna.lastMessage())?.content.includes(question) ? true : undefined,
		);
		await anna.text(answer);
	}
	const page = await open(browser, sandboxUrl, 680);
	await page.locator('#thread-list').getByText('Sure!').first().click();
	await page.locator('.message').filter({ hasText: 'Sure!' }).waitFor();
	await page.getByText('Live', { exact: true }).waitFor();
	await take('question', page.locator('#phone .device'));
}

/** Takes the page with the buttons, which needs no n8n. */
async function takeQuestionPage(browser: Browser): Promise<void> {
	const context = await browser.newContext({
		viewport: { width: 390, height: 420 },
		colorScheme: 'light',
	});
	const page = await context.newPage();
	const buttons = { approve: 'Yes', decline: 'Another day' };
	await page.setContent(askingPage('Can you come on Friday at 10?', buttons));
	await take('question-page', page);
}

/** Takes the panels, that of the trigger with a real event. */
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
	await panel(page).getByText('Reply To').first().waitFor();
	await settle(page);
	await take('reply', page);
	await page.keyboard.press('Escape');
}

/** How long the service holds the answer back, so that the phone can be taken without it. */
const PAUSE_BEFORE_ANSWER_MS = 6_000;

/** The size of the moving picture on a page, and how many pixels it has for each point of that. */
const ROUND_TRIP = { width: 860, height: 500, scale: 2, phoneHeight: 420 };

/** One state of the round trip, and how long it is shown. */
type RoundTripState = { caption: string; phone: Buffer; n8n: Buffer; ms: number };

/**
 * Takes a customer's text on the phone, the execution that it starts in n8n, and the answer on the phone, as one moving
 * picture. Nothing in it is made up; only the service is slower than usual, so that each state can be taken.
 */
async function takeRoundTrip(browser: Browser, playground: Playground): Promise<void> {
	const { n8nUrl, sandboxUrl } = playground;
	const n8n = await logIn(browser, playground, ROUND_TRIP.scale);
	await n8n.goto(`${n8nUrl}/workflow/${WORKFLOW}`);
	await node(n8n, ANSWER).waitFor();
	await settle(n8n);
	const waiting = await takeNodes(n8n);

	const phone = await open(browser, sandboxUrl, 680, ROUND_TRIP.scale);
	const device = phone.locator('#phone .device');
	const takeDevice = async () => await device.screenshot({ animations: 'disabled', caret: 'hide' });
	await phone.locator('#thread-list').getByText('+15551230001').first().click();
	await phone.getByText('Live', { exact: true }).waitFor();
	await phone.locator('#message-text').fill('Hi, are you open today?');
	const typed = await takeDevice();
	await axios.post(
		`${sandboxUrl}/sandbox/faults`,
		{ path: '/v1/send-message', kind: 'slow', delay_ms: PAUSE_BEFORE_ANSWER_MS },
		{ proxy: false },
	);
	await phone.locator('#message-text').press('Enter');
	await phone.locator('.message').filter({ hasText: 'are you open today' }).waitFor();
	const sent = await takeDevice();

	await phone
		.locator('.message')
		.filter({ hasText: 'answer shortly' })
		.getByText('Delivered')
		.waitFor();
	const answered = await takeDevice();
	await n8n.goto(`${n8nUrl}/workflow/${WORKFLOW}/executions`);
	await node(n8n, ANSWER).waitFor();
	await n8n.waitForTimeout(PREVIEW_MS);
	await settle(n8n);
	const executed = await takeNodes(n8n);

	await takeMoving(browser, 'round-trip', [
		{ caption: 'A customer texts your line', phone: typed, n8n: waiting, ms: 1_500 },
		{ caption: 'A customer texts your line', phone: sent, n8n: waiting, ms: 1_500 },
		{ caption: 'The text starts your workflow in n8n', phone: sent, n8n: executed, ms: 2_500 },
		{
			caption: 'The workflow answers in the same conversation',
			phone: answered,
			n8n: executed,
			ms: 3_500,
		},
	]);
}

/** Takes the part of a canvas with the nodes, which have the same place in it however far n8n has zoomed. */
async function takeNodes(page: Page): Promise<Buffer> {
	const first = await node(page, TRIGGER).boundingBox();
	const last = await node(page, ANSWER).boundingBox();
	if (!first || !last) throw new Error('The canvas shows no nodes');
	const unit = first.height;
	const x = first.x - 0.6 * unit;
	return await page.screenshot({
		clip: { x, y: first.y - 1.9 * unit, width: last.x + 1.42 * unit - x, height: 5 * unit },
		animations: 'disabled',
	});
}

/** Puts the states beside each other on a page, and makes one moving picture of its pictures. */
async function takeMoving(browser: Browser, name: string, states: RoundTripState[]): Promise<void> {
	const { width, height, scale, phoneHeight } = ROUND_TRIP;
	const context = await browser.newContext({
		viewport: { width, height },
		deviceScaleFactor: scale,
	});
	const page = await context.newPage();
	const url = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;
	const frames: Buffer[] = [];
	for (const { caption, phone, n8n } of states) {
		await page.setContent(`
			<body style="margin: 0; padding: 14px 16px; background: #f3f4f6; font: 600 21px system-ui, sans-serif; color: #111827">
				<p style="margin: 0 0 14px; text-align: center">${caption}</p>
				<div style="display: flex; gap: 16px; align-items: center">
					<img src="${url(phone)}" height="${phoneHeight}" style="border-radius: 36px">
					<img src="${url(n8n)}" style="flex: 1; min-width: 0; border-radius: 10px; border: 1px solid #d1d5db">
				</div>
			</body>`);
		frames.push(await page.screenshot());
	}
	await sharp(frames, { join: { animated: true } })
		.webp({ delay: states.map(({ ms }) => ms), loop: 0 })
		.toFile(join(PICTURES, `${name}.webp`));
	log(`  ✓ ${name}`);
}

/** Takes what n8n asks when a workflow is published. */
async function takePublish(page: Page, { n8nUrl }: Playground): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/twmOpeningHours1`);
	await node(page, 'Are we open?').waitFor();
	await page.locator('[data-test-id="workflow-open-publish-modal-button"]').click();
	await page.locator('[data-test-id="workflow-publish-button"]').waitFor();
	await settle(page);
	await take('publish', page.getByRole('dialog'));
}

async function takeCredential(page: Page, { n8n, n8nUrl }: Playground): Promise<void> {
	const id = await n8n.findCredential(CREDENTIAL.type, CREDENTIAL.name);
	await page.goto(`${n8nUrl}/home/credentials/${id ?? ''}`);
	const dialog = page.locator('[data-test-id="editCredential-modal"]');
	await dialog.getByText('Base URL').first().waitFor();
	// The picture is of an operator's URL, not of the sandbox's.
	for (const field of await dialog.locator('input').all()) {
		await field.evaluate((input: { value: string }) => {
			if (input.value.startsWith('http')) input.value = 'https://api.example.com';
		});
	}
	await page.setViewportSize({ width: 1200, height: 1100 });
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

async function run(wanted: string[]): Promise<number> {
	await mkdir(PICTURES, { recursive: true });
	const temporary = await TemporaryPlayground.start({ log, withShop: true });
	let browser: Browser | undefined;
	let missing = 0;
	try {
		const playground = temporary.running;
		const opened = (browser = await launchBrowser());
		const attempt = async (names: string[], taking: () => Promise<void>) => {
			if (wanted.length > 0 && !names.some((name) => wanted.includes(name))) return;
			try {
				await taking();
			} catch (error) {
				missing += 1;
				log(`  ✗ ${names.join(', ')}: ${String(error)}`);
			}
		};
		const page = await logIn(opened, playground);
		await attempt(['executions'], async () => await takeExecutions(page, playground));
		await attempt(['round-trip'], async () => await takeRoundTrip(opened, playground));
		await attempt(['question-page'], async () => await takeQuestionPage(opened));
		for (const canvas of CANVASES) {
			await attempt([canvas.name], async () => await takeCanvas(page, playground, canvas));
		}
		await attempt(['publish'], async () => await takePublish(page, playground));
		await attempt(['filters'], async () => await takeFilters(page, playground));
		await attempt(['trigger', 'reply'], async () => {
			const { n8n } = playground;
			const nodes = (await n8n.findWorkflow(WORKFLOW))?.nodes ?? [];
			for (const { parameters } of nodes) {
				// As somebody types it who makes a first workflow.
				if (parameters.operation === 'reply')
					parameters.content = 'Thanks, we will answer shortly.';
			}
			await n8n.changeNodes(WORKFLOW, nodes);
			await page.goto(`${playground.n8nUrl}/workflow/${WORKFLOW}`);
			await takePanels(page, playground);
		});
		await attempt(['credential'], async () => await takeCredential(page, playground));
		await attempt(['question'], async () => await takeQuestion(opened, playground));
	} finally {
		await browser?.close();
		await temporary.removeAll();
	}
	return missing;
}

run(process.argv.slice(2)).then(
	(missing) => process.exit(missing === 0 ? 0 : 1),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
