import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Connection } from '../transport/request';
import { CREDENTIAL } from '../transport/settings';
import { register, signingSecret, storedRegistration } from './registration';
import type { TriggerSettings } from './settings';

/** A check registers anew because of missed events at most so often. */
const RENEWED_EVERY_MS = 60 * 60_000;

/**
 * Registers the webhook anew where a check shows that it is needed: the service was away when the workflow
 * started, the secret was rotated, or events did not come, as an endpoint is disabled after ten failures
 * (§3.3). Whatever comes of it, the check goes on.
 *
 * @param missed events that the webhook should have brought
 */
export async function renewRegistration(
	poll: IPollFunctions,
	connection: Connection,
	settings: TriggerSettings,
	missed: number,
	nowMs: number,
): Promise<void> {
	const stored = storedRegistration(poll);
	if (settings.receiveBy !== 'webhook' || !stored) return;
	const { name } = poll.getNode();
	try {
		const secret = signingSecret(await poll.getCredentials(CREDENTIAL), poll);
		const isOutdated = stored.isOwed === true || stored.secret !== secret;
		const isRested = nowMs - (stored.renewedAtMs ?? 0) >= RENEWED_EVERY_MS;
		if (!isOutdated && (missed === 0 || !isRested)) return;

		const { accountId: account } = connection.settings;
		const { url } = stored;
		const staticData = poll.getWorkflowStaticData('node');
		// Also a try that comes to nothing counts: an hour later is soon enough to ask again for the same.
		staticData.registration = { ...stored, renewedAtMs: nowMs } as IDataObject;
		const wanted = { account, url, events: settings.kinds, secret, renewedAtMs: nowMs };
		const registered = await register(connection, wanted, true);
		if (!registered) {
			poll.logger.warn(`${name}: the service cannot be reached to register for events anew`);
			return;
		}
		staticData.registration = registered as IDataObject;
		const why = isOutdated
			? 'as the registration was out of date'
			: `as a check found ${missed} that no webhook brought`;
		poll.logger.warn(`${name}: registered for events anew, ${why}`);
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		poll.logger.warn(`${name}: could not register for events anew: ${reason}`);
	}
}
