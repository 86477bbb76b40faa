import type { IDataObject } from 'n8n-workflow';
import type { EventKind } from '../contract';
import { isFields } from '../message';
import { isQuestion, type Question } from '../waiting/question';
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
	/** Whether the service could not be reached to register this. The next check registers it. */
	isOwed?: boolean;
};

/** When a person last published the workflow after a stop, by the clock of the service of this credential, or key pair. */
export type Published = { credential: string; atMs: number };

/** How far the checks have come in the history. Times are the service's, as its rows tell them. */
export type HistoryState = {
	/** Older rows need no more checks. */
	sinceMs: number;
	/**
	 * Rows that are not older and need no execution either (`rowDigest`): their events have begun, or the workflow did not
	 * want them.
	 */
	settled: string[];
	/** Outbound rows that had no final state yet (§3.1), and their place in time. */
	open: Record<string, number>;
	/** Handles of the newest rows. They show that the history under another key pair is the same one. */
	latest: string[];
};

/** When the block of each line began of which the workflow was told last; null for a line that is not blocked. */
export type LineBlocks = Record<string, string | null>;

/** What one check leaves to the next. */
export type CheckState = {
	/** The credential whose history and lines were checked. */
	account: string;
	/** The kinds of events that the check looked for. */
	kinds: EventKind[];
	history: HistoryState;
	/** Absent while the node listens to no line events. */
	lines?: LineBlocks;
};

/** All that the trigger keeps in the node's static data, the only place that n8n saves for it. */
export type SavedState = {
	registration?: Registration;
	/** When the workflow stopped listening; absent while it listens. */
	stoppedAtMs?: number;
	published?: Published;
	check?: CheckState;
	/** How many events have begun lately (`BegunList`). */
	begun?: { count: number; atMs: number };
	/** Questions for whose answers executions wait. */
	questions?: Question[];
};

const isNumber = (value: unknown): value is number => typeof value === 'number';
const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string');

/** Whether a value has the form in which this version saves the field. Another version may have saved another. */
const IS_FORM: { [Field in keyof Required<SavedState>]: (value: unknown) => boolean } = {
	registration: (value) =>
		isFields(value) &&
		areTexts(value.account, value.url, value.fingerprint) &&
		Array.isArray(value.events),
	stoppedAtMs: isNumber,
	published: (value) => isFields(value) && areTexts(value.credential) && isNumber(value.atMs),
	check: isCheckState,
	begun: (value) => isFields(value) && isNumber(value.count) && isNumber(value.atMs),
	questions: (value) => Array.isArray(value) && value.every(isQuestion),
};

function isCheckState(value: unknown): boolean {
	if (!isFields(value) || !areTexts(value.account) || !isFields(value.history)) return false;
	if (!Array.isArray(value.kinds)) return false;
	const { sinceMs, settled, open, latest } = value.history;
	const isHistory =
		isNumber(sinceMs) && Array.isArray(settled) && isFields(open) && Array.isArray(latest);
	return isHistory && (value.lines === undefined || isFields(value.lines));
}

/**
 * Reads one field of what is saved for the node; undefined where it has another form.
 *
 * ```ts
 * const registration = readSaved(context, 'registration');
 * ```
 */
export function readSaved<Field extends keyof SavedState>(
	context: TriggerContext,
	field: Field,
): SavedState[Field] {
	return readField(context.getWorkflowStaticData('node'), field);
}

/** Reads one field out of the node's static data. */
export function readField<Field extends keyof SavedState>(
	data: IDataObject,
	field: Field,
): SavedState[Field] {
	const value = parsed(data[field]);
	return IS_FORM[field](value) ? (value as SavedState[Field]) : undefined;
}

/**
 * Writes fields into static data, each as one text: n8n watches every property of what is saved, anew for every event. A
 * field that is undefined goes. n8n saves them when an execution starts, and after a webhook method.
 */
export function writeField(data: IDataObject, fields: SavedState): void {
	for (const [field, value] of Object.entries<unknown>(fields)) {
		if (value === undefined) delete data[field];
		else data[field] = JSON.stringify(value);
	}
}

/** A copy of what was saved as text; undefined where it is none. */
function parsed(saved: unknown): unknown {
	try {
		return typeof saved === 'string' ? (JSON.parse(saved) as unknown) : undefined;
	} catch {
		return undefined;
	}
}
