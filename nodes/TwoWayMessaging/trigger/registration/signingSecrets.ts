import type { Clock } from '../../clock';
import { CREDENTIAL } from '../../transport/credentialSettings';
import type { TriggerCall } from '../nodeMemory';
import { signingSecret } from './signingSecret';

/** How often at most a wrong signature makes the credential be read again, so that forged events cost little. */
const READ_EVERY_MS = 10_000;

/** Most earlier secrets that count. */
const MOST_EARLIER = 3;

/**
 * The secrets that the service may sign the events of a node with. They stay in this process: n8n shows static data
 * to everybody who can read the workflow, and copies it into executions.
 */
export class SigningSecrets {
	private current?: string;

	private earlier: string[] = [];

	private readAtMs = Number.NEGATIVE_INFINITY;

	constructor(private readonly clock: Clock) {}

	/** The present secret first, then those that the service may still use. */
	get all(): string[] {
		return this.current === undefined ? this.earlier : [this.current, ...this.earlier];
	}

	isReadDue(): boolean {
		return this.clock.nowMs() - this.readAtMs >= READ_EVERY_MS;
	}

	/** Says that the credential is read now, whatever comes of it. */
	markRead(): void {
		this.readAtMs = this.clock.nowMs();
	}

	/** Takes over the secret that the credential gives now. The one before counts until the service has replaced it. */
	take(secret: string): void {
		if (secret === this.current) return;
		if (this.current) this.earlier = [this.current, ...this.earlier].slice(0, MOST_EARLIER);
		this.current = secret;
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
	const secrets = memory.part(SigningSecrets);
	secrets.markRead();
	const secret = signingSecret(await caller.getCredentials(CREDENTIAL), caller);
	secrets.take(secret);
	return secret;
}
