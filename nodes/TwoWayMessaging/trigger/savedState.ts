import type { IDataObject } from 'n8n-workflow';
import type { EventKind } from '../contract';
import { isFields } from '../message';
import { isQuestion } from '../waiting/announcement';
import type { Question } from '../waiting/question';
import type { TriggerContext } from './nodeMemory';

/** A webhook that was registered with the service (§2.4). */
export type Registration = {
	/** The credential it was registered with. */
	account: string;
	/** The same, whatever its key pair is. */
	credential?: string;
	url: string;
	events: EventKind[];
	/** Tells whether the service signs with the present secret (`secretFingerprint`). No secret is saved. */
	fingerprint: string;
	/** The service's own ID of the registration, where its answer gave one. */
	id?: string;
	/** When the workflow stopped listening; absent while it listens. */
	releasedAtMs?: number;
	/**
	 * When a person last published the workflow after a stop, by the service's clock; absent where the service had not told
	 * its time.
	 */
	publishedAtMs?: number;
	/** Whether the service could not be reached to register this. The next check registers it. */
	isOwed?: boolean;
};

/** How far the checks have come in the history. Times are the service's, as its rows tell them. */
export type HistoryState = {
	/** Older rows need no more checks. */
	sinceMs: number;
	/**
	 * Rows that are not older and need no check either (`excludedName`): the workflow did not listen yet, or filtered
	 * differently.
	 */
	excluded: string[];
	/** Outbound rows that had no final state yet (§3.1), and their place in time. */
	open: Record<string, number>;
	/** Handles of the newest rows. They show that the history under another key pair is the same one. */
	latest: string[];
};

/** The events of a line that have begun in the workflow. */
export type LineState = {
	/** When the block began whose event came last; null when the line is not blocked, as far as the workflow knows. */
	blockedAt: string | null;
	/** When a later block began, whose event was handed over and had not begun. */
	handedOver?: string;
};

/** By the line's handle. */
export type LineStates = Record<string, LineState>;

/** What one check leaves to the next. */
export type CheckState = {
	/** The credential whose history and lines were checked. */
	account: string;
	history: HistoryState;
	/** How many events have begun on each of the last days, by the day's number since 1970. */
	begun?: Record<string, number>;
	/** Absent while the node listens to no line events. */
	lines?: LineStates;
};

/** All that the trigger keeps in the node's static data, the only place that n8n saves for it. */
export type SavedState = {
	registration?: Registration;
	check?: CheckState;
	/** Questions for whose answers executions wait. */
	questions?: Question[];
};

/** Reads each field out of static data; undefined where the value has another form. */
const READERS: { [Field in keyof Required<SavedState>]: (value: unknown) => SavedState[Field] } = {
	registration: (value) => (isRegistration(value) ? value : undefined),
	check: (value) => (isCheckState(value) ? value : undefined),
	questions: (value) => (Array.isArray(value) ? value.filter(isQuestion) : undefined),
};

function isRegistration(value: unknown): value is Registration {
	if (!isFields(value)) return false;
	const { account, url, fingerprint, events } = value;
	return (
		[account, url, fingerprint].every((one) => typeof one === 'string') && Array.isArray(events)
	);
}

/** Whether a check can go on from the value. Another version of the package may have saved another. */
function isCheckState(value: unknown): value is CheckState {
	if (!isFields(value) || typeof value.account !== 'string' || !isFields(value.history))
		return false;
	const { sinceMs, excluded, open, latest } = value.history;
	return (
		typeof sinceMs === 'number' &&
		Array.isArray(excluded) &&
		isFields(open) &&
		Array.isArray(latest) &&
		(value.lines === undefined || (isFields(value.lines) && areAllFields(value.lines)))
	);
}

/**
 * Reads one field of what is saved for the node.
 *
 * ```ts
 * const registration = readSaved(caller, 'registration');
 * ```
 */
export function readSaved<Field extends keyof SavedState>(
	caller: TriggerContext,
	field: Field,
): SavedState[Field] {
	return readField(caller.getWorkflowStaticData('node'), field);
}

/** Reads one field out of the node's static data. */
export function readField<Field extends keyof SavedState>(
	data: IDataObject,
	field: Field,
): SavedState[Field] {
	return READERS[field](parsed(data[field]));
}

const areAllFields = (of: object) => Object.values(of).every(isFields);

/** A copy of what was saved as text or as it is; undefined where the text is none. */
function parsed(saved: unknown): unknown {
	try {
		return JSON.parse(typeof saved === 'string' ? saved : JSON.stringify(saved ?? null)) as unknown;
	} catch {
		return undefined;
	}
}
