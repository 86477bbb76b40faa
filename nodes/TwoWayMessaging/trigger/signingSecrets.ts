import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Clock } from '../clock';
import { CREDENTIAL, secretsOf } from '../service/credential';
import { redactAll, secretsFrom } from '../service/redact';
import { connect, withSecrets, type Connection } from '../service/request';
import type { TriggerCall } from './nodeMemory';

/** How often at most a wrong signature makes the credential be read again, so that forged events cost little. */
const READ_EVERY_MS = 10_000;

/** How often the credential is read while signatures are right: a person may have put another key pair into it. */
const READ_AGAIN_MS = 60_000;

/** Most secrets that count: the present one, and earlier ones until the service has replaced them. */
const MOST_SECRETS = 4;

/** What is read from a credential: the secret that the service signs with, and all that must not be shown. */
type ReadSecrets = { secret: string; texts: string[] };

/**
 * The secrets that the service may sign the events of a node with. They stay in this process: n8n shows static data
 * to everybody who can read the workflow, and copies it into executions.
 */
export class SigningSecrets {
	/** The present secret first, then those that the service may still use. */
	all: string[] = [];

	/** Every text that must not come into an item, not even where a signed event repeats it. */
	private notToShow = secretsFrom([]);

	/** What the credential held at the last reading, and before it was changed last. */
	private texts: string[] = [];

	private earlierTexts: string[] = [];

	private readAtMs = Number.NEGATIVE_INFINITY;

	private reading?: Promise<ReadSecrets>;

	constructor(private readonly clock: Clock) {}

	/** Whether a wrong signature is a reason to read the credential, or to wait for one who reads it now. */
	isReadDue(): boolean {
		return this.reading !== undefined || this.clock.nowMs() - this.readAtMs >= READ_EVERY_MS;
	}

	/** Whether it is long ago, or never was, that the credential was read. */
	isOld(): boolean {
		return Math.abs(this.clock.nowMs() - this.readAtMs) >= READ_AGAIN_MS;
	}

	/**
	 * Takes over what the credential gives now. Those who come while it is read wait for the same reading.
	 *
	 * @returns the present secret
	 * @throws what `readSecrets` throws
	 */
	async read(readSecrets: () => Promise<ReadSecrets>): Promise<string> {
		this.readAtMs = this.clock.nowMs();
		this.reading ??= readSecrets().finally(() => (this.reading = undefined));
		const { secret, texts } = await this.reading;
		if (secret !== this.all[0]) this.all = [secret, ...this.all].slice(0, MOST_SECRETS);
		if (texts.join() !== this.texts.join()) {
			this.earlierTexts = this.texts;
			this.texts = texts;
		}
		this.notToShow = secretsFrom([...this.all, ...texts, ...this.earlierTexts]);
		return secret;
	}

	/** Puts dots in place of what must not be shown, in what the service sent. */
	hide<Said>(said: Said): Said {
		return redactAll(said, this.notToShow);
	}

	/** The same connection, whose answers show nothing of it either. */
	hideIn(connection: Connection): Connection {
		return withSecrets(connection, this.notToShow.texts);
	}

	/** Says that the service signs with the present secret alone. */
	dropEarlier(): void {
		this.all = this.all.slice(0, 1);
	}
}

/**
 * Reads the node's secret from its credential, for this process.
 *
 * @returns an empty text, which verifies nothing, when the credential holds no secret
 * @throws what n8n throws when the credential cannot be read
 */
export async function readSigningSecret(call: TriggerCall): Promise<string> {
	return await call.memory.part(SigningSecrets).read(async () => {
		const credential = await call.context.getCredentials(CREDENTIAL);
		return { secret: signingSecret(call, credential), texts: secretsOf(credential) };
	});
}

/**
 * Reads the credential, for requests whose answers show no secret: neither the key pair, nor what events are signed with,
 * nor what the credential held before.
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function connectNode(call: TriggerCall): Promise<Connection> {
	const connection = await connect(call.context, call.processMemory);
	const secrets = call.memory.part(SigningSecrets);
	if (secrets.isOld()) await readSigningSecret(call);
	return secrets.hideIn(connection);
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
