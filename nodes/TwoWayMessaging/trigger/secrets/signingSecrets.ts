import type { Clock } from '../../clock';
import { CREDENTIAL, secretsOf } from '../../transport/credentialSettings';
import { redactor, spellingsOf } from '../../transport/redact';
import type { TriggerCall } from '../nodeMemory';
import { signingSecret } from './signingSecret';

/** How often at most a wrong signature makes the credential be read again, so that forged events cost little. */
const READ_EVERY_MS = 10_000;

/** How often the credential is read while signatures are right: a person may have put another key pair into it. */
const READ_AGAIN_MS = 60_000;

/** Most spellings of secrets that are not shown: those of this credential, and of some that it held before. */
const MOST_NOT_SHOWN = 400;

/** Most earlier secrets that count. */
const MOST_EARLIER = 3;

/** What is read from a credential: the secret that the service signs with, and all that must not be shown. */
type ReadSecrets = { secret: string; notToShow: string[] };

/**
 * The secrets that the service may sign the events of a node with. They stay in this process: n8n shows static data
 * to everybody who can read the workflow, and copies it into executions.
 */
export class SigningSecrets {
	private current?: string;

	private earlier: string[] = [];

	private readAtMs = Number.NEGATIVE_INFINITY;

	private reading?: Promise<ReadSecrets>;

	/** Every text that must not come into an item, not even where a signed event repeats it. */
	notToShow: string[] = [];

	/** Puts dots in place of `notToShow` (`redactAll`). */
	hide = redactor([]);

	constructor(private readonly clock: Clock) {}

	/** The present secret first, then those that the service may still use. */
	get all(): string[] {
		return this.current === undefined ? this.earlier : [this.current, ...this.earlier];
	}

	/** Whether a wrong signature is a reason to read the credential, or to wait for one who reads it now. */
	isReadDue(): boolean {
		return this.reading !== undefined || this.clock.nowMs() - this.readAtMs >= READ_EVERY_MS;
	}

	/** Whether it is long ago, or never was, that the credential was read. */
	isOld(): boolean {
		return Math.abs(this.clock.nowMs() - this.readAtMs) >= READ_AGAIN_MS;
	}

	/**
	 * Takes over the secret that the credential gives now. The one before counts until the service has replaced it.
	 * Those who come while the credential is read wait for the same reading.
	 *
	 * @throws what `readSecrets` throws
	 */
	async read(readSecrets: () => Promise<ReadSecrets>): Promise<string> {
		this.readAtMs = this.clock.nowMs();
		this.reading ??= readSecrets().finally(() => (this.reading = undefined));
		const { secret, notToShow } = await this.reading;
		if (secret !== this.current) {
			if (this.current) this.earlier = [this.current, ...this.earlier].slice(0, MOST_EARLIER);
			this.current = secret;
		}
		// A service may repeat a secret that it was given long ago.
		const known = new Set([...spellingsOf(this.all), ...notToShow, ...this.notToShow]);
		this.notToShow = [...known].slice(0, MOST_NOT_SHOWN);
		this.hide = redactor(this.notToShow);
		return secret;
	}

	/** Says that the service signs with the present secret alone. */
	dropEarlier(): void {
		this.earlier = [];
	}
}

/**
 * Reads the node's secret from its credential, for this process.
 *
 * @returns an empty text, which verifies nothing, when the credential holds no secret
 * @throws what n8n throws when the credential cannot be read
 */
export async function readSigningSecret({ caller, memory }: TriggerCall): Promise<string> {
	return await memory.part(SigningSecrets).read(async () => {
		const credential = await caller.getCredentials(CREDENTIAL);
		return { secret: signingSecret(credential, caller), notToShow: secretsOf(credential) };
	});
}
