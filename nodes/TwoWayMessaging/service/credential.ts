import { createHash } from 'crypto';
import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import { secretsFrom, type Secrets } from './redact';

/** Name of the credential type; saved workflows contain it. */
export const CREDENTIAL = 'twoWayMessagingApi';

/** What happened, and what a person can do about it. */
export type Explanation = { message: string; description: string };

/** What a credential says about the service, checked and without spaces around it. */
export type Settings = {
	/** With scheme, without a slash at the end. */
	baseUrl: string;
	/** Prefix of /status, /lookup and /media (§4.9): empty, or with a slash in front and none at the end. */
	pathPrefix: string;
	/** The same for every credential with this base URL and key; neither can be read from it. */
	accountId: string;
	secrets: Secrets;
};

/** Reads what every request needs, without spaces around it, and why it cannot be used. */
export function readCredential(credential: IDataObject) {
	const [apiKey, apiSecret] = [textOf(credential.apiKey), textOf(credential.apiSecret)];
	let baseUrl = textOf(credential.baseUrl);
	while (baseUrl.endsWith('/')) baseUrl = baseUrl.slice(0, -1);
	let refusal: Explanation | undefined;
	if (!WEB_URL.test(baseUrl)) {
		refusal = {
			message: 'The Base URL in the credential cannot be used',
			description: `Base URL is ${baseUrl === '' ? 'empty' : 'not a complete URL'}. Enter the URL that the operator gave you, such as https://host or https://host/path, without a question mark, a user name or spaces.`,
		};
	} else if (!apiKey || !apiSecret) {
		refusal = {
			message: 'The credential has no complete key pair',
			description: 'Enter both API Key and API Secret. The operator gives you both together.',
		};
	}
	return { baseUrl, apiKey, apiSecret, refusal };
}

const WEB_URL = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i;

const textOf = (value: unknown): string => String(value ?? '').trim();

/**
 * Reads a decrypted credential.
 *
 * @throws NodeOperationError when the base URL or the key pair cannot be used
 */
export function readSettings(node: INode, credential: IDataObject): Settings {
	const { baseUrl, apiKey, refusal } = readCredential(credential);
	if (refusal) {
		const { message, description } = refusal;
		throw new NodeOperationError(node, message, { description });
	}
	let pathPrefix = textOf(credential.pathPrefix).replace(/^\/*/, '/');
	while (pathPrefix.endsWith('/')) pathPrefix = pathPrefix.slice(0, -1);
	return {
		baseUrl,
		pathPrefix,
		accountId: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		secrets: secretsFrom(secretsOf(credential)),
	};
}

/** The texts that must not appear in a message, an item or a log: the key pair and the signing secret. */
export function secretsOf(credential: IDataObject): string[] {
	const { apiKey, apiSecret } = readCredential(credential);
	// A proxy may ask for the pair as one text.
	const pair = apiKey && apiSecret && `${apiKey}:${apiSecret}`;
	return [apiKey, apiSecret, textOf(credential.signingSecret), pair];
}
