import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { TriggerContext } from '../nodeMemory';

/**
 * The secret that the service signs events with: the one that the credential names, or one derived from the API
 * secret for this webhook alone, so that a person has nothing to type and every start derives the same one.
 *
 * It is derived from the part of the URL that never changes, as a test in the editor listens at another URL.
 *
 * @returns an empty text, which verifies nothing, when the credential has no secret
 */
export function signingSecret(
	credential: ICredentialDataDecryptedObject,
	caller: TriggerContext,
): string {
	const chosen = String(credential.signingSecret ?? '').trim();
	const apiSecret = String(credential.apiSecret ?? '').trim();
	if (chosen !== '' || apiSecret === '') return chosen;
	const node = caller.getNode();
	const webhook = node.webhookId ?? `${caller.getWorkflow().id ?? ''}/${node.name}`;
	return createHmac('sha256', apiSecret)
		.update(`two-way-messaging webhook ${webhook}`)
		.digest('hex');
}

/**
 * What tells a secret from another without giving it away. It is keyed with the API secret, as a person may have
 * chosen a signing secret that can be guessed.
 */
export function secretFingerprint(
	secret: string,
	{ apiSecret }: ICredentialDataDecryptedObject,
): string {
	return createHmac('sha256', String(apiSecret ?? ''))
		.update(`two-way-messaging fingerprint ${secret}`)
		.digest('hex')
		.slice(0, 16);
}
