import { ICredentialsHelper, NodeHelpers } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeParameters,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** What people have filled in, by credential type. A test may change it between executions. */
export type CredentialData = Record<string, ICredentialDataDecryptedObject>;

/** Credentials as n8n's server passes them to n8n-core: with defaults. Their data is given and not decrypted. */
export class GivenCredentials extends ICredentialsHelper {
	private readonly types: Map<string, ICredentialType>;

	constructor(
		credentialTypes: ICredentialType[],
		private readonly data: CredentialData,
	) {
		super();
		this.types = new Map(credentialTypes.map((type) => [type.name, type]));
	}

	/** Whether there is data for this type, so that nodes with this type get the credential. */
	has(typeName: string): boolean {
		return typeName in this.data;
	}

	type(typeName: string): ICredentialType {
		const type = this.types.get(typeName);
		if (!type) throw new Error(`No credential type "${typeName}" was given to the engine`);
		return type;
	}

	/** Stored data with the defaults of the fields that nobody has filled in. */
	withDefaults(typeName: string, data: ICredentialDataDecryptedObject) {
		const values = NodeHelpers.getNodeParameters(
			this.type(typeName).properties,
			data as INodeParameters,
			true,
			false,
			null,
			null,
		);
		return { ...(values as ICredentialDataDecryptedObject) };
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		typeName: string,
	) {
		const data = this.data[typeName];
		if (!data) throw new Error(`No data for the credential "${typeName}" was given to the engine`);
		return this.withDefaults(typeName, structuredClone(data));
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		if (typeof authenticate !== 'function') throw new Error('The engine calls functions only');
		return await authenticate(credentials, options as IHttpRequestOptions);
	}

	getParentTypes(typeName: string): string[] {
		return this.type(typeName).extends ?? [];
	}

	getCredentialsProperties(typeName: string) {
		return this.type(typeName).properties;
	}

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
