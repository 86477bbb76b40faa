import { PATHS } from '../contract';
import type { Settings } from './credential';

/** What makes a part of a path mean something to some servers: an escape of an escape, a parameter, a folder in one name. */
const MEANS_MORE = /[%/\\;\p{C}]|^[\s.]+$/u;

/** The endpoints' names. Files are below that of media, so it is none of them (§4.8). */
const ENDPOINTS = Object.values(PATHS)
	.filter((path) => path !== PATHS.media)
	.map((path) => path.split('/').slice(1));

/**
 * Whether a URL is plainly one of a file on the service's own host, and so gets the key pair. Whoever texts chooses the URL
 * of a file, and must not read an endpoint with the operator's key pair, however the path is spelled:
 *
 * ```ts
 * isFileOfService(settings, new URL('https://api.example.com/media/1.jpg')); // true
 * isFileOfService(settings, new URL('https://api.example.com/V2/%6dessages')); // false
 * ```
 *
 * Servers and the proxies in front of them read odd paths in different ways, so a path that some may read in another way
 * is no plain one, and an endpoint's name counts wherever in the path it stands.
 */
export function isFileOfService({ baseUrl }: Pick<Settings, 'baseUrl'>, url: URL): boolean {
	if (url.origin !== new URL(baseUrl).origin) return false;
	const parts = plainParts(url.pathname);
	return parts !== undefined && !ENDPOINTS.some((endpoint) => isWithin(endpoint, parts));
}

/**
 * The parts of a path, decoded and in one spelling, without the empty ones.
 *
 * @returns undefined where servers may read the path in different ways
 */
function plainParts(path: string): string[] | undefined {
	try {
		const parts = path.split('/').map((part) => decodeURIComponent(part).normalize('NFKC'));
		if (parts.some((part) => MEANS_MORE.test(part))) return undefined;
		return parts.filter((part) => part !== '').map((part) => part.toLowerCase());
	} catch {
		return undefined;
	}
}

function isWithin(endpoint: string[], parts: string[]): boolean {
	return parts.some((_, at) =>
		endpoint.every((name, offset) => isCalled(parts[at + offset] ?? '', name)),
	);
}

/** Whether a part is a name, or a name with something behind it, such as `messages.json` or `messages,1`. */
function isCalled(part: string, name: string): boolean {
	return part.trim().startsWith(name) && !/^[a-z0-9]/.test(part.trim().slice(name.length));
}
