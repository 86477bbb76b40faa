import type { Browser, Page } from 'playwright-core';
import {
	askingPage,
	overPage,
	PAGE_HEADERS,
	thanksPage,
} from '../../nodes/TwoWayMessaging/action/questions/page';
import { accessibilityFindings, launchBrowser, visit } from '../support/playground/browser';
import { startStub } from '../support/stub';

const QUESTION =
	'Can we come on Friday at 10?\nPlease ring at Sesquipedalianstrasse-Hinterhaus-Treppenaufgang-Nordwest.';
const LONG_LABEL = 'Yes, with pleasure, and please bring everything that was left there last time';

/** Every state of the page, by its path. */
const STATES: Record<string, string> = {
	'/open': askingPage(QUESTION, { approve: LONG_LABEL, decline: 'No, another day' }),
	'/open-with-one-button': askingPage(QUESTION, { approve: 'Yes' }),
	'/answered': thanksPage(LONG_LABEL, QUESTION),
	'/over': overPage(),
};

const PHONE = { width: 320, height: 640 };

let browser: Browser;
let server: Awaited<ReturnType<typeof startStub>>;

beforeAll(async () => {
	browser = await launchBrowser();
	server = await startStub(({ path }) => {
		const page = STATES[path];
		return { status: page ? 200 : 404, headers: PAGE_HEADERS, body: page ?? '' };
	});
});

afterAll(async () => {
	await browser?.close();
	await server?.stop();
});

/** How far the page is wider than the phone, and the parts of it that stick out. */
const overflow = async (page: Page) =>
	await page.evaluate<{ by: number; of: string[] }>(`(() => {
		const { clientWidth, scrollWidth } = document.documentElement;
		const wide = [...document.querySelectorAll('main, main *')].filter(
			(element) => element.getBoundingClientRect().right > clientWidth,
		);
		return { by: scrollWidth - clientWidth, of: wide.map(({ tagName }) => tagName) };
	})()`);

describe.each(['light', 'dark'] as const)('on a phone in %s colours', (colorScheme) => {
	test.each(Object.keys(STATES))('the page %s is accessible, and fits', async (path) => {
		const { page, complaints, foreignRequests } = await visit(browser, `${server.url}${path}`, {
			viewport: PHONE,
			colorScheme,
		});
		try {
			expect(await accessibilityFindings(page)).toEqual([]);
			expect(await overflow(page)).toEqual({ by: 0, of: [] });
			if (path !== '/over') {
				expect(await page.getByText('Can we come on Friday at 10?').isVisible()).toBe(true);
			}
			for (const button of await page.getByRole('button').all()) {
				expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
			}
			const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
			expect(ground).toBe(colorScheme === 'dark' ? 'rgb(0, 0, 0)' : 'rgb(242, 242, 247)');
			expect(complaints).toEqual([]);
			expect(foreignRequests.filter((url) => !url.startsWith(server.url))).toEqual([]);
		} finally {
			await page.context().close();
		}
	});
});

test('a button can be pressed with the keyboard alone', async () => {
	const { page } = await visit(browser, `${server.url}/open`, { viewport: PHONE });
	await page.keyboard.press('Tab');
	await page.keyboard.press('Tab');
	const pressed = page.waitForRequest((request) => request.method() === 'POST');
	await page.keyboard.press('Enter');

	expect((await pressed).postData()).toBe('decision=decline');
});
