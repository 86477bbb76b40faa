import type {
	IDataObject,
	IExecuteFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';
import { isFields, type Message } from '../message';
import { pause } from '../transport/pause';
import { processMemory } from '../processMemory';
import { WaitingList } from '../waiting/waitingList';
import type { CustomerText, Question } from '../waiting/question';
import type { Happening } from './event';
import { isOptOut } from './filters';
import { listenedAccount } from './questions';

/** What goes with an item that an execution may be waiting for. */
type Awaited = {
	account?: string;
	message?: Message;
	createdAt?: string;
	/** Whether the item starts the workflow when no execution takes it. */
	isWanted?: boolean;
};

/** When to try once more, while an execution has asked and does not wait yet. */
const BEGIN_PAUSES_MS = [300, 1_000, 3_000];

/** So long after its question an execution may still be about to wait. */
const BEGINS_WITHIN_MS = 60_000;

/** How long n8n may take to answer itself. */
const REACH_TIMEOUT_MS = 10_000;

/** When to try once more to reach this n8n at its own address. */
const REACH_PAUSES_MS = [500, 2_000];

/**
 * Whether some execution waits for what happened. A text that opts out is no answer (§1.5): whoever asked must
 * not ask on.
 */
export function isAwaited(
	account: string | undefined,
	happening: Happening,
	createdAt?: string,
): boolean {
	if (account === undefined || happening.kind !== 'receive') return false;
	if (isOptOut(happening.message.content ?? '')) return false;
	return processMemory.part(WaitingList).isAwaited(account, textOf(happening.message, createdAt));
}

/** Marks an item as one that may be the answer to a question. */
export function forQuestion(
	item: INodeExecutionData,
	account: string | undefined,
	happening: Happening,
	{ createdAt, isWanted }: { createdAt?: string; isWanted: boolean },
): INodeExecutionData {
	if (!('message' in happening) || !isAwaited(account, happening, createdAt)) return item;
	const { message } = happening;
	const awaited: Awaited = { account, message, isWanted, ...(createdAt && { createdAt }) };
	// An answer waits for no further texts.
	const text = undefined;
	return { ...item, json: { ...item.json, text, awaited: awaited as IDataObject } };
}

/**
 * Hands answers to the executions that wait for them, and leaves the rest: what no execution has taken starts
 * the workflow as usual, so that it is never lost.
 */
export async function handToQuestions<Arrival extends { item: INodeExecutionData }>(
	execution: IExecuteFunctions,
	arrivals: Arrival[],
): Promise<Arrival[]> {
	const rest: Arrival[] = [];
	for (const arrival of arrivals) {
		const { awaited, key } = arrival.item.json;
		if (!isFields(awaited)) rest.push(arrival);
		else if (!(await isTaken(execution, String(key), awaited)) && awaited.isWanted) {
			rest.push(arrival);
		}
	}
	return rest;
}

async function isTaken(
	execution: IExecuteFunctions,
	key: string,
	{ account = listenedAccount(execution), message, createdAt }: Awaited,
): Promise<boolean> {
	if (account === undefined || !message) return false;
	return await processMemory
		.part(WaitingList)
		.offer(
			account,
			key,
			textOf(message, createdAt),
			async (question) => await handOver(execution, question, message),
		);
}

/** Lets the execution go on with the answer. Only its own word counts: n8n shows finished ones a page. */
async function handOver(
	execution: IExecuteFunctions,
	question: Question,
	message: Message,
): Promise<'taken' | 'gone' | 'unreachable'> {
	const begins = [...BEGIN_PAUSES_MS];
	const reaches = [...REACH_PAUSES_MS];
	for (;;) {
		const response = await post(execution, question, message);
		if (response && response.statusCode < 500) {
			if (isFields(response.body) && response.body.answered === true) return 'taken';
			const mayBegin = Date.now() - question.askedAtMs < BEGINS_WITHIN_MS;
			const pauseMs = response.statusCode === 409 && mayBegin ? begins.shift() : undefined;
			if (pauseMs === undefined) return 'gone';
			await pause({ caller: execution, clock: processMemory.clock }, pauseMs);
		} else {
			const pauseMs = reaches.shift();
			if (pauseMs === undefined) {
				execution.logger.warn(
					`${execution.getNode().name} cannot reach n8n at its own address to hand over an answer`,
				);
				return 'unreachable';
			}
			await pause({ caller: execution, clock: processMemory.clock }, pauseMs);
		}
	}
}

async function post(
	execution: IExecuteFunctions,
	{ resumeUrl, token }: Question,
	message: Message,
): Promise<IN8nHttpFullResponse | undefined> {
	try {
		return (await execution.helpers.httpRequest({
			method: 'POST',
			url: resumeUrl,
			body: { token, message },
			json: true,
			timeout: REACH_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (thrown) {
		execution.logger.debug(`Handing over an answer: ${(thrown as Error).message}`);
		return undefined;
	}
}

function textOf(message: Message, createdAt?: string): CustomerText {
	const saidAtMs = Date.parse(createdAt ?? message.date_sent ?? '');
	return {
		from: message.from,
		to: message.to,
		lineHandle: message.line_handle,
		...(!Number.isNaN(saidAtMs) && { saidAtMs }),
	};
}
