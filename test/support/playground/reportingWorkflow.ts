import type { WorkflowFile } from '../../../playground/rest';

/** The minutes of a day, which no test takes: the only check is the one at n8n's start. */
export const CHECK_AT_START_ONLY = 24 * 60;

/** The time between two checks of a node that makes one each minute, and some seconds. */
export const BETWEEN_CHECKS_MS = 65_000;

/** What a reporting workflow is made of. */
export type ReportingWorkflow = {
	/** 16 letters and digits. */
	id: string;
	/** The URL that gets a request with the items of each execution; see `Effects`. */
	reportTo: string;
	/** The kinds of events that start it; default only `receive`. */
	events?: string[];
	/** The minutes between two checks, 0 for none; default 1, so that a test waits as short as it can. */
	checkEvery?: number;
	/** More fields of the trigger. */
	fields?: object;
	/** The text that makes its execution fail. */
	failsOn?: string;
	/** The names of its triggers, each with a node of its own that reports; default one. */
	triggers?: string[];
	/** The workflow that it is a copy of: its nodes have the same IDs then, and other URLs. */
	copyOf?: string;
};

/** Makes a workflow of the trigger and a node that reports the items of each execution in one request, in order. */
export const reportingWorkflow = ({
	id,
	reportTo,
	events = ['receive'],
	checkEvery = 1,
	fields = {},
	failsOn,
	triggers = ['Event'],
	copyOf = id,
}: ReportingWorkflow): WorkflowFile => ({
	id,
	name: id,
	active: true,
	nodes: triggers.flatMap((trigger, at) => {
		const number = at === 0 ? '' : `-${at + 1}`;
		const items = `$('${trigger}').all().map(({ json }) => ({
		event: json.event,
		handle: json.message_handle ?? json.line_handle,
		recovered: json.recovered,
		trigger: '${id} ${trigger}',
	}))`;
		return [
			{
				id: `${copyOf}-trigger${number}`,
				name: trigger,
				type: 'n8n-nodes-two-way-messaging.twoWayMessagingTrigger',
				typeVersion: 1,
				position: [0, at * 200],
				webhookId: `${id}-webhook${number}`,
				parameters: { events, checkEvery, ...fields },
			},
			{
				id: `${copyOf}-report${number}`,
				name: reportOf(trigger),
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [200, at * 200],
				executeOnce: true,
				parameters: {
					method: 'POST',
					// Nobody listens at port 1.
					url: failsOn
						? `={{ $json.content === ${JSON.stringify(failsOn)} ? 'http://127.0.0.1:1/' : '${reportTo}' }}`
						: reportTo,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: `={{ JSON.stringify(${items}) }}`,
					options: {},
				},
			},
		];
	}),
	connections: Object.fromEntries(
		triggers.map((trigger) => [
			trigger,
			{ main: [[{ node: reportOf(trigger), type: 'main', index: 0 }]] },
		]),
	),
	settings: { executionOrder: 'v1' },
});

const reportOf = (trigger: string) => (trigger === 'Event' ? 'Report' : `Report ${trigger}`);
