import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { endWithoutItems } from '../../n8n/alwaysOutputData';
import { WaitingList } from '../../waiting/waitingList';
import { readHanded, type Arrival } from '../arrival';
import { judge } from '../filters';
import type { TriggerCall, WhyEmpty } from '../nodeMemory';
import { offerAnswer } from '../questions/offerAnswer';
import { registerAfterMisses } from '../registration/registerAgain';
import { readTriggerSettings, type TriggerSettings } from '../settings';
import { attachMedia } from './attachMedia';
import { recordBegun, settleBegun } from './recordBegun';
import { completeArrival } from './completeEvent';
import { toItems, type Begun } from './items';

/**
 * Lets the events that an execution was handed into the workflow, each of them once, also across restarts: an event that
 * has begun before ends here. Each is completed, recorded, offered to the executions that wait for an answer, and made an
 * item.
 *
 * @throws NodeApiError with what a check could not do, where the execution shows that
 */
export async function beginEvents(
	call: TriggerCall<IExecuteFunctions>,
): Promise<INodeExecutionData[]> {
	const { context } = call;
	const settings = readTriggerSettings(context);
	const given: Begun[] = [];
	const others: INodeExecutionData[] = [];
	for (const [index, item] of context.getInputData().entries()) {
		const handed = readHanded(item);
		switch (handed.kind) {
			case 'arrival':
				given.push({ index, arrival: handed.arrival });
				break;
			case 'save':
				call.whyEmpty.add('saved');
				break;
			case 'failure': {
				const { failedCheck: message, description } = handed.failure;
				throw new NodeApiError(context.getNode(), { message }, { message, description });
			}
			case 'other':
				others.push(item);
		}
	}
	// What waits for the service does so before it is recorded, or a kill meanwhile would lose it.
	const complete = await Promise.all(
		given.map(async ({ index, arrival }) => {
			return { index, arrival: await completeArrival(call, arrival, settings) };
		}),
	);
	const begun = await beginOnce(call, complete, given, settings);
	const items = toItems(begun, settings);
	const whole = settings.downloadMedia ? await attachMedia(call, items) : items;
	if (whole.length === 0 && others.length === 0) {
		// Everything that came has begun before, waits elsewhere, or has answered a question.
		endWithoutItems(context);
		sayWhyEmpty(call);
	}
	return [...others, ...whole];
}

/** What goes on into the workflow. */
async function beginOnce(
	call: TriggerCall<IExecuteFunctions>,
	complete: Begun[],
	given: Begun[],
	settings: TriggerSettings,
): Promise<Begun[]> {
	const mode = call.context.getMode();
	// A test in the editor runs whatever it is given, and records nothing.
	if (mode !== 'webhook' && mode !== 'trigger' && mode !== 'retry') return complete;
	// Under the name that it came with, too: completed, it may have another one.
	const arrivals = [...complete, ...given].map(({ arrival }) => arrival);
	const first = await recordBegun(call, arrivals);
	const begun: Begun[] = [];
	let hasMissed = false;
	try {
		// A person asks for this execution once more, so nothing is dropped.
		if (mode === 'retry') return complete;
		for (const one of complete) {
			const { arrival } = one;
			// Of several events with one name only the first begins.
			const isFirst = first.delete(arrival.name);
			hasMissed ||= isFirst && arrival.isMissed === true;
			const mayStart = judge(arrival.event, settings.filters) !== 'fails';
			if (!(await offerAnswer(call, arrival, { isFirst, mayStart }))) continue;
			markStarted(call, arrival);
			begun.push(one);
		}
	} finally {
		settleBegun(call, arrivals);
	}
	if (hasMissed) void registerAfterMisses(call);
	return begun;
}

/** A text that starts a workflow answers no question that this workflow asks, whichever other trigger receives it. */
function markStarted({ processMemory }: TriggerCall, { name, event }: Arrival): void {
	if (event.kind !== 'receive' || event.message.from === undefined) return;
	processMemory.part(WaitingList).markStarted(name, event.message.from);
}

/** What the execution of a text or an event says of itself where the workflow does not go on. */
const WORDS: Record<WhyEmpty, { message: string }> = {
	answered: {
		message:
			'This text answered a question: it went to the execution that waits for the answer, and starts none of its own.',
	},
	ended: {
		message: 'This ended a question that waited for its answer, and starts nothing else.',
	},
	unwanted: {
		message: 'The filters leave out what came, or it is from before the workflow was published.',
	},
	saved: {
		message:
			'Nothing came: this execution only lets n8n save what the trigger knows, such as the questions that wait for an answer.',
	},
	begunBefore: { message: 'What came has started an execution before, and starts no other one.' },
};

/** Says in an execution that has no items why it has none. n8n shows it in the trigger's panel. */
function sayWhyEmpty({ context, whyEmpty }: TriggerCall<IExecuteFunctions>): void {
	const reasons: WhyEmpty[] = whyEmpty.size > 0 ? [...whyEmpty] : ['begunBefore'];
	context.addExecutionHints(
		...reasons.map((why) => ({ ...WORDS[why], location: 'outputPane' as const })),
	);
}
