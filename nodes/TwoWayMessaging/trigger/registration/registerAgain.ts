import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { reasonOf } from '../../reasonOf';
import { connect, type Connection } from '../../transport/request';
import type { TriggerCall } from '../nodeMemory';
import { readSaved } from '../savedState';
import { readEventSettings, readReceiveBy } from '../settings';
import { register, wantedRegistration } from './register';
import { registerUrl } from './registerUrl';
import { readSigningSecret } from '../secrets/signingSecrets';

/** How often at most missed events make the node register again. */
const REGISTERED_EVERY_MS = 60 * 60_000;

/** When this process last registered again because of missed events. */
class LastRegistration {
	private atMs = Number.NEGATIVE_INFINITY;

	constructor(private readonly clock: Clock) {}

	isDue(): boolean {
		return this.clock.nowMs() - this.atMs >= REGISTERED_EVERY_MS;
	}

	markTried(): void {
		this.atMs = this.clock.nowMs();
	}
}

/** When the last event came that the service has signed: then webhooks arrive. */
export class SignedEvents {
	private atMs = Number.NEGATIVE_INFINITY;

	constructor(private readonly clock: Clock) {}

	markReceived(): void {
		this.atMs = this.clock.nowMs();
	}

	/** Whether one has come since a time. */
	hasComeSince(timeMs: number): boolean {
		return this.atMs > timeMs;
	}
}

/**
 * Registers again where a check finds that the registration is out of date: the service was away when the workflow
 * started, or the credential was changed. The check goes on, whatever comes of it.
 *
 * @returns whether the registration is another one now
 */
export async function registerIfOutdated(
	call: TriggerCall<IPollFunctions>,
	connection: Connection,
): Promise<boolean> {
	const { caller } = call;
	const saved = readSaved(caller, 'registration');
	if (!saved || readReceiveBy(caller) !== 'webhook') return false;
	const { name } = caller.getNode();
	try {
		const wanted = await wantedRegistration(call, connection, saved.url);
		if (!saved.isOwed && saved.fingerprint === wanted.registration.fingerprint) return false;
		const isRegistered = await register(call, connection, wanted, true);
		caller.logger.warn(
			isRegistered
				? `${name}: registered for events again, as the registration was out of date`
				: `${name}: the service cannot be reached to register for events again`,
		);
		return isRegistered;
	} catch (thrown) {
		caller.logger.warn(`${name}: could not register for events again: ${reasonOf(thrown)}`);
		return false;
	}
}

/**
 * Registers again when a check has found events that a webhook should have brought: an endpoint is disabled after ten
 * failures (§3.3). Only an execution knows what has begun before, and so what was truly missed.
 *
 * @param isFirst whether no process has used a name before. Of several processes one registers
 */
export async function registerAfterMisses(
	call: TriggerCall<IExecuteFunctions>,
	isFirst: (name: string) => Promise<boolean>,
): Promise<void> {
	const { caller, clock, memory, processMemory } = call;
	const last = memory.part(LastRegistration);
	if (!last.isDue()) return;
	last.markTried();
	const { name } = caller.getNode();
	const saved = readSaved(caller, 'registration');
	try {
		const hour = Math.floor(clock.nowMs() / REGISTERED_EVERY_MS);
		if (!(await isFirst(`registration:${hour}`))) return;
		if (!saved || readReceiveBy(caller) !== 'webhook') return;
		const { kinds: events } = readEventSettings(caller);
		const connection = await connect(caller, processMemory);
		const secret = await readSigningSecret(call);
		// What is saved says the same, and an execution saves nothing.
		const registered = await registerUrl(connection, { url: saved.url, events, secret }, true);
		caller.logger.warn(
			registered
				? `${name}: registered for events again, as a check found an event that no webhook brought`
				: `${name}: the service cannot be reached to register for events again`,
		);
	} catch (thrown) {
		caller.logger.warn(`${name}: could not register for events again: ${reasonOf(thrown)}`);
	}
}
