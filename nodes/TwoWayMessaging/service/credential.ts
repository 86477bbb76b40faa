import { createHash } from 'crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { textValue } from '../parameterValues';
import { secretsFrom, type Secrets } from './redact';

/** Name of the credential type; saved workflows contain it. */
export const CREDENTIAL = 'twoWayMessagingApi';

/** How GET /status names the message (§4.4: not shown). */
const STATUS_STYLES = ['messageHandle', 'handle', 'path'] as const;
export type StatusStyle = (typeof STATUS_STYLES)[number];

/** What happened, and what a person can do about it. */
export type Words = { message: string; description: string };

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
	secrets: Secrets;
};

/** Why a credential cannot be used, whether the service is asked or not; undefined when it can. */
export function credentialRefusal(credential: IDataObject): Words | undefined {
	const description = baseUrlRefusal(baseUrlIn(credential));
	if (description) return { message: 'The Base URL in the credential cannot be used', description };
	const { apiKey, apiSecret } = keyPairIn(credential);
	if (apiKey && apiSecret) return undefined;
	return {
		message: 'The credential has no complete key pair',
		description: 'Enter both API Key and API Secret. The operator gives you both together.',
	};
}

function baseUrlRefusal(baseUrl: string): string | undefined {
	if (baseUrl === '') return 'Base URL is empty. Enter the URL that the operator gave you.';
	if (!/^https?:/i.test(baseUrl)) {
		return 'Base URL has to start with https://, or with http:// on your own machine.';
	}
	if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(baseUrl)) {
		return 'Base URL is not a complete URL. Enter it as https://host or https://host/path, without a question mark, a user name or spaces.';
	}
	return undefined;
}

/** The base URL without spaces around it and without a slash at the end. */
const baseUrlIn = (credential: IDataObject): string =>
	withoutSlashesAtEnd(textValue(credential.baseUrl).trim());

function withoutSlashesAtEnd(text: string): string {
	let end = text.length;
	while (text.charAt(end - 1) === '/') end -= 1;
	return text.slice(0, end);
}

/** The key pair, without the spaces around it; a text is empty where it is missing. */
export function keyPairIn(credential: IDataObject): { apiKey: string; apiSecret: string } {
	const { apiKey, apiSecret } = credential;
	return { apiKey: textValue(apiKey).trim(), apiSecret: textValue(apiSecret).trim() };
}

/**
 * Reads a decrypted credential.
 *
 * @throws NodeOperationError when the base URL or the key pair cannot be used
 */
export function readSettings(node: INode, credential: IDataObject): Settings {
	const refusal = credentialRefusal(credential);
	if (refusal) {
		const { message, description } = refusal;
		throw new NodeOperationError(node, message, { description });
	}
	const baseUrl = baseUrlIn(credential);
	const prefix = textValue(credential.pathPrefix).trim();
	const id = node.credentials?.[CREDENTIAL]?.id;
	const hash = (of: string) => createHash('sha256').update(`${baseUrl}\n${of}`).digest('hex');
	return {
		baseUrl,
		pathPrefix: withoutSlashesAtEnd(prefix.replace(/^\/*/, '/')),
		statusStyle: STATUS_STYLES.find((style) => style === credential.statusStyle) ?? 'messageHandle',
		...(id && { credentialKey: hash(id) }),
		accountId: hash(keyPairIn(credential).apiKey),
		secrets: secretsFrom(secretsOf(credential)),
	};
}

/** The texts that must not appear in a message, an item or a log: the key pair and the signing secret. */
export function secretsOf(credential: IDataObject): string[] {
	const { apiKey, apiSecret } = keyPairIn(credential);
	// A proxy may ask for the pair as one text.
	const pair = apiKey && apiSecret && `${apiKey}:${apiSecret}`;
	return [apiKey, apiSecret, textValue(credential.signingSecret).trim(), pair];
}
