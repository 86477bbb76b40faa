import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account';
import { DATA_TABLES, DataTables } from './dataTables';
import type { N8nRest, OfferedNode, WorkflowFile } from './rest';
import type { Log } from './progress';
import { Trouble } from './trouble';

/** Node types of an installed package are named after it. */
const PACKAGE = 'n8n-nodes-two-way-messaging';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

const CREDENTIAL_TYPE = 'twoWayMessagingApi';
const CREDENTIAL_NAME = 'Two-Way Messaging Sandbox';

/** The names of the workflows that were imported now, and of those that this n8n does not have the nodes for. */
export type Imported = { imported: string[]; leftOut: string[] };

/** Logs in to n8n, stores the credential for the sandbox, and imports the workflows of a folder. */
export const setUpN8n = async (
	rest: N8nRest,
	account: Account,
	sandboxUrl: string,
	workflowsFolder: string,
): Promise<Imported> => {
	await logIn(rest, account);
	const credentialId = await provideCredential(rest, account, sandboxUrl);
	return await importWorkflows(rest, workflowsFolder, credentialId, sandboxUrl);
};

/** The example that is published, and answers the first text. */
const FIRST_WORKFLOW = 'Auto-reply';

/** Where n8n shows its workflows. */
export const workflowListUrl = (n8nUrl: string): string => `${n8nUrl}/home/workflows`;

/** The URL of the workflow that answers; of all workflows where a person has renamed or removed it. */
export const firstPageUrl = async (rest: N8nRest, n8nUrl: string): Promise<string> => {
	const first = (await rest.workflows()).find(({ name }) => name === FIRST_WORKFLOW);
	return first ? `${n8nUrl}/workflow/${first.id}` : workflowListUrl(n8nUrl);
};

/** Logs in to n8n; on n8n's first start it creates the owner's account. */
export const logIn = async (rest: N8nRest, { email, password }: Account): Promise<void> => {
	if (await rest.isNew()) {
		await rest.setUpOwner(email, password);
	} else if (!(await rest.logIn(email, password))) {
		throw new Trouble(
			`n8n does not accept the playground's own log-in, ${email}; its password was probably changed in n8n.`,
			'Change it back to the one in .playground/data/account.json, or start over with: npm start -- --fresh',
		);
	}
};

/** Stores the credential for the sandbox, or updates the URL in it; returns its id. */
export const provideCredential = async (
	rest: N8nRest,
	{ apiKey, apiSecret }: Account,
	sandboxUrl: string,
): Promise<string> => {
	const id = await rest.findCredential(CREDENTIAL_TYPE, CREDENTIAL_NAME);
	if (id === undefined) {
		const data = { baseUrl: sandboxUrl, apiKey, apiSecret };
		return await rest.createCredential(CREDENTIAL_TYPE, CREDENTIAL_NAME, data);
	}
	const data = await rest.credentialData(id);
	if (data.baseUrl !== sandboxUrl) {
		// n8n puts the secrets back that it has blanked out in `data`.
		const changed = { ...data, baseUrl: sandboxUrl };
		await rest.updateCredential(id, CREDENTIAL_TYPE, CREDENTIAL_NAME, changed);
		await publishAgain(rest, id);
	}
	return id;
};

/** Publishes the workflows that use a credential: n8n had activated them with its old URL, where no sandbox answered. */
const publishAgain = async (rest: N8nRest, credentialId: string): Promise<void> => {
	for (const { id, activeVersionId, nodes } of await rest.workflows()) {
		const usesIt = nodes.some(
			({ credentials }) => credentials?.[CREDENTIAL_TYPE]?.id === credentialId,
		);
		if (activeVersionId !== null && usesIt) await rest.activate(id, activeVersionId);
	}
};

/** Says which workflows were left out, and why; nothing where there are none. */
export const logLeftOut = (log: Log, { leftOut }: Imported): void => {
	if (leftOut.length === 0) return;
	log(`  This n8n is too old for some of the examples, which were left out: ${leftOut.join(', ')}`);
};

/**
 * Imports the workflows of a folder that n8n does not have yet, with the Data Tables that they need, and activates
 * those whose file says so: of the examples that would answer the same text, only one is active. A workflow that
 * n8n has already stays as it is, because a person may have changed it.
 *
 * @param phoneUrl where the notes on the canvas link to when they speak of the phone
 */
export const importWorkflows = async (
	rest: N8nRest,
	folder: string,
	credentialId: string,
	phoneUrl?: string,
): Promise<Imported> => {
	const files = await filesToImport(rest, folder);
	const offered = files.length === 0 ? [] : await rest.nodeTypes();
	const fitting = files.filter(({ nodes }) => nodes.every((node) => isOffered(node, offered)));
	await new DataTables(rest).provide(DATA_TABLES.filter(({ name }) => fitting.some(uses(name))));
	// n8n lists first what was changed last; a person finds the published example near the top then.
	for (const file of [...fitting].reverse()) {
		await importWorkflow(rest, phoneUrl ? withLinks(file, phoneUrl) : file, credentialId);
	}
	const leftOut = files.filter((file) => !fitting.includes(file));
	return { imported: fitting.map(({ name }) => name), leftOut: leftOut.map(({ name }) => name) };
};

/** The workflows of a folder that n8n does not have yet. */
const filesToImport = async (rest: N8nRest, folder: string): Promise<WorkflowFile[]> => {
	const missing: WorkflowFile[] = [];
	for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()) {
		const file = JSON.parse(await readFile(join(folder, name), 'utf8')) as WorkflowFile;
		if ((await rest.findWorkflow(file.id)) === undefined) missing.push(file);
	}
	return missing;
};

/** Whether n8n has a node in the version that a workflow names. Sticky notes are a part of the editor. */
const isOffered = ({ type, typeVersion }: WorkflowFile['nodes'][number], offered: OfferedNode[]) =>
	type === STICKY_NOTE ||
	offered.some(
		({ name, version }) => name === type && [version].flat().some((one) => one === typeVersion),
	);

/** Whether a workflow names a Data Table. */
const uses =
	(table: string) =>
	({ nodes }: WorkflowFile): boolean =>
		nodes.some(({ parameters }) => JSON.stringify(parameters.dataTableId)?.includes(`"${table}"`));

/** The workflow with links to the phone in its notes. Its file cannot know the URL. */
const withLinks = (file: WorkflowFile, phoneUrl: string): WorkflowFile => ({
	...file,
	nodes: file.nodes.map((node) => {
		const { content } = node.parameters;
		if (node.type !== STICKY_NOTE || typeof content !== 'string') return node;
		const linked = content.replace(/\bthe phone\b/, `[the phone](${phoneUrl}/)`);
		return { ...node, parameters: { ...node.parameters, content: linked } };
	}),
});

const importWorkflow = async (
	rest: N8nRest,
	file: WorkflowFile,
	credentialId: string,
): Promise<void> => {
	const { id, versionId } = await rest.createWorkflow({
		...file,
		nodes: file.nodes.map((node) =>
			node.type.startsWith(`${PACKAGE}.`)
				? {
						...node,
						credentials: { [CREDENTIAL_TYPE]: { id: credentialId, name: CREDENTIAL_NAME } },
					}
				: node,
		),
	});
	if (file.active) await rest.activate(id, versionId);
};
