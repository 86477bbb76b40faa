import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import type { Outcome } from '../../transport/request';
import { AgingMap, KEPT_OF_SENDING } from './agingMap';

/** What has happened so far to the message of one item. */
export type Attempt = {
	/** What is sent. A second run sends the same, also where the text contains the time of day. */
	request?: SendRequest;
	/** Set once the service has accepted the message. */
	accepted?: Message;
	/** When a request was made whose answer is still missing, in milliseconds. */
	openSinceMs?: number;
	/** The outcome of that request. */
	openOutcome?: Outcome;
	/** Whether the message was sent a second time, as its option allows. */
	sentAgain: boolean;
};

/**
 * The attempts of this process. Retry On Fail runs a node again with all of its items, and the attempts tell the second
 * run what the first run has sent:
 *
 * ```ts
 * const attempt = memory.part(SendAttempts).attemptOf(caller, runIndex, itemIndex);
 * if (!attempt.accepted) await deliverMessage(run, { attempt, … });
 * ```
 */
export class SendAttempts {
	private readonly attempts: AgingMap<Attempt>;

	constructor(clock: Clock) {
		this.attempts = new AgingMap(clock, KEPT_OF_SENDING);
	}

	/** The attempt of an item in one run of the node in one execution: the attempt of an earlier try, or a new one. */
	attemptOf(caller: IExecuteFunctions, runIndex: number, itemIndex: number): Attempt {
		return this.findOrBegin(`${nodeInExecution(caller)} ${runIndex} ${itemIndex}`);
	}

	/**
	 * The attempt of an AI agent's tool call. n8n counts every try of a call as a new run, so a try is recognized by what
	 * it sends. A call that is done has to be forgotten, as an agent may say the same thing twice.
	 */
	toolAttemptOf(
		caller: IExecuteFunctions,
		request: SendRequest,
	): { attempt: Attempt; forget: () => void } {
		const key = `${nodeInExecution(caller)} ${JSON.stringify(request)}`;
		return { attempt: this.findOrBegin(key), forget: () => this.attempts.delete(key) };
	}

	private findOrBegin(key: string): Attempt {
		const known = this.attempts.get(key);
		if (known) return known;
		const attempt: Attempt = { sentAgain: false };
		this.attempts.set(key, attempt);
		return attempt;
	}
}

function nodeInExecution(caller: IExecuteFunctions): string {
	const { id, name } = caller.getNode();
	return `${caller.getExecutionId()} ${id || name}`;
}
