import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { HEADERS, PATHS } from '../nodes/TwoWayMessaging/contract';
import type { Sandbox } from '../sandbox/src';

/** A registered address with what it asked for (§2.4). */
type Registration = { url: string; secret?: string; events: string[] };

/**
 * Makes a sandbox keep registrations in a file, as the service keeps them: by itself it forgets them
 * with its process and at a reset, while n8n's triggers rightly believe that they are registered.
 */
export const keepRegistrations = async (sandbox: Sandbox, file: string): Promise<void> => {
	const answer = sandbox.app.fetch;
	let kept: Registration[] = existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as Registration[])
		: [];

	const registerKept = async () => {
		const [pair] = sandbox.keyPairs;
		for (const registration of kept) {
			await answer(
				new Request(`http://sandbox${PATHS.webhooks}`, {
					method: 'POST',
					headers: {
						[HEADERS.apiKey]: pair?.key ?? '',
						[HEADERS.apiSecret]: pair?.secret ?? '',
						'content-type': 'application/json',
					},
					body: JSON.stringify(registration),
				}),
			);
		}
	};

	const keep = (registration: Registration) => {
		if (isTestAddress(registration.url)) return;
		kept = [...kept.filter(({ url }) => !isSamePlace(url, registration.url)), registration];
		// Renamed into place, so that a crash leaves no half of a file; in one go, as several may come at once.
		writeFileSync(`${file}.new`, JSON.stringify(kept, null, '\t'), { mode: 0o600 });
		renameSync(`${file}.new`, file);
	};

	sandbox.app.fetch = async (request, ...rest) => {
		const { pathname } = new URL(request.url);
		if (request.method !== 'POST') return await answer(request, ...rest);
		const copy = pathname === PATHS.webhooks ? request.clone() : undefined;
		const response = await answer(request, ...rest);
		if (response.ok && copy !== undefined) keep((await copy.json()) as Registration);
		if (response.ok && pathname === '/sandbox/reset') await registerKept();
		return response;
	};
	await registerKept();
};

/** n8n's editor listens there during one test only. */
const isTestAddress = (url: string): boolean => new URL(url).pathname.includes('/webhook-test/');

/** The same node of an n8n that listens on another port now. */
const isSamePlace = (url: string, other: string): boolean => {
	const [one, two] = [new URL(url), new URL(other)];
	return one.hostname === two.hostname && one.pathname === two.pathname;
};
