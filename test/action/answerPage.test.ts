import { createHash } from 'node:crypto';
import {
	askingPage,
	overPage,
	PAGE_HEADERS,
	thanksPage,
} from '../../nodes/TwoWayMessaging/action/questions/page';

const HOSTILE = `</p><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
const PAGES = {
	asking: askingPage(HOSTILE, { approve: HOSTILE, decline: HOSTILE }),
	thanks: thanksPage(HOSTILE, HOSTILE, { pageThanks: `${HOSTILE} {answer}\n${HOSTILE}` }),
	'asking in other words': askingPage(HOSTILE, { approve: HOSTILE }, { pageHeading: HOSTILE }),
	'over in other words': overPage({ pageOver: HOSTILE }),
	over: overPage(),
};

describe.each(Object.entries(PAGES))('the page: %s', (_, html) => {
	test('shows every text as text, and never as HTML', () => {
		expect(html).not.toMatch(/<script|<img/i);
	});

	test('loads nothing, from anywhere', () => {
		expect(html).not.toMatch(/<[^>]*\s(src|href|action)=|@import|url\(/);
		expect(PAGE_HEADERS['content-security-policy']).toMatch(/^default-src 'none';/);
	});

	test('lets its own style apply and no other', () => {
		const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
		const digest = createHash('sha256').update(style).digest('base64');
		expect(PAGE_HEADERS['content-security-policy']).toContain(`style-src 'sha256-${digest}';`);
	});

	test('is kept out of search engines, caches and frames', () => {
		expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
		expect(PAGE_HEADERS).toMatchObject({
			'x-robots-tag': 'noindex, nofollow',
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
		});
		expect(PAGE_HEADERS['content-security-policy']).toContain("frame-ancestors 'none'");
	});
});

test('a question keeps its line breaks', () => {
	const html = askingPage('One\nTwo', { approve: 'Yes' });
	expect(html).toContain('One\nTwo');
	expect(html).toContain('white-space: pre-wrap');
});
