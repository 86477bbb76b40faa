import type { IExecuteFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import {
	inCall,
	readSaved,
	TriggerCall,
	writeSaved,
} from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { Starter } from '../../nodes/TwoWayMessaging/trigger/starter';
import { TestClock } from '../support/testClock';

const clock = new TestClock();
let processMemory: ProcessMemory;

beforeEach(() => {
	processMemory = new ProcessMemory(clock);
});

const context = (workflowId: string | undefined, nodeId: string) =>
	({
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id: nodeId }),
	}) as unknown as IExecuteFunctions;
const call = (workflowId: string | undefined, nodeId: string) =>
	new TriggerCall(context(workflowId, nodeId), processMemory);

test('a trigger remembers from one call to the next', () => {
	call('w1', 'n1').memory.part(Starter).markBegun(['a']);
	expect(call('w1', 'n1').memory.part(Starter).inbox.stateOf('a')).toBe('begun');
	expect(call('w1', 'n1').nodeKey).toBe(call('w1', 'n1').nodeKey);
});

test.each<[string, [string, string], [string | undefined, string]]>([
	['two triggers of one workflow', ['w1', 'n1'], ['w1', 'n2']],
	['a workflow and its copy, whose nodes have the same ID', ['w1', 'n1'], ['w2', 'n1']],
	['a saved workflow and one that is not saved yet', ['w1', 'n1'], [undefined, 'n1']],
])('%s remember apart', (_, first, second) => {
	const [one, other] = [call(...first), call(...second)];
	one.memory.part(Starter).markBegun(['a']);
	expect(other.memory.part(Starter).inbox.stateOf('a')).toBe('unknown');
	expect(one.nodeKey).not.toBe(other.nodeKey);
});

test('two processes remember apart', () => {
	call('w1', 'n1').memory.part(Starter).markBegun(['a']);
	const other = new TriggerCall(context('w1', 'n1'), new ProcessMemory(clock));
	expect(other.memory.part(Starter).inbox.stateOf('a')).toBe('unknown');
});

test('a call has the time of its process, in every part of its memory', () => {
	const { clock: ofCall, memory, processMemory: ofProcess } = call('w1', 'n1');
	expect([ofCall, memory.clock]).toEqual([clock, clock]);
	expect(ofProcess).toBe(processMemory);
});

test('a function of a call is a method of the node', () => {
	const keyOf = inCall({ memory: processMemory }, ({ nodeKey }) => nodeKey);
	expect(keyOf.call(context('w1', 'n1'))).toBe(call('w1', 'n1').nodeKey);
});

test('what was saved is read, what is saved as undefined is gone, and a test in the editor saves nothing', () => {
	const data = { other: 'field' };
	const copy = {};
	const callIn = (mode: 'manual' | 'trigger') => {
		const more = { getWorkflowStaticData: () => data, getMode: () => mode };
		return new TriggerCall({ ...context('w1', 'n1'), ...more }, processMemory);
	};
	callIn('trigger').memory.data = copy;
	writeSaved(callIn('trigger'), {
		lines: { l1: { blocks: ['x'], isOver: false } },
		stoppedAtMs: 5,
	});
	writeSaved(callIn('manual'), { stoppedAtMs: undefined });
	expect(readSaved(callIn('trigger').context, 'lines')).toEqual({
		l1: { blocks: ['x'], isOver: false },
	});
	expect(Object.keys(data)).toEqual(['other', 'lines']);
	expect(Object.keys(copy)).toEqual(['lines', 'stoppedAtMs']);
});

test('what cannot be read of what n8n saved counts as not saved', () => {
	const saved = { getWorkflowStaticData: () => ({ check: 'no JSON' }) };
	expect(readSaved(saved, 'check')).toBeUndefined();
});
