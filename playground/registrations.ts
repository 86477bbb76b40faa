import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { HEADERS, PATHS } from '../nodes/TwoWayMessaging/contract';
import type { Sandbox } from '../sandbox/src';

/** A registered webhook URL, its signing secret and its events (§2.4). */
type Registration = { url: string; secret?: string; events: string[] };

/**
 * Makes a sandbox keep its registrations in a file, as the service keeps them. Without this the sandbox
 * forgets them when its process ends and at a reset, while n8n's triggers count on them.
 */
export const keepRegistrations = async (sandbox: Sandbox, file: string): Promise<void> => {
	const answer = sandbox.app.fetch;
	let registrations: Registration[] = existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as Registration[])
		: [];

	const registerAll = async () => {
		const [pair] = sandbox.keyPairs;
		for (const registration of registrations) {
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

	const saveRegistration = (registration: Registration) => {
		if (isTestUrl(registration.url)) return;
		const others = registrations.filter(({ url }) => !isSameNode(url, registration.url));
		registrations = [...others, registration];
		// The file is renamed into place: a crash does not leave half a file. Nothing waits in between, because
		// several registrations may come at once.
		writeFileSync(`${file}.new`, JSON.stringify(registrations, null, '\t'), { mode: 0o600 });
		renameSync(`${file}.new`, file);
	};

	sandbox.app.fetch = async (request, ...rest) => {
		const { pathname } = new URL(request.url);
		if (request.method !== 'POST') return await answer(request, ...rest);
		const copy = pathname === PATHS.webhooks ? request.clone() : undefined;
		const response = await answer(request, ...rest);
		if (response.ok && copy !== undefined) saveRegistration((await copy.json()) as Registration);
		if (response.ok && pathname === '/sandbox/reset') await registerAll();
		return response;
	};
	await registerAll();
};

/** Whether n8n's editor listens at this URL, which it does during one test only. */
const isTestUrl = (url: string): boolean => new URL(url).pathname.includes('/webhook-test/');

/** Whether two URLs belong to the same node, even if n8n listens on another port now. */
const isSameNode = (url: string, other: string): boolean => {
	const [one, two] = [new URL(url), new URL(other)];
	return one.hostname === two.hostname && one.pathname === two.pathname;
};
