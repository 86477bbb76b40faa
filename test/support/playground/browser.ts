import { existsSync, readFileSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Starts a headless Chromium that makes no requests by itself. */
export const launchBrowser = async (): Promise<Browser> => {
	if (!existsSync(CHROMIUM)) {
		throw new Error(
			`There is no Chromium at ${CHROMIUM}. Install it (Debian: apt-get install -y chromium) ` +
				'or say where it is: CHROMIUM_PATH=/path/to/chromium',
		);
	}
	return await chromium.launch({
		executablePath: CHROMIUM,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
};

/** A page, the warnings and errors on its console, and its requests to other hosts. */
export type Visit = { page: Page; complaints: string[]; foreignRequests: string[] };

/** Opens a page in its own context, and collects what goes wrong there. */
export const visit = async (
	browser: Browser,
	url: string,
	options: BrowserContextOptions = {},
): Promise<Visit> => {
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
	const page = await context.newPage();
	const complaints: string[] = [];
	const foreignRequests: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
	});
	page.on('pageerror', (error) => complaints.push(String(error)));
	page.on('request', (request) => {
		const { origin, protocol } = new URL(request.url());
		if (/^https?:$/.test(protocol) && origin !== new URL(url).origin) {
			foreignRequests.push(request.url());
		}
	});
	await page.goto(url);
	return { page, complaints, foreignRequests };
};

/** The accessibility violations that axe-core finds on the page as it is now, one line each. */
export const accessibilityFindings = async (page: Page): Promise<string[]> => {
	await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
	return await page.evaluate(async () => {
		type Finding = { id: string; nodes: Array<{ target: string[]; failureSummary: string }> };
		const { axe } = globalThis as unknown as {
			axe: { run: () => Promise<{ violations: Finding[] }> };
		};
		const { violations } = await axe.run();
		return violations.flatMap(({ id, nodes }) =>
			nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
		);
	});
};
