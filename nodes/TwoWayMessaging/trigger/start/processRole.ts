/** What this process of n8n does for the node. */
export class ProcessRole {
	/**
	 * Whether webhooks or checks of the node come to this process. If so, its executions begin here and nowhere else;
	 * a worker of n8n's queue mode receives nothing, and shares the node's executions with other workers.
	 */
	receivesEvents = false;
}
