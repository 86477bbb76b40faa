import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isFields } from '../message';
import type { ServiceEvent } from './event';

/** An event on its way into the workflow. */
export type Arrival = {
	/** The name that it goes by, however it comes (`eventName`). */
	name: string;
	event: ServiceEvent;
	/** Whether a check found it, and no webhook brought it. */
	isFound: boolean;
	/** Set when the service should have sent it and has not, as far as the check could know. */
	isMissed?: true;
	/** The conversation with whose other texts it becomes one item; absent for what becomes an item of its own. */
	conversation?: string;
};

/** Makes an execution fail with these words, so that the list of executions shows them. */
type Failure = { failedCheck: string; description?: string };

/** What an execution begins with. n8n carries it as the JSON of an item. */
export type Handed =
	| { kind: 'arrival'; arrival: Arrival }
	| { kind: 'save' }
	| { kind: 'failure'; failure: Failure }
	/** An item that this node has not made, as a person may run anything. */
	| { kind: 'other' };

/** The item that carries an arrival: `readHanded(toItem(arrival))`. */
export function toItem(arrival: Arrival): INodeExecutionData {
	return { json: arrival as unknown as IDataObject };
}

/** Starts nothing: n8n saves static data with each execution that starts. */
export const saveItem = (): INodeExecutionData => ({ json: { isForSaving: true } });

export const failureItem = (failure: Failure): INodeExecutionData => ({ json: failure });

/** What an item carries. */
export function readHanded({ json }: INodeExecutionData): Handed {
	const { event, name, isForSaving, failedCheck } = json;
	if (isForSaving === true) return { kind: 'save' };
	if (typeof failedCheck === 'string') return { kind: 'failure', failure: json as Failure };
	const isArrival =
		typeof name === 'string' &&
		isFields(event) &&
		(isFields(event.message) || isFields(event.line));
	return isArrival ? { kind: 'arrival', arrival: json as unknown as Arrival } : { kind: 'other' };
}
