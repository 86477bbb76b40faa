import { createHash } from 'crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Name of the credential type, as saved workflows hold it. */
export const CREDENTIAL = 'twoWayMessagingApi';

/** How GET /status is told which message is meant (§4.4: not shown). */
export const STATUS_STYLES = ['messageHandle', 'handle', 'path'] as const;
export type StatusStyle = (typeof STATUS_STYLES)[number];

/** What a credential says about the service, checked and tidied. */
export type Settings = {
	/** With scheme, without a slash at the end. */
	baseUrl: string;
	/** Prefix of /status, /lookup and /media (§4.9): empty, or with a slash in front and none at the end. */
	pathPrefix: string;
	statusStyle: StatusStyle;
	/** Same for every credential that shares the key pair; says nothing about it. */
	accountId: string;
	/** Texts that must not reach a message, an item or a log. */
	secrets: string[];
};

/** Why a base address cannot be used; undefined when it can. */
export function baseUrlRefusal(baseUrl: string): string | undefined {
	if (baseUrl === '') return 'Base URL is empty. Enter the address that the operator gave you.';
	if (!/^https?:/i.test(baseUrl)) {
		return `Base URL has to start with https://. Enter for example https://${baseUrl.replace(/^\/+/, '')}`;
	}
	if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(baseUrl)) {
		return 'Base URL is not a web address. Enter it as https://host or https://host/path, without a question mark, a user name or spaces.';
	}
	return undefined;
}

/** The base address as it is used: no spaces around it, no slash at the end. */
export function tidyBaseUrl(baseUrl: unknown): string {
	return typeof baseUrl === 'string' ? baseUrl.trim().replace(/\/+$/, '') : '';
}

/**
 * Reads a decrypted credential.
 *
 * @throws NodeOperationError when the base address or the key pair cannot be used
 */
export function readSettings(node: INode, credential: IDataObject): Settings {
	const baseUrl = tidyBaseUrl(credential.baseUrl);
	const refusal = baseUrlRefusal(baseUrl);
	if (refusal) {
		throw new NodeOperationError(node, 'The base address in the credential cannot be used', {
			description: refusal,
		});
	}
	const apiKey = String(credential.apiKey ?? '').trim();
	const apiSecret = String(credential.apiSecret ?? '').trim();
	if (apiKey === '' || apiSecret === '') {
		throw new NodeOperationError(node, 'The credential has no complete key pair', {
			description: 'Enter both API Key and API Secret in the Two-Way Messaging API credential.',
		});
	}
	const prefix = String(credential.pathPrefix ?? '').trim();
	return {
		baseUrl,
		pathPrefix: prefix.replace(/^\/*/, '/').replace(/\/+$/, ''),
		statusStyle: STATUS_STYLES.find((style) => style === credential.statusStyle) ?? 'messageHandle',
		accountId: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		secrets: [apiKey, apiSecret, String(credential.signingSecret ?? '')].filter(
			(secret) => secret !== '',
		),
	};
}
