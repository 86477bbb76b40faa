import type { INodeParameters } from 'n8n-workflow';
import type { PostRequest } from '../../sandbox/src/webhooks/post';
import { TestService, type ServiceOptions } from '../support/service';
import { fastMemory } from '../support/testClock';
import { LiveProcess } from './triggerProcess';
import { derivedSecret } from './triggerWorkflow';

/** The sandbox, and an n8n with a workflow of the trigger to which it delivers. */
export class TriggerService {
	n8n?: LiveProcess;

	private constructor(readonly service: TestService) {}

	static async start(options?: ServiceOptions): Promise<TriggerService> {
		let trigger: TriggerService | undefined = undefined;
		const post = async (request: PostRequest) => ({
			status: (await trigger?.receive(request)) ?? 404,
			excerpt: '',
		});
		// Events are signed by the machine's time, so the trigger's waits take none.
		const service = await TestService.start({ memory: fastMemory(), post, ...options });
		trigger = new TriggerService(service);
		return trigger;
	}

	get secret(): string {
		return derivedSecret(String(this.service.credential().apiSecret));
	}

	/** A person publishes the workflow, or n8n starts with it. */
	async listen(parameters: INodeParameters = {}, activation: 'activate' | 'init' = 'activate') {
		const { options } = parameters as { options?: INodeParameters };
		this.n8n = new LiveProcess(
			{ workflowId: this.service.url, staticData: {} },
			this.service.credential() as never,
			{ ...parameters, options: { completeMessages: true, ...options } },
			undefined,
			this.service.memory,
		);
		await this.n8n.activate(activation);
		return this.n8n;
	}

	/** A customer texts a line, and what that starts has ended. */
	async text(content: string, more: object = {}): Promise<void> {
		await this.service.text(content, more);
		await this.settled();
	}

	/** Resolves when every delivery under way has its answer, and every execution has ended. */
	async settled(): Promise<void> {
		await this.service.sandbox.settled();
		await this.n8n?.idle();
	}

	async stop(): Promise<void> {
		await this.service.stop();
	}

	private async receive({ headers, body }: PostRequest): Promise<number | undefined> {
		return await this.n8n?.receiveRequest({ headers, rawBody: Buffer.from(body) });
	}
}
