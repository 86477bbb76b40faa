import axios from 'axios';
import { DataTables, type TableRow } from '../../../playground/dataTables';
import type { Playground } from '../../../playground/playground';
import type { Execution, WorkflowFile } from '../../../playground/rest';
import { Customer, type Row } from '../../support/playground/customer';
import { endedExecutions } from '../../support/playground/executionData';
import { TemporaryPlayground } from '../../support/playground/temporaryPlayground';
import { waitUntil } from '../../support/waitUntil';
import { examples } from '../../support/workflowFiles';

/** A line in the sandbox's state. */
export type Line = { line_handle: string; number: string; label: string };

/** A workflow file, and what its triggers put out in place of real events. */
export type Copy = WorkflowFile & { pinData?: object };

/** How many messages the tests of one file make at most. */
const ALL_MESSAGES = 500;

/** One playground in which every example is tried, and what all of the tests do with it. */
export class ExamplesPlayground {
	private constructor(private readonly temporary: TemporaryPlayground) {}

	static async start(): Promise<ExamplesPlayground> {
		return new ExamplesPlayground(await TemporaryPlayground.start());
	}

	async removeAll(): Promise<void> {
		await this.temporary.removeAll();
	}

	get running(): Playground {
		return this.temporary.running;
	}

	async control<Answer = Row>(path: string, body: object = {}): Promise<Answer> {
		const url = `${this.running.sandboxUrl}/sandbox${path}`;
		return (await axios.post<Answer>(url, body, { proxy: false })).data;
	}

	async changeLine(line: Line | undefined, change: object): Promise<void> {
		const url = `${this.running.sandboxUrl}/sandbox/lines/${line?.line_handle}`;
		await axios.patch(url, change, { proxy: false });
	}

	async lines(): Promise<Line[]> {
		const url = `${this.running.sandboxUrl}/sandbox/state`;
		return (await axios.get<{ lines: Line[] }>(url, { proxy: false })).data.lines;
	}

	customer(number: string): Customer {
		return new Customer(this.running.sandboxUrl, number);
	}

	/** The whole history, oldest first. To read it does not count against the limit that the workflows need (§8.1). */
	async history(): Promise<Row[]> {
		const url = `${this.running.sandboxUrl}/sandbox/messages?limit=${ALL_MESSAGES}`;
		const { data } = await axios.get<{ messages: Row[] }>(url, { proxy: false });
		return data.messages.reverse();
	}

	/** The messages to a number, oldest first. */
	async messagesTo(number: string): Promise<Row[]> {
		return (await this.history()).filter((row) => row.is_outbound && row.to === number);
	}

	/** What the messages to a number say, oldest first. */
	async textsTo(number: string): Promise<string[]> {
		return (await this.messagesTo(number)).map(({ content }) => content);
	}

	/** Publishes workflows while the body runs. */
	async whilePublished(ids: string[], body: () => Promise<void>): Promise<void> {
		const { n8n } = this.running;
		for (const id of ids) {
			await n8n.activate(id, (await n8n.findWorkflow(id))?.versionId ?? '');
		}
		try {
			await this.temporary.showingLog(body);
		} finally {
			for (const id of ids) await n8n.deactivate(id);
		}
	}

	/**
	 * Does something that starts executions of a workflow, and waits until they have ended.
	 *
	 * @returns their statuses, the newest first
	 */
	async afterExecutions<Result>(
		id: string,
		count: number,
		act: () => Promise<Result>,
	): Promise<string[]> {
		const before = (await this.running.n8n.executions(id)).length;
		await act();
		const all = await endedExecutions(this.running.n8n, id, before + count);
		return all.slice(0, all.length - before).map(({ status }) => status);
	}

	/** Lets a customer text, and expects one execution of a workflow that succeeds. */
	async textTo(id: string, number: string, content: string): Promise<Row> {
		let text: Row | undefined;
		const statuses = await this.afterExecutions(id, 1, async () => {
			text = await this.customer(number).text(content);
		});
		expect(statuses).toEqual(['success']);
		return text as Row;
	}

	/** Executes a workflow from this trigger, and expects that it succeeds; returns the execution's id. */
	async run(id: string, trigger: string): Promise<string> {
		const executionId = await this.running.n8n.run(id, trigger);
		const ended = await waitUntil(`the end of execution ${executionId}`, async () => {
			const all: Execution[] = await this.running.n8n.executions(id);
			return all.find((one) => one.id === executionId && !['new', 'running'].includes(one.status));
		});
		expect(ended.status).toBe('success');
		return executionId;
	}

	/**
	 * Saves a copy of an example, with its credentials and with changes that a person could make. A copy has webhooks of its
	 * own, as one that n8n duplicates has.
	 *
	 * @param mark two digits, which the ids of the copy contain
	 * @returns the copy's id
	 */
	async copy(id: string, mark: string, change: (copy: Copy) => Copy): Promise<string> {
		const imported = await this.running.n8n.findWorkflow(id);
		const example = examples().find(({ workflow }) => workflow.id === id);
		if (!imported || !example) throw new Error(`There is no example ${id}`);
		const { nodes } = imported as unknown as WorkflowFile;
		const copy = change({
			...(JSON.parse(example.text) as WorkflowFile),
			id: `${id.slice(0, -2)}${mark}`,
			nodes: nodes.map(({ webhookId, ...node }) =>
				typeof webhookId === 'string'
					? { ...node, webhookId: `${mark}${webhookId.slice(2)}` }
					: node,
			),
		});
		return (await this.running.n8n.createWorkflow(copy)).id;
	}

	async rows(table: string): Promise<TableRow[]> {
		return await new DataTables(this.running.n8n).rows(table);
	}

	async addRows(table: string, rows: TableRow[]): Promise<void> {
		await new DataTables(this.running.n8n).add(table, rows);
	}

	/** Changes the rows of a Data Table that have this value in this column. */
	async changeRows(
		table: string,
		[column, value]: [string, string],
		change: TableRow,
	): Promise<void> {
		await new DataTables(this.running.n8n).change(table, column, value, change);
	}
}

/** What the tests of an example are given. */
export type Given = {
	/** The playground; it runs once the tests do. */
	playground: () => ExamplesPlayground;
	/** Makes a number that no other customer has, from two digits. */
	number: (digits: string) => string;
	/** Saves a copy, and returns its id. */
	copy: (exampleId: string, change?: (copy: Copy) => Copy) => Promise<string>;
};

/** The number of the person whom the examples tell about something. */
export const STAFF = '+15550190001';
