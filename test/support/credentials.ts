import { ICredentialsHelper, NodeHelpers } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';

/**
 * The package's credential as n8n's server passes it to n8n-core: with defaults. Its data is given and not decrypted, and a
 * test may change it between executions.
 */
export class GivenCredentials extends ICredentialsHelper {
	readonly type = new TwoWayMessagingApi();

	constructor(private readonly data?: ICredentialDataDecryptedObject) {
		super();
	}

	/** Whether nodes with this type get the credential. */
	has(typeName: string): boolean {
		return this.data !== undefined && typeName === this.type.name;
	}

	/** Stored data with the defaults of the fields that nobody has filled in. */
	withDefaults(data: ICredentialDataDecryptedObject) {
		const values = NodeHelpers.getNodeParameters(
			this.type.properties,
			data as INodeParameters,
			true,
			false,
			null,
			null,
		);
		return { ...(values as ICredentialDataDecryptedObject) };
	}

	async getDecrypted() {
		if (!this.data) throw new Error('The engine was given no credential');
		return this.withDefaults(structuredClone(this.data));
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		options: unknown,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, options as IHttpRequestOptions);
	}

	getParentTypes = () => [];

	getCredentialsProperties = () => this.type.properties;

	isCredentialUsableByNode = () => true;

	preAuthentication = async () => undefined;

	runPreAuthentication = async () => undefined;

	getCredentials = notOffered;

	updateCredentials = notOffered;

	updateCredentialsOauthTokenData = notOffered;
}

async function notOffered(): Promise<never> {
	throw new Error('The engine keeps credentials as they are given');
}
