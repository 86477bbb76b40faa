import type { IExecuteFunctions, ITriggerFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { reasonOf } from '../../reasonOf';
import { connect, type Connection } from '../../service/request';
import type { TriggerCall } from '../nodeMemory';
import { readSaved } from '../savedState';
import { readTriggerSettings } from '../settings';
import { register, registerUrl, wantedRegistration } from './register';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** When this process last registered again because of missed events: once an hour at most. */
class LastRegistration {
	private atMs = Number.NEGATIVE_INFINITY;

	constructor(private readonly clock: Clock) {}

	/** When the log last said that the service knows the URL, which may be of an endpoint that it has disabled. */
	toldAtMs = Number.NEGATIVE_INFINITY;

	tryNow(): boolean {
		const nowMs = this.clock.nowMs();
		if (nowMs - this.atMs < HOUR_MS) return false;
		this.atMs = nowMs;
		return true;
	}
}

/**
 * Registers again where a check finds that the registration is out of date: the service was away when the workflow
 * started, or the credential was changed. The check goes on, whatever comes of it.
 */
export async function registerIfOutdated(
	call: TriggerCall<ITriggerFunctions>,
	connection: Connection,
): Promise<void> {
	const saved = registrationOf(call);
	if (!saved) return;
	await tryToRegister(
		call,
		'registered for events again, as the registration was out of date',
		async () => {
			const wanted = await wantedRegistration(call, connection, saved.url);
			const isUpToDate = !saved.isOwed && saved.fingerprint === wanted.registration.fingerprint;
			return isUpToDate ? undefined : await register(call, connection, wanted, true);
		},
	);
}

/**
 * Registers again when a check has found events that a webhook should have brought: an endpoint is disabled after ten
 * failures (§3.3). Only an execution knows what has begun before, and so what was truly missed.
 *
 * assumption: a service that does not revive a disabled endpoint takes the same URL with another query for another one
 * (§3.3: not shown). It changes once a day at most, and only an event shows that the endpoint lives.
 */
export async function registerAfterMisses(call: TriggerCall<IExecuteFunctions>): Promise<void> {
	const { context, clock, memory, processMemory } = call;
	const saved = registrationOf(call);
	if (!saved || !memory.part(LastRegistration).tryNow()) return;
	await tryToRegister(
		call,
		'registered for events again, as a check found an event that no webhook brought',
		async () => {
			const connection = await connect(context, processMemory);
			const { registration, secret } = await wantedRegistration(call, connection, saved.url);
			const url = new URL(saved.url);
			url.searchParams.set('again', Math.floor(clock.nowMs() / DAY_MS).toString(36));
			// What is saved says the same, and an execution saves nothing.
			const answer = await registerUrl(
				connection,
				{ ...registration, url: url.href },
				secret,
				true,
			);
			if (!answer || answer.status < 300) return answer !== undefined;
			const last = memory.part(LastRegistration);
			if (clock.nowMs() - last.toldAtMs < DAY_MS) return undefined;
			last.toldAtMs = clock.nowMs();
			context.logger.warn(
				`${context.getNode().name}: the service knows the URL already and sends nothing to it; checks bring what no webhook does, until one comes`,
			);
			return undefined;
		},
	);
}

function registrationOf({ context }: TriggerCall) {
	return readTriggerSettings(context).receiveBy === 'webhook'
		? readSaved(context, 'registration')
		: undefined;
}

/**
 * @param done what the log says then
 * @param work tells whether the service has registered the node, and undefined where there was nothing to do
 */
async function tryToRegister(
	{ context }: TriggerCall,
	done: string,
	work: () => Promise<boolean | undefined>,
): Promise<void> {
	const { name } = context.getNode();
	try {
		const isRegistered = await work();
		if (isRegistered === undefined) return;
		context.logger.warn(
			isRegistered
				? `${name}: ${done}`
				: `${name}: the service cannot be reached to register for events again`,
		);
	} catch (thrown) {
		context.logger.warn(`${name}: could not register for events again: ${reasonOf(thrown)}`);
	}
}
