import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Clock } from '../clock';
import { Accounts } from '../service/account';
import { CREDENTIAL, readSettings, secretsOf, type Settings } from '../service/credential';
import { secretsFrom } from '../service/redact';
import type { Connection } from '../service/request';
import type { TriggerCall } from './nodeMemory';

/** How often at most a wrong signature makes the credential be read again, so that forged events cost little. */
const READ_EVERY_MS = 10_000;

/** Most secrets that count: the present one, and earlier ones until the service has replaced them. */
const MOST_SECRETS = 4;

/** Most texts that are hidden: those of the credential now, and as it was before. */
const MOST_HIDDEN = 20;

/**
 * The credential of a node, and the secrets that the service may sign its events with. They stay in this process: n8n shows
 * static data to everybody who can read the workflow, and copies it into executions.
 */
export class SigningSecrets {
	/** The present secret first, then those that the service may still use. */
	all: string[] = [];

	/** Tells whether the service signs with the present secret. */
	fingerprint = '';

	/** What must not come into an item, not even where the service repeats it: of the credential now, and as it was before. */
	hidden = secretsFrom([]);

	/** The credential as it was read last. */
	private known?: { filledIn: string; settings: Settings };

	private readAtMs = Number.NEGATIVE_INFINITY;
	private reading?: Promise<Settings>;

	constructor(private readonly clock: Clock) {}

	/** Whether a wrong signature is a reason to read the credential, or to wait for one who reads it now. */
	isReadDue(): boolean {
		return this.reading !== undefined || this.clock.nowMs() - this.readAtMs >= READ_EVERY_MS;
	}

	/**
	 * Reads the credential, once for all who come meanwhile.
	 *
	 * @throws NodeOperationError when the credential cannot be used, and what n8n throws when it cannot be read
	 */
	async read(call: TriggerCall): Promise<Settings> {
		this.readAtMs = this.clock.nowMs();
		this.reading ??= this.readNow(call);
		try {
			return await this.reading;
		} finally {
			this.reading = undefined;
		}
	}

	/** Says that the service signs with the present secret alone. */
	dropEarlier(): void {
		this.all = this.all.slice(0, 1);
	}

	private async readNow({ context }: TriggerCall): Promise<Settings> {
		const credential = await context.getCredentials(CREDENTIAL);
		const node = context.getNode();
		const filledIn = JSON.stringify([credential, node.webhookId, node.name]);
		if (this.known?.filledIn === filledIn) return this.known.settings;
		const webhook = node.webhookId ?? `${context.getWorkflow().id ?? ''}/${node.name}`;
		// An empty secret verifies nothing.
		const secret = signingSecret(credential, webhook);
		if (secret !== this.all[0]) this.all = [secret, ...this.all].slice(0, MOST_SECRETS);
		this.fingerprint = fingerprintOf(secret, credential);
		const texts = new Set([secret, ...secretsOf(credential), ...this.hidden.texts]);
		this.hidden = secretsFrom([...texts].slice(0, MOST_HIDDEN));
		const settings = { ...readSettings(node, credential), secrets: this.hidden };
		this.known = { filledIn, settings };
		return settings;
	}
}

/**
 * Connects to the service, for requests whose answers show no secret of the credential, nor what it held before.
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function connectNode(call: TriggerCall): Promise<Connection> {
	const { clock, context, memory, processMemory } = call;
	const settings = await memory.part(SigningSecrets).read(call);
	const account = processMemory.part(Accounts).of(settings.accountId);
	return { context, settings, clock, account, memory: processMemory, waited: { ms: 0 } };
}

/** What tells a secret from another without giving it away: keyed with the API secret, as a person may choose one to be guessed. */
function fingerprintOf(secret: string, { apiSecret }: ICredentialDataDecryptedObject): string {
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
function signingSecret(credential: ICredentialDataDecryptedObject, webhook: string): string {
	const chosen = String(credential.signingSecret ?? '').trim();
	const apiSecret = String(credential.apiSecret ?? '').trim();
	if (chosen !== '' || apiSecret === '') return chosen;
	return createHmac('sha256', apiSecret)
		.update(`two-way-messaging webhook ${webhook}`)
		.digest('hex');
}
