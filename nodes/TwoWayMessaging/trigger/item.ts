import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isFields, type Fields } from '../message';
import type { Happening } from './event';

/** What webhook() and poll() hand to execute(). */
export type Handover = {
	/** What the event is recognized by, also after a restart. */
	key: string;
	/** The service's own name for the event, where it gave one. */
	eventId?: string;
	/** Whether, as far as the check could know, no webhook had brought it. */
	isMissed?: boolean;
	output: IDataObject;
};

/** An event on its way into a workflow. */
export type Delivery = {
	happening: Happening;
	key: string;
	eventId?: string;
	createdAt?: string;
	/** Whether a check found what no webhook brought. */
	isRecovered: boolean;
	/** Whether it had not been heard of before, as far as the check could know. */
	isMissed?: boolean;
	/** The service's body, untouched. */
	body: Fields;
};

/** The item as execute() takes it. */
export function handover(delivery: Delivery, simplify: boolean): INodeExecutionData {
	const output = (simplify ? toOutput(delivery) : delivery.body) as IDataObject;
	const { key, eventId, isMissed } = delivery;
	const json: Handover = {
		key,
		output,
		...(eventId && { eventId }),
		...(isMissed && { isMissed }),
	};
	return { json };
}

/** What an item handed over holds; undefined for any other item. */
export function readHandover({ json }: INodeExecutionData): Handover | undefined {
	const { key, eventId, isMissed, output } = json;
	if (typeof key !== 'string' || !isFields(output)) return undefined;
	return {
		key,
		output: output as IDataObject,
		...(typeof eventId === 'string' && { eventId }),
		...(isMissed === true && { isMissed }),
	};
}

/** The fields people work with: the event's, and those of its message (§2.2) or line (§2.3). */
export function toOutput({
	happening,
	key,
	eventId,
	createdAt,
	isRecovered,
}: Delivery): IDataObject {
	return {
		event: happening.kind,
		// Always there, so that people can tell events apart by it: the key where the service gave no id.
		event_id: eventId ?? key,
		...(createdAt && { created_at: createdAt }),
		recovered: isRecovered,
		...('message' in happening ? happening.message : happening.line),
	} as IDataObject;
}
