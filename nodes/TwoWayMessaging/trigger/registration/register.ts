import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';
import { CREDENTIAL, type Settings } from '../../transport/credentialSettings';
import type { Connection } from '../../transport/request';
import type { TriggerCall } from '../nodeMemory';
import { readSaved, type Registration } from '../savedState';
import { readEventSettings } from '../settings';
import { writeSaved } from '../writeSaved';
import { registerUrl } from './registerUrl';
import { secretFingerprint } from '../secrets/signingSecret';
import { readSigningSecret, SigningSecrets } from '../secrets/signingSecrets';

/** A registration that the node's fields and its credential ask for, and the secret that goes with it. */
export type WantedRegistration = { registration: Registration; secret: string };

/** The registration that the node asks for at a URL. */
export async function wantedRegistration(
	call: TriggerCall,
	{ settings }: Connection,
	url: string,
): Promise<WantedRegistration> {
	const secret = await readSigningSecret(call);
	const credential = await call.caller.getCredentials(CREDENTIAL);
	const { accountId: account } = settings;
	const before = readSaved(call.caller, 'registration');
	const publishedAtMs = isOfSameService(before, settings) ? before?.publishedAtMs : undefined;
	return {
		secret,
		registration: {
			account,
			...(settings.credentialKey && { credential: settings.credentialKey }),
			...(publishedAtMs !== undefined && { publishedAtMs }),
			url,
			events: readEventSettings(call.caller).kinds,
			fingerprint: secretFingerprint(secret, credential),
		},
	};
}

/** Whether a time of the registration is by the clock of the service that the credential names now. */
function isOfSameService(
	before: Registration | undefined,
	{ accountId, credentialKey }: Settings,
): boolean {
	if (before?.account === accountId) return true;
	// The credential has another key pair.
	return credentialKey !== undefined && before?.credential === credentialKey;
}

/**
 * Registers with the service and saves what came of it.
 *
 * @param mayBeAway whether a service that cannot be reached is no reason to throw; the registration is then owed, and
 * the next check makes up for it
 * @returns whether the service has registered it
 * @throws NodeApiError when the service refuses
 */
export async function register(
	call: TriggerCall<IHookFunctions | IPollFunctions>,
	connection: Connection,
	{ registration, secret }: WantedRegistration,
	mayBeAway: boolean,
): Promise<boolean> {
	const { caller, memory } = call;
	const { url, events } = registration;
	const registered = await registerUrl(connection, { url, events, secret }, mayBeAway);
	if (!registered) {
		writeSaved(call, { registration: { ...registration, isOwed: true } });
		return false;
	}
	const { id, wasKnown } = registered;
	const before = readSaved(caller, 'registration');
	if (!wasKnown) {
		// A test in the editor registers a URL of its own, and leaves production's registration as it is.
		if (caller.getMode() !== 'manual') memory.part(SigningSecrets).dropEarlier();
	} else if (before && before.fingerprint !== registration.fingerprint) {
		caller.logger.warn(
			`${caller.getNode().name}: the service knows this URL already, and may go on signing events with the earlier secret`,
		);
	}
	writeSaved(call, { registration: { ...registration, ...(id && { id }) } });
	return true;
}
