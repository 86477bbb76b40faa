import type { Question } from '../../waiting/question';
import { lastingNames, type AnswerHandover, type EventHandover } from '../handover';

/*
 * What is recorded of an answer beside its own name, so that a process that was killed shows how far it had come. A name
 * can be looked up only by recording it.
 */

/** Recorded in the moment an event begins as an answer, and not as what starts the workflow. */
export function nameAsAnswer({ name }: Pick<AnswerHandover, 'name'>): string {
	return `${name}#answer`;
}

/** Recorded before an answer is passed to the execution that waits for the question. */
export function nameAsPassed({ name }: AnswerHandover, { token }: Question): string {
	return `${name}#${token}`;
}

/** Recorded when an answer needs no execution any more, or starts the workflow. */
export function nameAsSettled({ name }: AnswerHandover): string {
	return `${name}#settled`;
}

/** All names that are recorded when an event begins. */
export function namesToBegin(handover: EventHandover | AnswerHandover): string[] {
	const names = lastingNames(handover);
	return handover.kind === 'answer' ? [...names, nameAsAnswer(handover)] : names;
}
