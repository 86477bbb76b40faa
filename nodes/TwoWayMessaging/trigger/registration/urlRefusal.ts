/** Loopback, private networks and names that only a local network knows. */
const LOCAL_HOSTS = [
	/^localhost$/,
	/\.(localhost|local|internal|lan|home\.arpa)$/,
	/^[^.:]+$/,
	/^(127|10)(\.\d+){3}$/,
	/^192\.168(\.\d+){2}$/,
	/^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/,
	/^169\.254(\.\d+){2}$/,
	/^0\.0\.0\.0$/,
	/^\[(::1?|f[cd][0-9a-f]{2}:.*|fe80:.*)\]$/,
];

const LOOPBACK_HOSTS = [
	/^localhost$/,
	/\.localhost$/,
	/^127(\.\d+){3}$/,
	/^0\.0\.0\.0$/,
	/^\[::1?\]$/,
];

/**
 * Why the service cannot deliver events to a URL; undefined when it can, or when the service itself is on this
 * machine or network, as the sandbox is.
 */
export function urlRefusal(webhookUrl: string, baseUrl: string): string | undefined {
	const address = parse(webhookUrl);
	if (!address) return `The address ${webhookUrl} is not a web address.`;
	if (isAmong(parse(baseUrl)?.hostname, LOCAL_HOSTS)) return undefined;
	if (isAmong(address.hostname, LOOPBACK_HOSTS)) {
		return `The address ${webhookUrl} exists only on the machine that n8n runs on.`;
	}
	if (address.protocol !== 'https:') {
		return `The address ${webhookUrl} is not encrypted: it has to start with https://.`;
	}
	return undefined;
}

function parse(address: string): URL | undefined {
	return URL.canParse(address) ? new URL(address) : undefined;
}

function isAmong(hostname: string | undefined, patterns: RegExp[]): boolean {
	return hostname !== undefined && patterns.some((pattern) => pattern.test(hostname));
}
