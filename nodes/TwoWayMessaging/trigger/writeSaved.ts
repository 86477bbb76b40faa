import type { IDataObject } from 'n8n-workflow';
import type { Question } from '../waiting/question';
import type { TriggerCall } from './nodeMemory';
import { readField, type SavedState } from './savedState';

/**
 * The copy that the checks of an activation write into. n8n saves all of it with each execution that a check's context
 * starts, also long after the check, and also when another node has written into it.
 */
export class CopyOfChecks {
	data?: IDataObject;
}

/**
 * Writes fields of what is saved for the node, each as one text: n8n watches every property of what is saved, anew for
 * every event. n8n saves them after a webhook method, after a check that hands over something, and after a request that
 * starts no execution. The copy of the checks gets them too, so that it never overwrites what is newer.
 */
export function writeSaved({ caller, memory }: TriggerCall, fields: SavedState): void {
	const saved = Object.entries(fields).map(
		([field, value]) => [field, JSON.stringify(value)] as const,
	);
	const data = caller.getWorkflowStaticData('node');
	Object.assign(data, Object.fromEntries(saved));
	const copy = memory.part(CopyOfChecks).data;
	// n8n does not save what a test in the editor writes.
	if (!copy || copy === data || caller.getMode() === 'manual') return;
	for (const [field, value] of saved) {
		// To set a field would make n8n save the copy once more, with all that other nodes have in it.
		const visible = { configurable: true, enumerable: true, writable: true };
		Object.defineProperty(copy, field, { ...visible, value });
	}
}

/**
 * Writes the questions into static data that a check was given.
 *
 * @returns to be called when n8n has not saved them, so that they are written again the next time; undefined where the same
 * stood there before
 */
export function writeQuestions(data: IDataObject, questions: Question[]): (() => void) | undefined {
	const text = JSON.stringify(questions);
	const before = data.questions;
	if (text === JSON.stringify(readField(data, 'questions') ?? [])) return undefined;
	data.questions = text;
	return () => {
		if (data.questions === text) data.questions = before;
	};
}
