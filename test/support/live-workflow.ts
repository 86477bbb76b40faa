import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { runWorkflow, type Run } from './executions';
import { saveStaticData, type Instance, type NodeSpec } from './instance';
import {
	receiveWebhook,
	runHook,
	runPoll,
	webhookRoute,
	type PollCall,
	type Reception,
} from './webhooks';

/** A workflow that listens on a real port, from its activation to its deactivation. */
export type LiveWorkflow = {
	/** `http://127.0.0.1:<port>`. */
	address: string;
	/** The static data that n8n has saved with the workflow. */
	staticData: IDataObject;
	/** The executions, in the order in which they ended. */
	runs: Run[];
	/** The errors of webhook() or of the start of an execution, which n8n shows as failed executions. */
	failures: unknown[];
	/** Calls checkExists, then create if the webhook does not exist, then poll, as n8n does. */
	activate: (mode?: WorkflowActivateMode) => Promise<void>;
	/** Calls delete; the workflow does not listen any more. */
	deactivate: () => Promise<void>;
	/** Runs one scheduled poll, which starts an execution when the node finds something. */
	poll: () => Promise<Run | undefined>;
	/** Resolves when so many executions have ended; rejects with the first failure. */
	waitForRuns: (count: number) => Promise<Run[]>;
	/** Stops listening without calling the node, as n8n does when it shuts down. */
	close: () => Promise<void>;
};

/** Serves a workflow whose first node is a trigger, the way n8n's server does. */
export async function serveWorkflow(
	instance: Instance,
	request: { nodes: NodeSpec[]; staticData?: IDataObject },
): Promise<LiveWorkflow> {
	const nodes = request.nodes.map((spec) => instance.node(spec));
	const [trigger] = nodes as [INode];
	const { webhook, poll } = instance.nodeTypes.getByName(trigger.type);
	const staticData = request.staticData ?? {};
	const runs: Run[] = [];
	const failures: unknown[] = [];
	const waiting = new Set<() => void>();
	const wakeAll = () => {
		for (const wake of waiting) wake();
		waiting.clear();
	};
	let listening = false;
	// The same object for the whole activation: poll() writes back at each tick what it has read at the start.
	let active: Workflow | undefined;

	const execute = async (items: INodeExecutionData[]): Promise<Run> => {
		const run = await runWorkflow(instance, { nodes, items, staticData });
		runs.push(run);
		wakeAll();
		return run;
	};

	/** Saves what webhook() has written, as n8n does when no execution starts: all of it, before the answer. */
	const saveReception = async (read: string, { staticData: written }: Reception) => {
		const changed = JSON.stringify(written);
		if (changed === read) return;
		await roundTrip();
		staticData[`node:${trigger.name}`] = JSON.parse(changed) as IDataObject;
	};

	const handle = async (req: IncomingMessage, res: ServerResponse) => {
		const rawBody = await buffer(req);
		const { method, path } = webhookRoute(instance.workflow(nodes, { staticData }), trigger);
		const matches = req.url?.split('?')[0] === `/webhook/${path}` && req.method === method;
		if (!listening || !matches) {
			const message = `The requested webhook "${req.method} ${req.url}" is not registered.`;
			return answer(res, 404, {}, { code: 404, message });
		}
		const read = JSON.stringify(staticData[`node:${trigger.name}`] ?? {});
		const reception = await receiveWebhook(instance, {
			node: trigger,
			staticData: staticData[`node:${trigger.name}`] as IDataObject | undefined,
			method,
			headers: req.headers,
			rawBody,
		});
		const { response, startsWith, thrown } = reception;
		if (!startsWith && !thrown) await saveReception(read, reception);
		if (thrown) {
			failures.push(thrown);
			wakeAll();
		}
		// The execution starts before the answer and ends after it.
		const run = startsWith && execute(startsWith);
		answer(res, response.status, response.headers, response.body);
		await run;
	};

	const server = createServer((req, res) => {
		handle(req, res).catch((problem: unknown) => {
			failures.push(problem);
			if (!res.headersSent) answer(res, 500, {}, { code: 0, message: String(problem) });
			wakeAll();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	instance.webhookBaseUrl = `${address}/webhook`;

	const tick = async (activation: WorkflowActivateMode) => {
		if (!active) throw new Error('The workflow is not active');
		const workflow = active;
		const started: Array<Promise<Run>> = [];
		const emit: PollCall['emit'] = ([emitted = []], _response, done) => {
			saveStaticData(workflow, staticData);
			const run = execute(emitted);
			started.push(run);
			void run.then(({ status }) => done?.resolve({ status } as IRun));
		};
		const items = await runPoll(instance, workflow, trigger, { activation, emit });
		saveStaticData(workflow, staticData);
		return items ? await execute(items) : await started[0];
	};

	return {
		address,
		staticData,
		runs,
		failures,
		async activate(mode = 'activate') {
			active = instance.workflow(nodes, { staticData });
			if (webhook && webhookRoute(active, trigger).method) {
				listening = true;
				const options = { activation: mode };
				const exists = await runHook(instance, active, trigger, {
					...options,
					method: 'checkExists',
				});
				if (!exists) await runHook(instance, active, trigger, { ...options, method: 'create' });
				saveStaticData(active, staticData);
			}
			if (poll) await tick(mode);
		},
		async deactivate() {
			const workflow = instance.workflow(nodes, { staticData });
			if (listening) await runHook(instance, workflow, trigger, { method: 'delete' });
			saveStaticData(workflow, staticData);
			listening = false;
			active = undefined;
		},
		poll: async () => await tick('activate'),
		async waitForRuns(count) {
			while (runs.length < count) {
				if (failures.length > 0) throw failures[0];
				await new Promise<void>((resolve) => waiting.add(resolve));
			}
			return runs;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

let writes = 0;

/** Takes the place of a write to the database. Every second one is slow, so that later ones overtake it. */
const roundTrip = async () => {
	writes += 1;
	await new Promise<void>((resolve) => setTimeout(resolve, writes % 2 === 0 ? 1 : 150));
};

function answer(
	res: ServerResponse,
	status: number,
	headers: Record<string, string>,
	body: unknown,
) {
	const isText = typeof body === 'string' || body === undefined;
	res.writeHead(status, isText ? headers : { 'content-type': 'application/json', ...headers });
	res.end(isText ? body : JSON.stringify(body));
}
