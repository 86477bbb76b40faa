import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { ExecutionStatusList } from 'n8n-workflow';
import { Trouble } from './trouble';

/** A workflow as n8n's REST API returns it; only the fields that are used here. */
export type SavedWorkflow = {
	id: string;
	name: string;
	versionId: string;
	/** The version that is published; null while the workflow is not active. */
	activeVersionId: string | null;
	isArchived: boolean;
	nodes: SavedNode[];
};

/** A node of a workflow; only the fields that are used here. */
export type SavedNode = {
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
};

/** A workflow file as n8n exports it. */
export type WorkflowFile = Omit<
	SavedWorkflow,
	'versionId' | 'activeVersionId' | 'isArchived' | 'nodes'
> & {
	nodes: Array<SavedNode & Record<string, unknown>>;
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** Whether the workflow was active when it was exported. n8n saves every new workflow as inactive. */
	active: boolean;
};

/** A type of node that n8n offers, with the versions that a workflow may name. */
export type OfferedNode = { name: string; version: number | number[] };

/** One execution of a workflow. */
export type Execution = { id: string; status: string };

/** An execution that has ended, and when, in ISO 8601. */
export type EndedExecution = Execution & { stoppedAt: string };

/** How many executions n8n lists at most in one answer. */
const EXECUTIONS_PAGE = 100;

/** n8n's internal REST API, as its editor uses it, with the session of one person. */
export class N8nRest {
	private readonly http: AxiosInstance;
	private cookie = '';

	constructor(private readonly n8nUrl: string) {
		this.http = axios.create({
			baseURL: `${n8nUrl}/rest`,
			timeout: 60_000,
			proxy: false,
			// n8n binds a session to the browser that logged in. Any text will do, as long as it stays the same.
			headers: { 'browser-id': 'playground' },
			validateStatus: () => true,
		});
	}

	/** Whether n8n has no owner's account yet. */
	async isNew(): Promise<boolean> {
		const settings = await this.call<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'get',
			'/settings',
		);
		return settings.userManagement.showSetupOnFirstLoad;
	}

	/** Creates the owner's account and logs in as the owner. */
	async setUpOwner(email: string, password: string): Promise<void> {
		const body = { email, password, firstName: 'Playground', lastName: 'Owner' };
		await this.call('post', '/owner/setup', body);
	}

	/** Logs in; returns false when n8n does not accept the log-in. */
	async logIn(email: string, password: string): Promise<boolean> {
		const body = { emailOrLdapLoginId: email, password };
		const response = await this.send('post', '/login', body);
		if (response.status === 401) return false;
		this.unpack('post', '/login', response);
		return true;
	}

	/** The id of the credential with this name and type, or undefined. */
	async findCredential(type: string, name: string): Promise<string | undefined> {
		const found = await this.call<Array<{ id: string; name: string; type: string }>>(
			'get',
			'/credentials',
		);
		return found.find((credential) => credential.type === type && credential.name === name)?.id;
	}

	/** What a credential holds, with its secrets blanked out. */
	async credentialData(id: string): Promise<Record<string, string>> {
		return (
			await this.call<{ data: Record<string, string> }>(
				'get',
				`/credentials/${id}?includeData=true`,
			)
		).data;
	}

	/** Tests a stored credential, as the editor's Test button does. */
	async testCredential(id: string): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const stored = await this.call<object>('get', `/credentials/${id}?includeData=true`);
		return await this.call('post', '/credentials/test', { credentials: stored });
	}

	/** Stores a credential and returns its id. */
	async createCredential(
		type: string,
		name: string,
		data: Record<string, string>,
	): Promise<string> {
		return (await this.call<{ id: string }>('post', '/credentials', { type, name, data })).id;
	}

	/** Replaces what a credential holds. */
	async updateCredential(
		id: string,
		type: string,
		name: string,
		data: Record<string, string>,
	): Promise<void> {
		await this.call('patch', `/credentials/${id}`, { type, name, data });
	}

	/** The workflow with this id, or undefined. */
	async findWorkflow(id: string): Promise<SavedWorkflow | undefined> {
		const response = await this.send('get', `/workflows/${id}`);
		return response.status === 404
			? undefined
			: this.unpack<SavedWorkflow>('get', `/workflows/${id}`, response);
	}

	/** Every workflow, with its nodes. */
	async workflows(): Promise<SavedWorkflow[]> {
		const list = await this.call<Array<{ id: string }>>('get', '/workflows');
		return await Promise.all(
			list.map(async ({ id }) => await this.call<SavedWorkflow>('get', `/workflows/${id}`)),
		);
	}

	/** Saves a new workflow under its own id. */
	async createWorkflow(workflow: WorkflowFile): Promise<SavedWorkflow> {
		return await this.call<SavedWorkflow>('post', '/workflows', workflow);
	}

	/** Saves other nodes in a workflow; the version that is published stays as it is. */
	async changeNodes(id: string, nodes: SavedNode[]): Promise<SavedWorkflow> {
		return await this.call<SavedWorkflow>('patch', `/workflows/${id}`, { nodes });
	}

	/** Publishes a version of a workflow: its triggers listen from then on. */
	async activate(id: string, versionId: string): Promise<void> {
		await this.call('post', `/workflows/${id}/activate`, { versionId });
	}

	/** The newest hundred executions of a workflow, newest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		// Without statuses n8n asks its database twice, for those under way and for the others, and an execution that
		// changes over between the two is in neither answer.
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ExecutionStatusList }));
		const { results } = await this.call<{ results: Execution[] }>(
			'get',
			`/executions?limit=${EXECUTIONS_PAGE}&filter=${filter}`,
		);
		return results;
	}

	/** Stops an execution, as a person does in the list of executions. */
	async stopExecution(executionId: string): Promise<void> {
		await this.call('post', `/executions/${executionId}/stop`);
	}

	/** All nodes that n8n offers; one whose versions differ much is there several times. */
	async nodeTypes(): Promise<OfferedNode[]> {
		const { data } = await this.http.get<OfferedNode[]>(`${this.n8nUrl}/types/nodes.json`, {
			headers: { cookie: this.cookie },
		});
		return data;
	}

	/** Every execution of a workflow that n8n calls crashed, because n8n ended in the middle of it. */
	async crashedExecutions(workflowId: string): Promise<Execution[]> {
		return await this.executionsWithStatus(workflowId, ['crashed']);
	}

	/** Every execution of a workflow that crashed or failed. */
	async brokenExecutions(workflowId: string): Promise<Execution[]> {
		return await this.executionsWithStatus(workflowId, ['crashed', 'error']);
	}

	/** What n8n has stored of an execution, as its stored text: every item that the execution started with is in it. */
	async executionData(id: string): Promise<string> {
		return (await this.call<{ data: string }>('get', `/executions/${id}`)).data;
	}

	/** Deactivates a workflow: its triggers do not listen any more. */
	async deactivate(id: string): Promise<void> {
		await this.call('post', `/workflows/${id}/deactivate`, {});
	}

	/** Executes a workflow from this trigger, as the button in the editor does; returns the execution's id. */
	async run(id: string, trigger: string): Promise<string> {
		const body = { triggerToStartFrom: { name: trigger } };
		return (await this.call<{ executionId: string }>('post', `/workflows/${id}/run`, body))
			.executionId;
	}

	/** How many executions of a workflow have succeeded. It costs n8n less than to list them. */
	async succeededCount(workflowId: string): Promise<number> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
		return (await this.call<{ count: number }>('get', `/executions?limit=1&filter=${filter}`))
			.count;
	}

	/** The executions of a workflow that succeeded, newest first; of many, the newest `most` or some more. */
	async succeededExecutions(
		workflowId: string,
		most = Number.POSITIVE_INFINITY,
	): Promise<EndedExecution[]> {
		return await this.executionsWithStatus(workflowId, ['success'], most);
	}

	private async executionsWithStatus(
		workflowId: string,
		status: string[],
		most = Number.POSITIVE_INFINITY,
	): Promise<EndedExecution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const all: EndedExecution[] = [];
		for (;;) {
			const before = all.length === 0 ? '' : `&lastId=${all.at(-1)?.id}`;
			const { results } = await this.call<{ results: EndedExecution[] }>(
				'get',
				`/executions?limit=${EXECUTIONS_PAGE}${before}&filter=${filter}`,
			);
			all.push(...results);
			if (results.length < EXECUTIONS_PAGE || all.length >= most) return all;
		}
	}

	/**
	 * Calls the API, for what none of the other methods does.
	 *
	 * @throws Trouble when n8n refuses
	 */
	async call<Data>(method: 'get' | 'post' | 'patch', path: string, body?: object): Promise<Data> {
		return this.unpack<Data>(method, path, await this.send(method, path, body));
	}

	private async send(
		method: 'get' | 'post' | 'patch',
		path: string,
		body?: object,
	): Promise<AxiosResponse<{ data: unknown; message?: string }>> {
		const response = await this.http.request<{ data: unknown; message?: string }>({
			method,
			url: path,
			data: body,
			headers: this.cookie === '' ? {} : { cookie: this.cookie },
		});
		const session = response.headers['set-cookie']?.find((cookie) =>
			cookie.startsWith('n8n-auth='),
		);
		if (session !== undefined) this.cookie = session.split(';')[0] ?? '';
		return response;
	}

	private unpack<Data>(
		method: string,
		path: string,
		{ status, data }: AxiosResponse<{ data: unknown; message?: string }>,
	): Data {
		if (status >= 200 && status < 300) return data.data as Data;
		throw new Trouble(
			`n8n at ${this.n8nUrl} answered ${status} to ${method.toUpperCase()} ${path}: ${data.message ?? 'no reason given'}`,
			'Start it again; if that does not help, start over with: npm start -- --fresh',
		);
	}
}
