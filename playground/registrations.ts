import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { EVENT_KINDS } from '../nodes/TwoWayMessaging/contract';
import type { KeptRegistration, RegistrationKeeper } from '../sandbox/src';
import { Trouble } from './trouble';

/**
 * Keeps a sandbox's registrations in a file, as the service keeps them. Without this the sandbox forgets them when its
 * process ends, while n8n's triggers count on them.
 *
 * @throws Trouble when the file exists and does not hold registrations
 */
export const keepRegistrations = (file: string): RegistrationKeeper => {
	let registrations = load(file);
	const save = () => {
		// The file is renamed into place: a crash does not leave half a file. Nothing waits in between, because
		// several registrations may come at once.
		writeFileSync(`${file}.new`, JSON.stringify(registrations, null, '\t'), { mode: 0o600 });
		renameSync(`${file}.new`, file);
	};
	return {
		kept: () => registrations,
		keep(registration) {
			if (isTestUrl(registration.url)) return;
			const others = registrations.filter(({ url }) => !isSameNode(url, registration.url));
			registrations = [...others, registration];
			save();
		},
		forget(registration) {
			registrations = registrations.filter(({ url }) => url !== registration.url);
			save();
		},
	};
};

const load = (file: string): KeptRegistration[] => {
	if (!existsSync(file)) return [];
	const kept = parse(readFileSync(file, 'utf8'));
	if (Array.isArray(kept) && kept.every(isRegistration)) return kept;
	throw new Trouble(
		`${file} does not hold the registered webhook URLs any more.`,
		'Remove the file and publish your workflows again, or start over with: npm start -- --fresh',
	);
};

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

const isRegistration = (value: unknown): value is KeptRegistration => {
	const { url, secret, events } = (value ?? {}) as Record<string, unknown>;
	const isUrl = typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url);
	const hasEvents =
		Array.isArray(events) && events.every((name) => EVENT_KINDS.some((kind) => kind === name));
	return isUrl && ['string', 'undefined'].includes(typeof secret) && hasEvents;
};

/** Whether n8n's editor listens at this URL, which it does during one test only. */
const isTestUrl = (url: string): boolean => new URL(url).pathname.includes('/webhook-test/');

/** Whether two URLs belong to the same node, even if n8n listens on another port now. */
const isSameNode = (url: string, other: string): boolean => {
	const [one, two] = [new URL(url), new URL(other)];
	return one.hostname === two.hostname && one.pathname === two.pathname;
};
