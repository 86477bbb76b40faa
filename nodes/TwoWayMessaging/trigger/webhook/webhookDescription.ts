import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';
import { descriptionResolvers, type ResolvedField } from '../../n8n/webhookDescriptionResolvers';

const isPolling = ({ receiveBy }: INodeParameters) => receiveBy === 'polling';

const FIELDS = {
	// Without a method n8n makes no webhook, and a test in the editor does not wait for one.
	httpMethod: {
		template: '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}',
		resolve: (parameters) => (isPolling(parameters) ? '' : 'POST'),
	},
} satisfies Record<string, ResolvedField>;

/** Where events come in (§6.4); there is no webhook while the node receives by polling. */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: FIELDS.httpMethod.template,
	responseMode: 'onReceived',
	responseData: '',
	path: 'webhook',
	ndvHideMethod: true,
	// The node tells the service its URL by itself, so nobody has to copy it.
	ndvHideUrl: true,
	...descriptionResolvers(FIELDS),
};
