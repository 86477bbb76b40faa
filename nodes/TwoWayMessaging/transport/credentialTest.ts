import type {
	IDataObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { HEADERS, PATHS } from '../contract';
import { textValue } from '../parameterValues';
import { baseUrlRefusal, tidyBaseUrl } from './credentialSettings';

/** How long the service may take to answer a test, in milliseconds. */
const TIMEOUT_MS = 10_000;

type TestResponse = { statusCode: number; body: unknown };

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
	const apiKey = textValue(fields.apiKey).trim();
	const apiSecret = textValue(fields.apiSecret).trim();
	if (apiKey === '' || apiSecret === '') {
		return refused('Enter both API Key and API Secret. The operator gives you both together.');
	}
	// n8n gives a credential test no other request function.
	const { request } = this.helpers;
	let response: TestResponse;
	try {
		response = (await request({
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
	} catch (thrown) {
		const { code } = thrown as NodeJS.ErrnoException;
		return refused(
			`No connection to ${baseUrl} could be made (${code ?? 'no answer'}). Check Base URL, and that the service is running and reachable from n8n.`,
		);
	}
	return explainAnswer(response, baseUrl);
}

function explainAnswer(
	{ statusCode, body }: TestResponse,
	baseUrl: string,
): INodeCredentialTestResult {
	const isJson = typeof body === 'object' || isJsonText(body);
	if (statusCode === 401 && isJson) {
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
	if (statusCode < 200 || statusCode > 299 || !isJson) {
		return refused(
			`${baseUrl} answers, but it is not the messaging service (status ${statusCode}). Check Base URL: it is the part in front of /v1/me.`,
		);
	}
	return { status: 'OK', message: 'The service accepted the key pair' };
}

function isJsonText(body: unknown): boolean {
	if (typeof body !== 'string') return false;
	try {
		return typeof JSON.parse(body) === 'object';
	} catch {
		return false;
	}
}

function refused(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
