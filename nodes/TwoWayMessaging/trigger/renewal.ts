import type { IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import { connect, type Connection } from '../transport/request';
import { CREDENTIAL } from '../transport/credentialSettings';
import type { NodeMemory } from './memory';
import { register, signingSecret, storedRegistration, type Registration } from './registration';
import { readTriggerSettings, type TriggerSettings } from './settings';
import { processMemory } from '../processMemory';

/** Missed events make the node register anew at most so often. */
const RENEWED_EVERY_MS = 60 * 60_000;

/**
 * Registers the webhook anew where a check shows that the registration is out of date: the service was away
 * when the workflow started, or the secret was rotated. Whatever comes of it, the check goes on.
 */
export async function renewOutdated(
	poll: IPollFunctions,
	connection: Connection,
	settings: TriggerSettings,
): Promise<void> {
	const stored = storedRegistration(poll);
	if (settings.receiveBy !== 'webhook' || !stored) return;
	const { name } = poll.getNode();
	try {
		const secret = signingSecret(await poll.getCredentials(CREDENTIAL), poll);
		if (stored.isOwed !== true && stored.secret === secret) return;
		const registered = await renew(connection, stored, settings, secret);
		if (!registered) {
			poll.logger.warn(`${name}: the service cannot be reached to register for events anew`);
			return;
		}
		poll.getWorkflowStaticData('node').registration = registered as IDataObject;
		poll.logger.warn(`${name}: registered for events anew, as the registration was out of date`);
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		poll.logger.warn(`${name}: could not register for events anew: ${reason}`);
	}
}

/** Whether this process has not registered anew for a while. */
export function isRenewalDue({ renewedAtMs }: NodeMemory, nowMs: number): boolean {
	return renewedAtMs === undefined || nowMs - renewedAtMs >= RENEWED_EVERY_MS;
}

/** What the durable list knows this hour's renewal by, so that of several processes one makes it. */
export function renewalKey(nowMs: number): string {
	return `renewal:${Math.floor(nowMs / RENEWED_EVERY_MS)}`;
}

/**
 * Registers the webhook anew as events did not come by it: an endpoint is disabled after ten failures (§3.3).
 * What is stored stays as it is, since it says the same.
 *
 * @throws NodeApiError when the service refuses
 */
export async function renewAfterMisses(
	execution: IExecuteFunctions,
	missed: number,
): Promise<void> {
	const settings = readTriggerSettings(execution);
	const stored = storedRegistration(execution);
	if (settings.receiveBy !== 'webhook' || !stored) return;
	const { name } = execution.getNode();
	const registered = await renew(
		await connect(execution, processMemory),
		stored,
		settings,
		stored.secret,
	);
	execution.logger.warn(
		registered
			? `${name}: registered for events anew, as a check found ${missed} that no webhook brought`
			: `${name}: the service cannot be reached to register for events anew`,
	);
}

async function renew(
	connection: Connection,
	{ url }: Registration,
	{ kinds }: TriggerSettings,
	secret: string,
): Promise<Registration | undefined> {
	const { accountId: account } = connection.settings;
	return await register(connection, { account, url, events: kinds, secret }, true);
}
