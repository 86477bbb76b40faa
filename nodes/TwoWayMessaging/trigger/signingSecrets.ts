import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Clock } from '../clock';
import { CREDENTIAL, secretsOf } from '../service/credential';
import { secretsFrom } from '../service/redact';
import { connect, type Connection } from '../service/request';
import type { TriggerCall } from './nodeMemory';

/** How often at most a wrong signature makes the credential be read again, so that forged events cost little. */
const READ_EVERY_MS = 10_000;

/** Most secrets that count: the present one, and earlier ones until the service has replaced them. */
const MOST_SECRETS = 4;

/** Most texts that are hidden: those of the credential now, and as it was before. */
const MOST_HIDDEN = 20;

/**
 * The secrets that the service may sign the events of a node with. They stay in this process: n8n shows static data
 * to everybody who can read the workflow, and copies it into executions.
 */
export class SigningSecrets {
	/** The present secret first, then those that the service may still use. */
	all: string[] = [];

	/** What must not come into an item, not even where the service repeats it: of the credential now, and as it was before. */
	hidden = secretsFrom([]);

	private readAtMs = Number.NEGATIVE_INFINITY;

	private reading?: Promise<string>;

	constructor(private readonly clock: Clock) {}

	/** Whether a wrong signature is a reason to read the credential, or to wait for one who reads it now. */
	isReadDue(): boolean {
		return this.reading !== undefined || this.clock.nowMs() - this.readAtMs >= READ_EVERY_MS;
	}

	/**
	 * Reads the credential, once for all who come meanwhile.
	 *
	 * @returns the present secret; an empty text, which verifies nothing, when the credential holds none
	 * @throws what n8n throws when the credential cannot be read
	 */
	async read(call: TriggerCall): Promise<string> {
		this.readAtMs = this.clock.nowMs();
		this.reading ??= this.readNow(call).finally(() => (this.reading = undefined));
		return await this.reading;
	}

	/** Says that the service signs with the present secret alone. */
	dropEarlier(): void {
		this.all = this.all.slice(0, 1);
	}

	private async readNow(call: TriggerCall): Promise<string> {
		const credential = await call.context.getCredentials(CREDENTIAL);
		const secret = signingSecret(call, credential);
		const texts = [secret, ...secretsOf(credential)];
		if (secret !== this.all[0]) this.all = [secret, ...this.all].slice(0, MOST_SECRETS);
		if (texts.some((text) => text && !this.hidden.texts.includes(text))) {
			this.hidden = secretsFrom([...texts, ...this.hidden.texts].slice(0, MOST_HIDDEN));
		}
		return secret;
	}
}

/**
 * Reads the credential, for requests whose answers show no secret of it, nor what it held before.
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function connectNode(call: TriggerCall): Promise<Connection> {
	const connection = await connect(call.context, call.processMemory);
	const { settings } = connection;
	const secrets = call.memory.part(SigningSecrets);
	if (settings.secrets.texts.some((text) => !secrets.hidden.texts.includes(text))) {
		await secrets.read(call);
	}
	return { ...connection, settings: { ...settings, secrets: secrets.hidden } };
}

/** What tells a secret from another without giving it away: keyed with the API secret, as a person may choose one to be guessed. */
export function secretFingerprint(
	secret: string,
	{ apiSecret }: ICredentialDataDecryptedObject,
): string {
	return createHmac('sha256', String(apiSecret ?? ''))
		.update(`two-way-messaging fingerprint ${secret}`)
		.digest('hex')
		.slice(0, 16);
}

/**
 * The secret that the service signs events with: the one that the credential names, or one derived from the API
 * secret for this webhook alone, so that a person has nothing to type and every start derives the same one. It is derived
 * from the part of the URL that never changes, as a test in the editor listens at another URL.
 */
function signingSecret(
	{ context }: TriggerCall,
	credential: ICredentialDataDecryptedObject,
): string {
	const chosen = String(credential.signingSecret ?? '').trim();
	const apiSecret = String(credential.apiSecret ?? '').trim();
	if (chosen !== '' || apiSecret === '') return chosen;
	const node = context.getNode();
	const webhook = node.webhookId ?? `${context.getWorkflow().id ?? ''}/${node.name}`;
	return createHmac('sha256', apiSecret)
		.update(`two-way-messaging webhook ${webhook}`)
		.digest('hex');
}
