/*
 * Which URLs exist only on this machine or in this network. Both nodes give URLs to others: the trigger gives the service
 * the URL of its webhook, and a question gives the customer the URL of its page.
 */

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** Private networks, and names that only a local network knows. */
const LOCAL =
	/^(.*\.(local|internal|lan|home\.arpa)|[^.:]+|(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)(\.\d+){2,3}|\[(f[cd][0-9a-f]{2}|fe80):.*\])$/;

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');

/** Whether the URL is on this machine or in a local network, as that of the sandbox is. */
export function isLocalUrl(url: string): boolean {
	return isLoopbackUrl(url) || LOCAL.test(hostOf(url));
}

/** Whether the URL is on this machine: nobody else can open it. */
export function isLoopbackUrl(url: string): boolean {
	return LOOPBACK.test(hostOf(url));
}
