import axios from 'axios';
import { DataTables, type TableRow } from '../../../playground/dataTables';
import type { Playground } from '../../../playground/playground';
import type { WorkflowFile } from '../../../playground/rest';
import { Customer, type Row } from '../../support/playground/customer';
import { endedExecutions } from '../../support/playground/executionData';
import { TemporaryPlayground } from '../../support/playground/temporaryPlayground';
import { waitUntil } from '../../support/waitUntil';
import { examples } from '../../support/workflowFiles';

// One playground in which every example is tried, and what all of the tests do with it.

/** A line in the sandbox's state. */
export type Line = { line_handle: string; number: string; label: string };

/** A workflow file, and what its triggers put out in place of real events. */
export type Copy = WorkflowFile & { pinData?: object };

/** The number of the person whom the examples tell about something. */
export const STAFF = '+15550190001';

/** How many messages the tests of one file make at most. */
const ALL_MESSAGES = 500;

/** What the ids of the copies contain. */
const MARK = '91';

let temporary: TemporaryPlayground;

export const open = async (): Promise<void> => {
	temporary = await TemporaryPlayground.start();
};

export const close = async (): Promise<void> => await temporary?.removeAll();

export const running = (): Playground => temporary.running;

export const tables = (): DataTables => new DataTables(running().n8n);

export const tableRows = async (table: string): Promise<TableRow[]> => await tables().rows(table);

/** Makes a number that no other customer has, from two digits. */
export const number = (digits: string): string => `+155591000${digits}`;

/** Calls a control endpoint of the sandbox. */
export const control = async <Answer = Row>(
	path: string,
	data: object = {},
	method: 'get' | 'patch' | 'post' = 'post',
): Promise<Answer> => {
	const url = `${running().sandboxUrl}/sandbox${path}`;
	return (await axios.request<Answer>({ url, method, data, proxy: false })).data;
};

export const changeLine = async (line: Line | undefined, change: object): Promise<void> => {
	await control(`/lines/${line?.line_handle}`, change, 'patch');
};

export const lines = async (): Promise<Line[]> =>
	(await control<{ lines: Line[] }>('/state', {}, 'get')).lines;

export const customer = (of: string): Customer => new Customer(running().sandboxUrl, of);

/** The whole history, oldest first. To read it does not count against the limit that the workflows need (§8.1). */
export const history = async (): Promise<Row[]> => {
	const path = `/messages?limit=${ALL_MESSAGES}`;
	return (await control<{ messages: Row[] }>(path, {}, 'get')).messages.reverse();
};

/** The messages to a number, oldest first. */
export const messagesTo = async (to: string): Promise<Row[]> =>
	(await history()).filter((row) => row.is_outbound && row.to === to);

/** What the messages to a number say, oldest first. */
export const textsTo = async (to: string): Promise<string[]> =>
	(await messagesTo(to)).map(({ content }) => content);

export const whilePublished = async (id: string, body: () => Promise<void>): Promise<void> => {
	const { n8n } = running();
	await n8n.activate(id, (await n8n.findWorkflow(id))?.versionId ?? '');
	try {
		await temporary.showingLog(body);
	} finally {
		await n8n.deactivate(id);
	}
};

/**
 * Does something that starts executions of a workflow, and waits until they have ended.
 *
 * @returns their statuses, the newest first
 */
export const afterExecutions = async (
	id: string,
	count: number,
	act: () => Promise<unknown>,
): Promise<string[]> => {
	const before = (await running().n8n.executions(id)).length;
	await act();
	const all = await endedExecutions(running().n8n, id, before + count);
	return all.slice(0, all.length - before).map(({ status }) => status);
};

/** Lets a customer text, and expects one execution of a workflow that succeeds. */
export const textTo = async (id: string, from: string, content: string): Promise<Row> => {
	let text: Row | undefined;
	const statuses = await afterExecutions(id, 1, async () => {
		text = await customer(from).text(content);
	});
	expect(statuses).toEqual(['success']);
	return text as Row;
};

/** Executes a workflow from this trigger, and expects that it succeeds; returns the execution's id. */
export const run = async (id: string, trigger: string): Promise<string> => {
	const executionId = await running().n8n.run(id, trigger);
	const ended = await waitUntil(`the end of execution ${executionId}`, async () =>
		(await running().n8n.executions(id)).find(
			(one) => one.id === executionId && !['new', 'running'].includes(one.status),
		),
	);
	expect(ended.status).toBe('success');
	return executionId;
};

/**
 * Saves a copy of an example, with its credentials and with changes that a person could make; returns the copy's id. A copy
 * has webhooks of its own, as one that n8n duplicates has.
 */
export const copy = async (
	id: string,
	change = (unchanged: Copy): Copy => unchanged,
): Promise<string> => {
	const imported = await running().n8n.findWorkflow(id);
	const example = examples().find(({ workflow }) => workflow.id === id);
	if (!imported || !example) throw new Error(`There is no example ${id}`);
	const { nodes } = imported as unknown as WorkflowFile;
	const changed = change({
		...(JSON.parse(example.text) as WorkflowFile),
		id: `${id.slice(0, -2)}${MARK}`,
		nodes: nodes.map(({ webhookId, ...node }) =>
			typeof webhookId === 'string' ? { ...node, webhookId: `${MARK}${webhookId.slice(2)}` } : node,
		),
	});
	return (await running().n8n.createWorkflow(changed)).id;
};
