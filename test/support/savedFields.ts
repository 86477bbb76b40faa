import type { IDataObject } from 'n8n-workflow';
import { readSaved, type SavedState } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import type { TriggerContext } from '../../nodes/TwoWayMessaging/trigger/settings';

/** What the trigger has saved in a node's static data: one of its fields, read as the trigger reads it. */
export function savedField<Field extends keyof SavedState>(
	staticData: unknown,
	field: Field,
): SavedState[Field] {
	const context: Partial<TriggerContext> = {
		getWorkflowStaticData: () => (staticData ?? {}) as IDataObject,
	};
	return readSaved(context as TriggerContext, field);
}
