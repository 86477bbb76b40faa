/** Since when the service can deliver to a node, in this process. */
export class Listening {
	/** When the workflow last began to listen; undefined where it receives no webhooks. */
	fromMs?: number;
}
