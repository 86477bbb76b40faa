import { createHash } from 'crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { textValue } from '../parameterValues';
import { spellingsOf } from './redact';

/** Name of the credential type; saved workflows contain it. */
export const CREDENTIAL = 'twoWayMessagingApi';

/** How GET /status names the message (§4.4: not shown). */
export const STATUS_STYLES = ['messageHandle', 'handle', 'path'] as const;
export type StatusStyle = (typeof STATUS_STYLES)[number];

/** What a credential says about the service, checked and without spaces around it. */
export type Settings = {
	/** With scheme, without a slash at the end. */
	baseUrl: string;
	/** Prefix of /status, /lookup and /media (§4.9): empty, or with a slash in front and none at the end. */
	pathPrefix: string;
	statusStyle: StatusStyle;
	/** The same for every credential with this base URL and key; neither can be read from it. */
	accountId: string;
	/**
	 * The same for one credential of n8n at one base URL, also when its key pair is another one; absent where n8n does not
	 * say which credential it is.
	 */
	credentialKey?: string;
	/** Texts that must not appear in a message, an item or a log. */
	secrets: string[];
};

/** Why a base URL cannot be used; undefined when it can. */
export function baseUrlRefusal(baseUrl: string): string | undefined {
	if (baseUrl === '') return 'Base URL is empty. Enter the URL that the operator gave you.';
	if (!/^https?:/i.test(baseUrl)) {
		const address = /^\/*([^\s/?#@:]+(:\d+)?)(\/[^\s?#]*)?$/.exec(baseUrl)?.[0].replace(/^\/+/, '');
		const scheme = isThisMachine(address ?? '') ? 'http' : 'https';
		return `Base URL has to start with ${scheme}://. Enter for example ${scheme}://${address ?? 'host'}`;
	}
	if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(baseUrl)) {
		return 'Base URL is not a complete URL. Enter it as https://host or https://host/path, without a question mark, a user name or spaces.';
	}
	return undefined;
}

/** A service that runs beside n8n, such as the sandbox, is usually not encrypted. */
function isThisMachine(address: string): boolean {
	return /^(localhost|127\.\d+\.\d+\.\d+)(?![\w.-])/i.test(address);
}

/** The base URL without spaces around it and without a slash at the end. */
export function tidyBaseUrl(baseUrl: unknown): string {
	return typeof baseUrl === 'string' ? withoutSlashesAtEnd(baseUrl.trim()) : '';
}

function withoutSlashesAtEnd(text: string): string {
	let end = text.length;
	while (text.charAt(end - 1) === '/') end -= 1;
	return text.slice(0, end);
}

/**
 * Reads a decrypted credential.
 *
 * @throws NodeOperationError when the base URL or the key pair cannot be used
 */
export function readSettings(node: INode, credential: IDataObject): Settings {
	const baseUrl = tidyBaseUrl(credential.baseUrl);
	const refusal = baseUrlRefusal(baseUrl);
	if (refusal) {
		throw new NodeOperationError(node, 'The Base URL in the credential cannot be used', {
			description: refusal,
		});
	}
	const apiKey = textValue(credential.apiKey).trim();
	const apiSecret = textValue(credential.apiSecret).trim();
	if (apiKey === '' || apiSecret === '') {
		throw new NodeOperationError(node, 'The credential has no complete key pair', {
			description: 'Enter both API Key and API Secret in the Two-Way Messaging API credential.',
		});
	}
	const prefix = textValue(credential.pathPrefix).trim();
	const id = node.credentials?.[CREDENTIAL]?.id;
	return {
		baseUrl,
		pathPrefix: withoutSlashesAtEnd(prefix.replace(/^\/*/, '/')),
		statusStyle: STATUS_STYLES.find((style) => style === credential.statusStyle) ?? 'messageHandle',
		...(id && { credentialKey: createHash('sha256').update(`${baseUrl}\n${id}`).digest('hex') }),
		accountId: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		secrets: secretsOf(credential),
	};
}

/** The texts that must not appear in a message, an item or a log, in every spelling: the key pair and the signing secret. */
export function secretsOf(credential: IDataObject): string[] {
	const apiKey = textValue(credential.apiKey).trim();
	const apiSecret = textValue(credential.apiSecret).trim();
	// A proxy may ask for the pair as one text.
	const pair = apiKey && apiSecret && `${apiKey}:${apiSecret}`;
	return spellingsOf([apiKey, apiSecret, textValue(credential.signingSecret).trim(), pair]);
}
