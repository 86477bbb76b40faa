import { isLocalUrl, isLoopbackUrl } from '../../localUrl';

/**
 * Why the service cannot deliver events to a URL; undefined when it can, or when the service itself is on this
 * machine or network, as the sandbox is.
 */
export function urlRefusal(webhookUrl: string, baseUrl: string): string | undefined {
	if (!URL.canParse(webhookUrl)) return `The URL “${webhookUrl}” is not a complete one.`;
	if (isLocalUrl(baseUrl)) return undefined;
	if (isLoopbackUrl(webhookUrl)) {
		return `The URL ${webhookUrl} exists only on the machine that n8n runs on.`;
	}
	if (new URL(webhookUrl).protocol !== 'https:') {
		return `The URL ${webhookUrl} is not encrypted: it has to start with https://.`;
	}
	return undefined;
}
