import { createHash } from 'crypto';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { HEADERS, PATHS } from '../contract';
import { textValue } from '../parameterValues';
import { secretsFrom, type Secrets } from './redact';

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
	secrets: Secrets;
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

/** The key pair, without the spaces around it; a text is empty where it is missing. */
function keyPairIn(credential: IDataObject): { apiKey: string; apiSecret: string } {
	const { apiKey, apiSecret } = credential;
	return { apiKey: textValue(apiKey).trim(), apiSecret: textValue(apiSecret).trim() };
}

/**
 * Reads a decrypted credential.
 *
 * @throws NodeOperationError when the base URL or the key pair cannot be used
 */
export function readSettings(node: INode, credential: IDataObject): Settings {
	const baseUrl = tidyBaseUrl(credential.baseUrl);
	const description = baseUrlRefusal(baseUrl);
	if (description) {
		const message = 'The Base URL in the credential cannot be used';
		throw new NodeOperationError(node, message, { description });
	}
	const { apiKey, apiSecret } = keyPairIn(credential);
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

/** How long the service may take to answer a test, in milliseconds. */
const TIMEOUT_MS = 10_000;

type TestResponse = { statusCode: number; headers: { location?: string }; body: unknown };

/**
 * Tests a credential with GET /v1/me (§4.2), which sends nothing.
 *
 * A test in the credential type itself could not say what is wrong with the base URL: n8n shows only the code of the
 * connection there.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<IDataObject>,
): Promise<INodeCredentialTestResult> {
	const fields = credential.data ?? {};
	const baseUrl = tidyBaseUrl(fields.baseUrl);
	const refusal = baseUrlRefusal(baseUrl);
	if (refusal) return refused(refusal);
	const { apiKey, apiSecret } = keyPairIn(fields);
	if (apiKey === '' || apiSecret === '') {
		return refused('Enter both API Key and API Secret. The operator gives you both together.');
	}
	// n8n gives a credential test no other request function.
	const { request } = this.helpers;
	try {
		const response = (await request({
			method: 'GET',
			uri: baseUrl + PATHS.me,
			headers: {
				accept: 'application/json',
				[HEADERS.apiKey]: apiKey,
				[HEADERS.apiSecret]: apiSecret,
			},
			timeout: TIMEOUT_MS,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
		})) as TestResponse;
		return explainAnswer(response, baseUrl);
	} catch (thrown) {
		const { code } = thrown as NodeJS.ErrnoException;
		return refused(
			`No connection to ${baseUrl} could be made (${code ?? 'no answer'}). Check Base URL, and that the service is running and reachable from n8n.`,
		);
	}
}

function explainAnswer(
	{ statusCode, headers: { location = '' }, body }: TestResponse,
	baseUrl: string,
): INodeCredentialTestResult {
	if (statusCode === 401 || statusCode === 403) {
		return refused(
			'The service did not accept the key pair. Check API Key and API Secret; if the secret is lost or revoked, ask the operator for a new pair.',
		);
	}
	if (statusCode === 429) {
		return refused('The service asked to slow down. Wait a minute and test again.');
	}
	if (statusCode >= 500) {
		return refused(
			`The service at ${baseUrl} could not answer (status ${statusCode}). Try again in a moment.`,
		);
	}
	if (statusCode >= 300 && statusCode <= 399 && URL.canParse(location, baseUrl)) {
		const { origin, pathname } = new URL(location, baseUrl);
		const target =
			origin + (pathname.endsWith(PATHS.me) ? pathname.slice(0, -PATHS.me.length) : '');
		return refused(
			`${baseUrl} sends on to another URL (status ${statusCode}). If that is the service's, enter it under Base URL: ${target}`,
		);
	}
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	if (statusCode < 200 || statusCode > 299 || isPage) {
		return refused(
			`${baseUrl} answers, but it is not the messaging service (status ${statusCode}). Check Base URL: it is the part in front of /v1/me.`,
		);
	}
	return { status: 'OK', message: 'The service accepted the key pair' };
}

function refused(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
