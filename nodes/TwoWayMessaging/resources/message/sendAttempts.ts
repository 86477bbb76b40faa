import { randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { readRunIndex } from '../../n8n/runIndex';
import { toolCallOf } from '../../n8n/toolCall';
import type { Outcome } from '../../transport/request';
import type { Run } from '../run';
import { AgingMap, KEPT_OF_SENDING } from './agingMap';

/** A request whose answer is missing: the service may have accepted it. */
export type LostAnswer = {
	/** When the request went out, by n8n's clock, in milliseconds. */
	sinceMs: number;
	outcome: Outcome;
	/** How far the service's clock was ahead when the history was first read for the message; absent before. */
	serviceOffsetMs?: number;
};

/** What has happened so far to the message of one item. */
export type Attempt = {
	/** Names the message in the URL of a question. A second try asks with the URL that the first has sent. */
	readonly token: string;
	/** What is sent. A second run sends the same, also where the text contains the time of day. */
	request?: SendRequest;
	/** Set once the service has accepted the message. */
	accepted?: Message;
	/** Set once an answer is missing, and never taken back: a later refusal says nothing about an earlier request. */
	lost?: LostAnswer;
	/** The name of the message in the list of those that are sent only once. */
	onceName?: string;
	/** Whether the message was sent a second time, as its option allows. */
	sentAgain: boolean;
};

/**
 * The attempts of this process. Retry On Fail runs a node again with all of its items, and the attempts tell the second
 * run what the first run has sent:
 *
 * ```ts
 * const attempt = await memory.part(SendAttempts).attemptOf(run, itemIndex);
 * if (!attempt.accepted) await deliverMessage(run, { attempt, … });
 * ```
 */
export class SendAttempts {
	private readonly attempts: AgingMap<Attempt>;

	/** The attempts of calls by AI agents; each ages out with n8n's own object of the call. */
	private readonly callAttempts = new WeakMap<object, Attempt>();

	/** Attempts of agents' calls whose answers are missing, by node and by what was sent. */
	private readonly lostCalls: AgingMap<Attempt>;

	constructor(clock: Clock) {
		this.attempts = new AgingMap(clock, KEPT_OF_SENDING);
		this.lostCalls = new AgingMap(clock, KEPT_OF_SENDING);
	}

	/** The attempt of an item in one run of the node in one execution: the attempt of an earlier try, or a new one. */
	async attemptOf({ caller, once }: Run, itemIndex: number): Promise<Attempt> {
		const call = toolCallOf(caller);
		if (call) return findOrBegin(this.callAttempts, call);
		const runIndex = await once('runIndex', async () => readRunIndex(caller, itemIndex));
		return findOrBegin(this.attempts, `${nodeInExecution(caller)} ${runIndex} ${itemIndex}`);
	}

	/**
	 * The attempt of an earlier call of this execution whose answer is missing and that sent the same. An agent that was
	 * told so may call again, and only what it sends tells then that it means the same message.
	 */
	lostCallLike(caller: IExecuteFunctions, request: SendRequest): Attempt | undefined {
		return this.lostCalls.get(keyOfCall(caller, request));
	}

	/** Remembers an agent's call whose answer is missing. */
	addLostCall(caller: IExecuteFunctions, request: SendRequest, attempt: Attempt): void {
		this.lostCalls.set(keyOfCall(caller, request), attempt);
	}

	/** Forgets a call that is done, as an agent may say the same thing twice. */
	forgetLostCall(caller: IExecuteFunctions, request: SendRequest): void {
		this.lostCalls.delete(keyOfCall(caller, request));
	}
}

type Attempts<Key> = {
	get(key: Key): Attempt | undefined;
	set(key: Key, attempt: Attempt): unknown;
};

function findOrBegin<Key>(attempts: Attempts<Key>, key: Key): Attempt {
	const known = attempts.get(key);
	if (known) return known;
	const attempt: Attempt = { token: randomBytes(9).toString('base64url'), sentAgain: false };
	attempts.set(key, attempt);
	return attempt;
}

function keyOfCall(caller: IExecuteFunctions, request: SendRequest): string {
	return `${nodeInExecution(caller)} ${JSON.stringify(request)}`;
}

function nodeInExecution(caller: IExecuteFunctions): string {
	const { id, name } = caller.getNode();
	return `${caller.getExecutionId()} ${id || name}`;
}
