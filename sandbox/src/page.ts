import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Hono } from 'hono';
import type { Env } from './http';

const FOLDER = join(__dirname, 'phone');
const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};
const HEADERS = {
	// The page loads nothing from another host, not even a picture that a message names.
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
		"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cache-control': 'no-cache',
};

/** Serves the phone: its page at `/`, and the page's other files below `/phone/`. */
export const servePage = (app: Hono<Env>): void => {
	for (const name of readdirSync(FOLDER)) {
		const type = TYPES[extname(name)];
		if (!type) continue;
		const text = readFileSync(join(FOLDER, name), 'utf8');
		const path = name === 'index.html' ? '/' : `/phone/${name}`;
		app.get(path, (c) => c.body(text, 200, { ...HEADERS, 'content-type': type }));
	}
};
