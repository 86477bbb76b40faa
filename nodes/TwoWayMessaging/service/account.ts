import type { IDataObject, INode } from 'n8n-workflow';
import { isFields } from '../message';
import { serviceTimeMs } from '../serviceTime';
import { readSettings, type Settings } from './credential';
import { RateLimiter } from './limits';
import type { Answer } from './outcome';

/** What the answers of one account's service have taught this process. */
export class Account {
	readonly limits = new RateLimiter();

	/**
	 * How far the service's clock is ahead of n8n's, in milliseconds; negative where it is behind, and absent while no answer
	 * has told the service's time. It is up to a second too low, as the header has whole seconds. Rows of the history and
	 * events are dated by the service's clock, and either clock may be minutes off.
	 *
	 * assumption: the header Date of an answer and the dates of rows and events come from the same clock (§8.1: only other
	 * headers are shown).
	 */
	clockOffsetMs?: number;

	/** The ways of asking that the service has understood, where the document shows none. */
	readonly foundWays = new Map<string, unknown>();

	/** The numbers of the lines as they are compared, as far as the lines were read. */
	lineNumbers: ReadonlySet<string> = new Set();

	/** Reads the service's time in an answer. A page of a proxy tells the proxy's time, so only JSON counts. */
	learnClock({ headers, body }: Answer, nowMs: number): void {
		if (!isFields(body) && !Array.isArray(body)) return;
		const dateMs = serviceTimeMs(headers.date);
		if (!Number.isNaN(dateMs)) this.clockOffsetMs = dateMs - nowMs;
	}
}

/** All accounts that this process asks. Everything that uses one of them shares its limits. */
export class Accounts {
	private readonly byId = new Map<string, Account>();

	private read?: { said: string; settings: Settings };

	/**
	 * What a credential says; the last one is not read again.
	 *
	 * @throws NodeOperationError when it cannot be used
	 */
	settingsOf(node: INode, credential: IDataObject): Settings {
		const said = JSON.stringify(credential);
		if (this.read?.said !== said) this.read = { said, settings: readSettings(node, credential) };
		return this.read.settings;
	}

	of(accountId: string): Account {
		const account = this.byId.get(accountId) ?? new Account();
		this.byId.set(accountId, account);
		return account;
	}
}

/** How much older than it is something may seem: clocks tell whole seconds, and dates may come from several machines. */
const DATE_TOLERANCE_MS = 30_000;

/** The same where no answer has told the service's time, so that its clock may be off. */
const UNKNOWN_CLOCK_TOLERANCE_MS = 120_000;

/** A moment, and what is known of the service's clock. */
export type Moment = {
	/** By n8n's clock, in milliseconds. */
	sinceMs: number;
	/** How far the service's clock was ahead; absent where no answer had told the service's time. */
	serviceOffsetMs?: number;
};

/** The oldest date that the service can give to what happens from a moment on, in milliseconds of the service's clock. */
export function earliestDateMs({ sinceMs, serviceOffsetMs }: Moment): number {
	return serviceOffsetMs === undefined
		? sinceMs - UNKNOWN_CLOCK_TOLERANCE_MS
		: sinceMs + serviceOffsetMs - DATE_TOLERANCE_MS;
}
