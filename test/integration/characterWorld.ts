import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { Clock as SandboxClock, NO_REQUEST_LIMITS, type CharacterName } from '../../sandbox/src';
import type { PostRequest } from '../../sandbox/src/webhooks/post';
import type { Engine, Run } from '../support/engine';
import { ANNA, FRONT_DESK, TestService } from '../support/service';
import { TestClock } from '../support/testClock';
import { MINUTE_MS } from '../support/times';
import { Process, type Database } from './triggerProcess';

const START_MS = Date.UTC(2026, 0, 5, 9);

let worlds = 0;

/**
 * Whether n8n listens, is away (what the service posts is not answered, so that the service posts it again later), or answers
 * by itself and loses what the service posts, as it does while it boots.
 */
export type StateOfN8n = 'listening' | 'away' | 'booting';

/** A service with a character, and one n8n whose processes a test starts and kills, in a time that the test lets pass. */
export class CharacterWorld {
	/** The items with which the workflow was started, in every process. */
	readonly begun: IDataObject[] = [];

	private state: StateOfN8n = 'listening';

	private process: Process;

	private action: Engine;

	private readonly database: Database = { workflowId: `of-${(worlds += 1)}`, staticData: {} };

	private constructor(
		readonly service: TestService,
		public parameters: INodeParameters,
	) {
		this.process = this.newProcess();
		this.action = this.newAction();
	}

	/** Starts a service and an n8n whose workflow is not published yet. */
	static async start(
		character: CharacterName,
		parameters: INodeParameters = {},
		seed = 1,
	): Promise<CharacterWorld> {
		let world: CharacterWorld | undefined = undefined;
		const service = await TestService.start({
			character,
			randomSeed: seed,
			clock: SandboxClock.stopped(START_MS),
			requestLimits: NO_REQUEST_LIMITS,
			...{ sentAfterMs: 300, deliveredAfterMs: 900 },
			post: async (request) => ({ status: (await world?.answer(request)) ?? 404, excerpt: '' }),
		});
		world = new CharacterWorld(service, parameters);
		return world;
	}

	async stop(): Promise<void> {
		await this.service.stop();
	}

	get nowMs(): number {
		return this.service.sandbox.clock.now();
	}

	async publish(): Promise<void> {
		await this.process.activate('activate');
	}

	/** A person stops the workflow, and publishes it after a while. */
	async pause(durationMs: number): Promise<void> {
		await this.process.release();
		await this.pass(durationMs);
		await this.process.activate('activate');
	}

	/** A person publishes the workflow again, with other fields if they are given. */
	async publishAgain(parameters = this.parameters): Promise<void> {
		await this.process.release();
		this.parameters = parameters;
		this.process.parameters = parameters;
		await this.process.activate('update');
	}

	/** n8n is killed, stays away for a while and starts. What it had not begun is lost with the process. */
	async restart(awayMs = 0): Promise<void> {
		this.n8nIs('away');
		await this.pass(awayMs);
		this.n8nIs('listening');
		this.process.kill();
		this.process = this.newProcess();
		this.action = this.newAction();
		await this.process.activate('init');
	}

	n8nIs(state: StateOfN8n): void {
		this.state = state;
	}

	/** Several things happen, in words: each is a call of this world with what follows it. */
	async play(scene: string): Promise<void> {
		type Calls = Record<string, (...args: Array<string | number>) => unknown>;
		for (const step of scene.split(';')) {
			const [word = '', ...args] = step.trim().split(' ');
			const numbers = args.map((arg) => (/^\d+$/.test(arg) ? Number(arg) : arg));
			await (this as unknown as Calls)[word]!(...numbers);
		}
	}

	/** Time passes, and the service does what is due. */
	async pass(durationMs: number): Promise<void> {
		await this.service.sandbox.advance(durationMs);
	}

	/** A scheduled check, a while after the last one. */
	async check(): Promise<void> {
		await this.pass(6 * MINUTE_MS);
		await this.process.check();
	}

	async execute(count?: number): Promise<void> {
		this.begun.push(...(await this.process.execute(count)));
	}

	async checkAndExecute(): Promise<void> {
		await this.check();
		await this.execute();
	}

	async text(content: string, from = ANNA): Promise<void> {
		await this.service.text(content, { from });
		await this.service.sandbox.settled();
	}

	/** The action node sends Anna a message, which reaches its final state when time passes. */
	async send(content: string, options: INodeParameters = {}): Promise<Run> {
		const send = { resource: 'message', operation: 'send', number: ANNA, content, options };
		return await this.service.run({ parameters: send }, this.action);
	}

	async redeliver(as = 'same'): Promise<void> {
		for (const { id } of await this.deliveries()) {
			await this.service.control.post(`/sandbox/deliveries/${id}/redeliver`, { as });
		}
		await this.service.sandbox.settled();
	}

	/** How the endpoint answered the attempts to deliver, in their order. */
	async answers(): Promise<Array<number | null>> {
		const deliveries = await this.deliveries();
		return deliveries.reverse().flatMap(({ attempts }) => attempts.map(({ status }) => status));
	}

	async block(): Promise<void> {
		await this.service.block(FRONT_DESK.handle);
		await this.service.sandbox.settled();
	}

	async unblock(): Promise<void> {
		await this.service.control.post(`/sandbox/lines/${FRONT_DESK.handle}/unblock`, {});
		await this.service.sandbox.settled();
	}

	async hideHistory(): Promise<void> {
		await this.service.fault(PATHS.messages, 'status-503', 20);
	}

	async mend(): Promise<void> {
		await this.service.control.delete('/sandbox/faults');
	}

	async failNextSend(): Promise<void> {
		await this.service.customer(ANNA, { fail_next: true });
	}

	/** The texts of the messages that the service has accepted, oldest first. */
	async accepted(): Promise<string[]> {
		return (await this.service.accepted()).map(({ content }) => content);
	}

	private async deliveries() {
		type Delivery = { id: string; attempts: Array<{ status: number | null }> };
		const { control } = this.service;
		const { data } = await control.get<{ deliveries: Delivery[] }>('/sandbox/deliveries?limit=500');
		return data.deliveries;
	}

	private async answer({ headers, body }: PostRequest): Promise<number> {
		if (this.state === 'away') throw new Error('the connection was refused');
		if (this.state === 'booting') return 200;
		return await this.process.receiveRequest({ headers, rawBody: Buffer.from(body) });
	}

	private newProcess(): Process {
		const clock = new TestClock(() => this.nowMs);
		return new Process(this.database, this.service.credential() as never, this.parameters, clock);
	}

	private newAction(): Engine {
		/** Time passes while the node waits, so that a limit ends. */
		const clock: Clock = {
			nowMs: () => this.nowMs,
			sleep: async (durationMs) => await this.pass(durationMs),
		};
		return this.service.engineWith(this.service.credential(), new ProcessMemory(clock));
	}
}
