import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';

/** A field of the description, as an expression for the editor and as a function that gives the same. */
type Field = { template: string; resolve: (parameters: INodeParameters) => string | boolean };

/**
 * Under this name n8n, since 2.39, looks for functions in place of a description's expressions. An expression
 * takes n8n's default engine several milliseconds, for every event. Earlier ones do not look.
 */
const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

const isPolled = ({ receiveBy }: INodeParameters) => receiveBy === 'polling';

const fields = {
	// No method, no webhook: a test then does not wait for one.
	httpMethod: {
		template: '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}',
		resolve: (parameters) => (isPolled(parameters) ? '' : 'POST'),
	},
	ndvHideUrl: {
		template: '={{ $parameter["receiveBy"] === "polling" }}',
		resolve: isPolled,
	},
} satisfies Record<string, Field>;

/** Where events come in (§6.4): nothing is there while the node receives by polling. */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: fields.httpMethod.template,
	responseMode: 'onReceived',
	responseData: '',
	path: 'webhook',
	ndvHideMethod: true,
	ndvHideUrl: fields.ndvHideUrl.template,
	...{ [RESOLVERS]: fields },
};
