import type { IExecuteFunctions } from 'n8n-workflow';
import { readHandover } from './handover';
import type { TriggerCall, WhyEmpty } from './nodeMemory';

/** What the execution of a text or an event says of itself where the workflow does not go on. */
const WORDS: Record<WhyEmpty, { message: string }> = {
	joined: {
		message:
			'This text joined an earlier one of its conversation: the execution that began with the earlier one has both.',
	},
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
			'Nothing came: this execution only lets n8n save the questions that wait for an answer.',
	},
	begunBefore: { message: 'What came has started an execution before, and starts no other one.' },
};

/** Says in an execution that has no items why it has none. n8n shows it in the trigger's panel. */
export function sayWhyEmpty({ caller, whyEmpty }: TriggerCall<IExecuteFunctions>): void {
	const handovers = caller.getInputData().map(readHandover);
	const isForSaving = handovers.length > 0 && handovers.every((one) => one?.kind === 'save');
	const otherwise: WhyEmpty = isForSaving ? 'saved' : 'begunBefore';
	const reasons = whyEmpty.size > 0 ? [...whyEmpty] : [otherwise];
	caller.addExecutionHints(
		...reasons.map((why) => ({ ...WORDS[why], location: 'outputPane' as const })),
	);
}
