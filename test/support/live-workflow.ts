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
	runTrigger,
	webhookRoute,
	type Emit,
	type Listening,
	type Reception,
} from './webhooks';

/** A workflow that listens on a real port, from its activation to its deactivation. */
export type LiveWorkflow = Awaited<ReturnType<typeof serveWorkflow>>;

/** Serves a workflow whose first node is a trigger, the way n8n's server does. */
export async function serveWorkflow(
	instance: Instance,
	request: { nodes: NodeSpec[]; staticData?: IDataObject },
) {
	const nodes = request.nodes.map((spec) => instance.node(spec));
	const [trigger] = nodes as [INode];
	const { webhook, trigger: listens } = instance.nodeTypes.getByName(trigger.type);
	const staticData = request.staticData ?? {};
	const runs: Run[] = [];
	const failures: unknown[] = [];
	const waiting = new Set<() => void>();
	const wakeAll = () => {
		for (const wake of waiting) wake();
		waiting.clear();
	};
	let hasWebhook = false;
	let listening: Listening | undefined;

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
		if (!hasWebhook || !matches) {
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

	/**
	 * Calls trigger(). What it emits starts executions, also after the workflow has stopped listening, and each time n8n
	 * saves what the workflow object that trigger() got holds then.
	 */
	const listen = async (workflow: Workflow, activation: WorkflowActivateMode) => {
		const emit: Emit = ([items = []], _response, done) => {
			saveStaticData(workflow, staticData);
			execute(items).then(
				({ status }) => done?.resolve({ status } as IRun),
				(problem: Error) => {
					failures.push(problem);
					wakeAll();
					done?.reject(problem);
				},
			);
		};
		listening = await runTrigger(instance, workflow, trigger, { activation, emit });
	};

	const stopListening = async () => {
		await listening?.close();
		listening = undefined;
	};

	return {
		/** `http://127.0.0.1:<port>`. */
		address,
		/** The static data that n8n has saved with the workflow. */
		staticData,
		/** The executions, in the order in which they ended. */
		runs,
		/** The errors of webhook() or of the start of an execution, which n8n shows as failed executions. */
		failures,
		/** Calls checkExists, then create if the webhook does not exist, then trigger, as n8n does. */
		async activate(mode: WorkflowActivateMode = 'activate'): Promise<void> {
			const workflow = instance.workflow(nodes, { staticData });
			if (webhook && webhookRoute(workflow, trigger).method) {
				hasWebhook = true;
				const call = async (method: 'checkExists' | 'create') =>
					await runHook(instance, workflow, trigger, { activation: mode, method });
				if (!(await call('checkExists'))) await call('create');
				saveStaticData(workflow, staticData);
			}
			await stopListening();
			if (listens) await listen(workflow, mode);
			saveStaticData(workflow, staticData);
		},
		/** Calls delete, then closeFunction; the workflow does not listen any more. */
		async deactivate(): Promise<void> {
			const workflow = instance.workflow(nodes, { staticData });
			if (hasWebhook) await runHook(instance, workflow, trigger, { method: 'delete' });
			saveStaticData(workflow, staticData);
			hasWebhook = false;
			await stopListening();
		},
		/** Lets the node's crons tick so many times; resolves when what they do is done. */
		async tick(times = 1): Promise<void> {
			if (!listening) throw new Error('The workflow is not active');
			for (let tick = 0; tick < times; tick += 1) await listening.tick();
		},
		/** Resolves when so many executions have ended; rejects with the first failure. */
		async waitForRuns(count: number): Promise<Run[]> {
			while (runs.length < count) {
				if (failures.length > 0) throw failures[0];
				await new Promise<void>((resolve) => waiting.add(resolve));
			}
			return runs;
		},
		/** Stops listening and calls closeFunction, as n8n does when it shuts down. */
		async close(): Promise<void> {
			await stopListening();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

let writes = 0;

/** Takes the place of a write to the database. Every second one is slow, so that later ones overtake it. */
const roundTrip = async () => {
	writes += 1;
	await new Promise<void>((resolve) => setTimeout(resolve, writes % 2 === 0 ? 1 : 20));
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
