import type { INodeTypeDescription } from 'n8n-workflow';

const TRY =
	"<b>While you build the workflow</b>, click 'Execute step' and text one of your lines. With 'Polling', the latest event is shown at once.";

/** What the editor shows in place of the input while the node has no data. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'See an event of your lines',
	executionsHelp: {
		inactive: `${TRY}<br /><br /><b>When it works</b>, publish the workflow (in n8n 1: switch it to Active). From then on every event starts it, and the list of executions shows what happened.`,
		active: `${TRY}<br /><br /><b>The workflow is published</b>, so every event starts it as well, and the list of executions shows what happened.`,
	},
	activationHint:
		"When the workflow works, publish it (in n8n 1: switch it to Active). With 'Webhook', the service then sends every event to n8n. With 'Polling', n8n asks for new events every few minutes.",
};
