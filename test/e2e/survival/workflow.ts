import type { WorkflowFile } from '../../../playground/rest';

const TRIGGER = 'Event';

/** n8n takes no check more often than once a minute for one time, and as many times as one likes. */
const timesEvery = (seconds: number) =>
	Array.from({ length: 60 / seconds }, (_, at) => ({
		mode: 'custom',
		cronExpression: `${at * seconds} * * * * *`,
	}));

/** Checks every few seconds, where a test should not wait for minutes. */
export const CHECKS_EVERY_5_SECONDS = timesEvery(5);

/** A time that does not come during a test: the only check is the one at n8n's start. */
export const CHECKS_AT_START_ONLY = [{ mode: 'custom', cronExpression: '0 0 0 29 2 *' }];

/**
 * The trigger, and one step that reports what it was given: all items of a run in one request, in their order.
 *
 * @param name eight letters or digits, which the ids are made of
 */
export const reportingWorkflow = (
	name: string,
	reportTo: string,
	events: string[],
	checks: object[],
): WorkflowFile => {
	const items = `$('${TRIGGER}').all().map(({ json }) => ({
		event: json.event,
		handle: json.message_handle ?? json.line_handle,
		recovered: json.recovered,
	}))`;
	return {
		id: `survival${name}`,
		name: `Survival ${name}`,
		active: true,
		nodes: [
			{
				id: `trigger-${name}`,
				name: TRIGGER,
				type: 'n8n-nodes-two-way-messaging.twoWayMessagingTrigger',
				typeVersion: 1,
				position: [0, 0],
				webhookId: `survival-${name}`,
				parameters: { events, pollTimes: { item: checks } },
			},
			{
				id: `report-${name}`,
				name: 'Report',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [200, 0],
				executeOnce: true,
				parameters: {
					method: 'POST',
					url: reportTo,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: `={{ JSON.stringify(${items}) }}`,
					options: {},
				},
			},
		],
		connections: { [TRIGGER]: { main: [[{ node: 'Report', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
};
