import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

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
		{
			displayName: 'Status Request',
			name: 'statusStyle',
			type: 'options',
			default: 'messageHandle',
			hint: 'Leave it, unless the operator asks for another one',
			description: 'How the operator wants to be asked for the status of a message',
			options: [
				{ name: '/status?message_handle=…', value: 'messageHandle' },
				{ name: '/status?handle=…', value: 'handle' },
				{ name: '/status/…', value: 'path' },
			],
		},
	];

	/** Adds the key pair to a request (§5.1). It is a function, as expressions would cost n8n time at every request. */
	async authenticate(
		{ apiKey, apiSecret }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const headers = {
			...request.headers,
			'X-API-Key': String(apiKey ?? '').trim(),
			'X-API-Secret': String(apiSecret ?? '').trim(),
		};
		return { ...request, headers };
	}
}
