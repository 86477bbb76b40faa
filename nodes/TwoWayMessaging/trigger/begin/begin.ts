import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { recordNames } from '../../n8n/processedData';
import { reasonOf } from '../../reasonOf';
import { WaitingList } from '../../waiting/waitingList';
import { tellBlock } from '../check/lines';
import { judge } from '../filters';
import { readHanded, type Arrival } from '../inbox';
import type { TriggerCall } from '../nodeMemory';
import { logWhyNoAnswer, offerAnswer } from '../questions/offerAnswer';
import { whoElseHears } from '../questions/listenForAnswers';
import { registerAfterMisses } from '../registration/register';
import { connectNode } from '../signingSecrets';
import { Starter } from '../starter';
import { accountOf } from '../wanted';
import { attachMedia } from './attachMedia';
import { completeArrival } from './completeEvent';
import { toItems, type Begun } from './items';
import { findSample } from './sample';

/**
 * Lets the events that an execution was handed into the workflow, each of them once, also across restarts. Each is completed,
 * recorded, offered to the executions that wait for an answer, and made an item.
 *
 * @throws NodeApiError with what a check could not do, where the execution shows that
 */
export async function beginEvents(
	call: TriggerCall<IExecuteFunctions>,
): Promise<INodeExecutionData[][]> {
	const { context, settings } = call;
	const given: Begun[] = [];
	const whyEmpty = new Set<string>();
	const others: INodeExecutionData[] = [];
	for (const [index, item] of context.getInputData().entries()) {
		const handed = readHanded(item);
		if (!handed) others.push(item);
		else if ('isForSaving' in handed) whyEmpty.add(SAVED);
		else if ('failedCheck' in handed) {
			const { failedCheck: message, description } = handed;
			throw new NodeApiError(context.getNode(), { message }, { message, description });
		} else given.push({ index, arrival: handed });
	}
	if (call.isTest && settings.receiveBy === 'polling' && given.length === 0) {
		given.push({ index: 0, arrival: await findSample(call) });
		others.length = 0;
	}
	// Completing waits for the service, so the record comes after it: a kill meanwhile would lose the event. Files come last.
	const complete = await Promise.all(
		given.map(async (one) => ({ ...one, arrival: await completeArrival(call, one.arrival) })),
	);
	const begun = await beginOnce(call, complete, given, whyEmpty);
	const items = toItems(begun, settings);
	const isEmpty = items.length + others.length === 0;
	const hints = isEmpty ? [...whyEmpty] : [];
	const account = call.isTest ? (await connectNode(call)).settings.accountId : accountOf(call);
	const events = begun.map(({ arrival }) => arrival.event);
	const hearers = whoElseHears(call, account, events);
	if (hearers) hints.push(hearers);
	// n8n shows it in the trigger's panel.
	for (const message of hints) context.addExecutionHints({ message, location: 'outputPane' });
	const withFiles = settings.downloadMedia
		? await Promise.all(items.map(async (item) => await attachMedia(call, item)))
		: items;
	return [[...others, ...withFiles]];
}

async function beginOnce(
	call: TriggerCall<IExecuteFunctions>,
	complete: Begun[],
	given: Begun[],
	whyEmpty: Set<string>,
): Promise<Begun[]> {
	const { context, memory } = call;
	const mode = context.getMode();
	// A test in the editor runs whatever it is given, and records nothing.
	if (mode !== 'webhook' && mode !== 'trigger' && mode !== 'retry') return complete;
	// Under the name that it came with, too: completed, it may have another one.
	const all = [...complete, ...given];
	const names = [...new Set(all.map(({ arrival }) => arrival.name))];
	const starter = memory.part(Starter);
	const unknown = names.filter((name) => starter.inbox.stateOf(name) !== 'begun');
	const first = await recordNames(call, unknown).catch((thrown) => {
		// An event that may begin again after a restart is better than one that never begins.
		context.logger.error(
			`${context.getNode().name} cannot record which events have begun: ${reasonOf(thrown)}`,
		);
		return new Set(unknown);
	});
	const begun: Begun[] = [];
	let hasMissed = false;
	try {
		// A person asks for this execution once more, so nothing is dropped.
		if (mode === 'retry') return complete;
		for (const one of complete) {
			const { name, isMissed } = one.arrival;
			// Of several events with one name only the first begins.
			const isFirst = first.delete(name);
			hasMissed ||= isFirst && isMissed === true;
			const why = await whyItEnds(call, one.arrival, isFirst);
			if (why === undefined) begun.push(one);
			else whyEmpty.add(why);
		}
	} finally {
		// A text that is being passed to an execution is not that far: should the process be killed, the next one passes it on.
		starter.inbox.markBegun(names);
		void starter.drain();
		memory.settle(names);
		const { lines } = memory;
		for (const { arrival } of all) {
			if ('line' in arrival.event) memory.lines = tellBlock(memory.lines ?? {}, arrival.event);
		}
		// What begins is saved with the next start. Of a line, only what is saved shows that its block has ended.
		if (memory.lines !== lines)
			void starter.startWith({ isForSaving: true }).catch(() => undefined);
	}
	if (hasMissed) void registerAfterMisses(call);
	return begun;
}

/** Why an event does not start the workflow; undefined where it begins now, no execution takes it, and the filters want it. */
async function whyItEnds(
	call: TriggerCall<IExecuteFunctions>,
	arrival: Arrival,
	isFirst: boolean,
): Promise<string | undefined> {
	const waitingList = call.processMemory.part(WaitingList);
	const isAsked = !waitingList.isEmpty;
	const use = isAsked ? await offerAnswer(call, arrival, isFirst) : 'unwanted';
	if (use === 'answered') return ANSWERED;
	if (!isFirst) return BEGUN_BEFORE;
	if (judge(arrival.event, call.settings.filters) === 'fails') {
		return use === 'ended' ? ENDED : UNWANTED;
	}
	// It answers no question that this workflow asks, whichever other trigger receives it.
	waitingList.markStarted(accountOf(call), arrival.name);
	if (isAsked) logWhyNoAnswer(call, arrival);
	return undefined;
}

/** What an execution says of itself where the workflow does not go on. */
const ANSWERED =
	'This text went to the execution that waits for an answer, and starts none of its own.';
const ENDED = 'This ended a question that waited for its answer, and starts nothing else.';
const UNWANTED =
	'The filters leave out what came, or it is from before the workflow was published.';
const SAVED =
	'Nothing came: this execution only lets n8n save what the trigger knows, such as the questions that wait for an answer.';
const BEGUN_BEFORE = 'What came has started an execution before, and starts no other one.';
