import { connect, withSecrets, type Connection } from '../../transport/request';
import type { TriggerCall } from '../nodeMemory';
import { readSigningSecret, SigningSecrets } from './signingSecrets';

/**
 * Reads the credential, for requests whose answers show no secret: neither the key pair, nor what events are signed with,
 * nor what the credential held before.
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function connectNode(call: TriggerCall): Promise<Connection> {
	const { caller, memory, processMemory } = call;
	const connection = await connect(caller, processMemory);
	const secrets = memory.part(SigningSecrets);
	if (secrets.isOld()) await readSigningSecret(call);
	return withSecrets(connection, secrets.notToShow);
}
