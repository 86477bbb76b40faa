import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account';
import type { N8nRest, WorkflowFile } from './rest';
import { Trouble } from './trouble';

/** Node types of an installed package are named after it. */
const PACKAGE = 'n8n-nodes-two-way-messaging';

const CREDENTIAL_TYPE = 'twoWayMessagingApi';
const CREDENTIAL_NAME = 'Two-Way Messaging Sandbox';

/**
 * Logs in to n8n, stores the credential for the sandbox, and imports the workflows of a folder.
 *
 * @returns the names of the workflows that were imported now
 */
export const setUpN8n = async (
	rest: N8nRest,
	account: Account,
	sandboxUrl: string,
	workflowsFolder: string,
): Promise<string[]> => {
	await logIn(rest, account);
	const credentialId = await provideCredential(rest, account, sandboxUrl);
	return await importWorkflows(rest, workflowsFolder, credentialId);
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

/**
 * Imports the workflows of a folder that n8n does not have yet, and activates those whose file says
 * so: of the examples that would answer the same text, only one is active. A workflow that n8n has
 * already stays as it is, because a person may have changed it.
 *
 * @returns the names of the workflows that were imported now
 */
export const importWorkflows = async (
	rest: N8nRest,
	folder: string,
	credentialId: string,
): Promise<string[]> => {
	const imported: string[] = [];
	for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()) {
		const file = JSON.parse(await readFile(join(folder, name), 'utf8')) as WorkflowFile;
		if ((await rest.findWorkflow(file.id)) !== undefined) continue;
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
		imported.push(file.name);
	}
	return imported;
};
