import type { IExecuteFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { readSaved, TriggerCall, writeSaved } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { TestClock } from '../support/testClock';

test('what was saved is read, what is saved as undefined is gone, and a test in the editor saves nothing', () => {
	const data = { other: 'field' };
	const copy = {};
	const processMemory = new ProcessMemory(new TestClock());
	const callIn = (mode: 'manual' | 'trigger') => {
		const context = {
			getWorkflow: () => ({ id: 'w1' }),
			getNode: () => ({ id: 'n1' }),
			getWorkflowStaticData: () => data,
			getMode: () => mode,
		};
		return new TriggerCall(context as unknown as IExecuteFunctions, processMemory);
	};
	callIn('trigger').memory.data = copy;
	writeSaved(callIn('trigger'), {
		lines: { l1: { blocks: ['x'], isOver: false } },
		questions: [],
	});
	writeSaved(callIn('manual'), { questions: undefined });
	expect(readSaved(callIn('trigger').context, 'lines')).toEqual({
		l1: { blocks: ['x'], isOver: false },
	});
	expect(Object.keys(data)).toEqual(['other', 'lines']);
	expect(Object.keys(copy)).toEqual(['lines', 'questions']);
});

test('what cannot be read of what n8n saved counts as not saved', () => {
	const saved = { getWorkflowStaticData: () => ({ check: 'no JSON' }) };
	expect(readSaved(saved, 'check')).toBeUndefined();
});
