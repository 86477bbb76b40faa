import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { reasonOf } from '../../reasonOf';
import { connect, type Connection } from '../../transport/request';
import { CREDENTIAL } from '../../transport/credentialSettings';
import type { TriggerCall } from '../nodeMemory';
import { readSaved, writeSaved } from '../savedState';
import { readEventSettings, readReceiveBy } from '../settings';
import { registerUrl } from './registerUrl';
import { signingSecret } from './signingSecret';

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

/**
 * Registers again where a check finds that the registration is out of date: the service was away when the workflow
 * started, or the secret was changed. The check continues even when this fails.
 */
export async function registerIfOutdated(
	{ caller }: TriggerCall<IPollFunctions>,
	connection: Connection,
): Promise<void> {
	const saved = readSaved(caller, 'registration');
	if (!saved || readReceiveBy(caller) !== 'webhook') return;
	const { name } = caller.getNode();
	try {
		const secret = signingSecret(await caller.getCredentials(CREDENTIAL), caller);
		if (!saved.isOwed && saved.secret === secret) return;
		const registered = await registerUrl(
			connection,
			{
				account: connection.settings.accountId,
				url: saved.url,
				events: readEventSettings(caller).kinds,
				secret,
			},
			true,
		);
		if (!registered) {
			caller.logger.warn(`${name}: the service cannot be reached to register for events again`);
			return;
		}
		writeSaved(caller, { registration: registered });
		caller.logger.warn(`${name}: registered for events again, as the registration was out of date`);
	} catch (thrown) {
		caller.logger.warn(`${name}: could not register for events again: ${reasonOf(thrown)}`);
	}
}

/**
 * Registers again when a check has found events that a webhook should have brought: an endpoint is disabled after ten
 * failures (§3.3). Only an execution knows what has begun before, and so what was truly missed.
 *
 * @param missed how many events no webhook had brought
 * @param isFirst whether no process has used a name before. Of several processes one registers
 */
export async function registerAfterMisses(
	{ caller, clock, memory, processMemory }: TriggerCall<IExecuteFunctions>,
	missed: number,
	isFirst: (name: string) => Promise<boolean>,
): Promise<void> {
	const last = memory.part(LastRegistration);
	if (!last.isDue()) return;
	last.markTried();
	const { name } = caller.getNode();
	const saved = readSaved(caller, 'registration');
	try {
		const hour = Math.floor(clock.nowMs() / REGISTERED_EVERY_MS);
		if (!(await isFirst(`registration:${hour}`))) return;
		if (!saved || readReceiveBy(caller) !== 'webhook') return;
		const { kinds } = readEventSettings(caller);
		const connection = await connect(caller, processMemory);
		// The saved registration stays as it is: n8n saves nothing that an execution writes.
		const registered = await registerUrl(connection, { ...saved, events: kinds }, true);
		caller.logger.warn(
			registered
				? `${name}: registered for events again, as a check found ${missed} that no webhook brought`
				: `${name}: the service cannot be reached to register for events again`,
		);
	} catch (thrown) {
		caller.logger.warn(`${name}: could not register for events again: ${reasonOf(thrown)}`);
	}
}
