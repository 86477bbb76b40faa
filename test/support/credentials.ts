import { ICredentialsHelper, NodeHelpers, isExpression } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

/** What people have filled in, by credential type. A test may change it between executions. */
export type CredentialData = Record<string, ICredentialDataDecryptedObject>;

type RequestPart = Record<string, unknown>;

/**
 * Credentials as n8n's server passes them to n8n-core: with defaults, and with a declared `authenticate` applied to every
 * request. Their data is given and not decrypted.
 */
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
		incoming: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const options = incoming as IHttpRequestOptions;
		const { authenticate } = this.type(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		if (!authenticate) return options;
		if (!workflow || !node) throw new Error('A declared authenticate needs a workflow and a node');

		const resolve = (text: string): string => {
			if (!isExpression(text)) return text;
			const keys = { $credentials: credentials };
			const value = workflow.expression.getSimpleParameterValue(
				node,
				text,
				'internal',
				keys,
				undefined,
				'',
			);
			return value ? String(value) : '';
		};
		// Here `headers`, `qs`, `body` and `auth` are maps, although their types allow more.
		const parts = options as unknown as Record<string, RequestPart | undefined>;
		parts.headers ??= {};
		for (const [part, values] of Object.entries(authenticate.properties)) {
			const target = (parts[part] ??= {});
			for (const [key, value] of Object.entries(values as Record<string, string>)) {
				target[resolve(key)] = resolve(value);
			}
		}
		return options;
	}

	/** Only a credential with an expirable hidden field needs a step before a request. */
	async preAuthentication(
		_helpers: IHttpRequestHelper,
		_credentials: ICredentialDataDecryptedObject,
		typeName: string,
	) {
		const expires = this.type(typeName).properties.some(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		);
		if (expires) throw new Error('The engine does not renew credentials that expire');
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	getParentTypes(typeName: string): string[] {
		return this.type(typeName).extends ?? [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	getCredentialsProperties(typeName: string) {
		return this.type(typeName).properties;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('The engine keeps no encrypted credentials');
	}

	async updateCredentials() {
		throw new Error('The engine does not write credentials');
	}

	async updateCredentialsOauthTokenData() {
		throw new Error('The engine does not write credentials');
	}
}
