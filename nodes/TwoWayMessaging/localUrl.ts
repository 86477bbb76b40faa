/*
 * Which URLs exist only on this machine or in this network. Both nodes give URLs to others: the trigger gives the service
 * the URL of its webhook, and a question gives the customer the URL of its page.
 */

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

/** Whether the URL is on this machine or in a local network, as that of the sandbox is. */
export function isLocalUrl(url: string): boolean {
	return isAmong(url, LOCAL_HOSTS);
}

/** Whether the URL is on this machine: nobody else can open it. */
export function isLoopbackUrl(url: string): boolean {
	return isAmong(url, LOOPBACK_HOSTS);
}

function isAmong(url: string, patterns: RegExp[]): boolean {
	if (!URL.canParse(url)) return false;
	const { hostname } = new URL(url);
	return patterns.some((pattern) => pattern.test(hostname));
}
