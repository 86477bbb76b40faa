import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import { readCredential } from '../nodes/TwoWayMessaging/service/credential';

const WRONG_PAIR =
	'The service did not accept the key pair. Check API Key and API Secret; if the secret is lost or revoked, ask the operator for a new pair.';
const SENDS_ON =
	'Base URL sends on to another URL. Open it in a browser, and enter the one that you get to.';

const ANOTHER_SERVER =
	'What answers is not the messaging service. Check Base URL: enter the address that the operator gave you.';

/** What is said of an answer that accepts no key pair, by its status. */
const REFUSALS: Record<number, string> = {
	301: SENDS_ON,
	302: SENDS_ON,
	307: SENDS_ON,
	308: SENDS_ON,
	401: WRONG_PAIR,
	403: WRONG_PAIR,
	404: ANOTHER_SERVER,
	429: 'The service asked to slow down. Wait a minute and test again.',
};

/** The key pair of the operator's messaging service, and where the service is (§5). */
export class TwoWayMessagingApi implements ICredentialType {
	name = 'twoWayMessagingApi';

	displayName = 'Two-Way Messaging API';

	icon: Icon = {
		light: 'file:../nodes/TwoWayMessaging/twoWayMessaging.svg',
		dark: 'file:../nodes/TwoWayMessaging/twoWayMessaging.dark.svg',
	};

	documentationUrl = 'https://github.com/two-way-messaging/n8n-nodes-two-way-messaging#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'The URL of the messaging service, as the operator gave it to you',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The first half of the key pair that came with your line',
		},
		{
			displayName: 'API Secret',
			name: 'apiSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'The second half of the key pair. The operator shows it only once; ask for a new pair if it is lost.',
		},
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Leave it empty, and the trigger makes one of its own',
			description: 'The secret that signs webhook events, if you want to choose it yourself',
		},
		{
			displayName: 'Path Prefix',
			name: 'pathPrefix',
			type: 'string',
			default: '',
			placeholder: 'e.g. /v1',
			hint: 'Leave it empty, unless the operator named one',
			description: 'What the operator puts before /status, /lookup and /media, such as a version',
		},
	];

	/** GET /v1/me sends nothing (§4.2). */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/[/]+$/, "") }}',
			url: PATHS.me,
			// A redirect would carry the key pair to another host.
			disableFollowRedirect: true,
		},
		rules: [
			...Object.entries(REFUSALS).map(([status, message]) => ({
				type: 'responseCode',
				properties: { value: Number(status), message },
			})),
			// What a page begins with, such as one of n8n itself: a text's first character has the key 0.
			{
				type: 'responseSuccessBody',
				properties: { key: '0', value: '<', message: ANOTHER_SERVER },
			},
		] as ICredentialTestRequest['rules'],
	};

	/**
	 * Adds the key pair to a request (§5.1). It is a function, as expressions would cost n8n time at every request.
	 *
	 * @throws Error with what is wrong with the credential, which its test shows
	 */
	async authenticate(
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { apiKey, apiSecret, refusal } = readCredential(credential);
		if (refusal) throw new Error(refusal.description);
		const keys = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret };
		return { ...request, headers: { ...request.headers, ...keys } };
	}
}
