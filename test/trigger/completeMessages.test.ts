import type { IExecuteFunctions } from 'n8n-workflow';
import { Memory, ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { completeMessages } from '../../nodes/TwoWayMessaging/trigger/complete/completeMessages';
import { NewestRows } from '../../nodes/TwoWayMessaging/trigger/complete/newestRows';
import { toItem, type EventHandover } from '../../nodes/TwoWayMessaging/trigger/handover';
import type { TriggerCall } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { RunsUnderWay } from '../../nodes/TwoWayMessaging/trigger/runsUnderWay';
import { TestClock } from '../support/testClock';

const NODE = 'workflow node';

test('executions that wait for the history keep no other from starting', async () => {
	const clock = new TestClock();
	const processMemory = new ProcessMemory(clock);
	const memory = new Memory(clock);
	const caller = {} as IExecuteFunctions;
	const call: TriggerCall<IExecuteFunctions> = {
		caller,
		clock,
		memory,
		processMemory,
		nodeKey: NODE,
		whyEmpty: new Set(),
	};
	const runs = processMemory.part(RunsUnderWay);
	const names = Array.from({ length: 20 }, (_, at) => `receive:m${at}`);
	let answer = (_rows: Map<string, object>) => {};
	const asked = new Promise<Map<string, object>>((resolve) => (answer = resolve));
	jest.spyOn(memory.part(NewestRows), 'read').mockReturnValue(asked);
	const arrivals = names.map((name, index) => {
		const message_handle = `m${index}`;
		const output = { event: 'receive', event_id: name, message_handle, line_handle: 'l1', to: '1' };
		const handover: EventHandover = {
			kind: 'event',
			name,
			isMissed: false,
			leavesOut: 'message',
			output,
		};
		return { item: toItem(handover), handover, index };
	});
	for (const name of names) runs.add(NODE, [name], true);
	for (const name of names) runs.markBegun(NODE, name);
	expect(runs.hasRoom(NODE, false)).toBe(false);

	const completed = completeMessages(call, arrivals, true);
	expect(runs.hasRoom(NODE, false)).toBe(true);

	answer(new Map(names.map((_, at) => [`m${at}`, { conversation_handle: 'c1' }])));
	const outputs = (await completed).map(({ handover }) => (handover as EventHandover).output);
	expect(outputs).toEqual(
		outputs.map(() => expect.objectContaining({ conversation_handle: 'c1' }) as object),
	);
	expect(runs.hasRoom(NODE, false)).toBe(false);
});

test('a message is completed although the execution that reads for all is stopped', async () => {
	const clock = new TestClock();
	const processMemory = new ProcessMemory(clock);
	const memory = new Memory(clock);
	const caller = { logger: { debug: () => {} }, getNode: () => ({ name: 'Trigger' }) };
	const call: TriggerCall<IExecuteFunctions> = {
		caller: caller as unknown as IExecuteFunctions,
		clock,
		memory,
		processMemory,
		nodeKey: NODE,
		whyEmpty: new Set(),
	};
	const read = jest
		.spyOn(memory.part(NewestRows), 'read')
		.mockRejectedValueOnce(new Error('The execution was cancelled'))
		.mockResolvedValueOnce(new Map([['m1', { conversation_handle: 'c1' }]]));
	const output = { event: 'receive', message_handle: 'm1', line_handle: 'l1', to: '1' };
	const handover: EventHandover = {
		kind: 'event',
		name: 'receive:m1',
		isMissed: false,
		leavesOut: 'message',
		output,
	};
	const [completed] = await completeMessages(
		call,
		[{ item: toItem(handover), handover, index: 0 }],
		true,
	);
	expect((completed?.handover as EventHandover).output).toMatchObject({
		conversation_handle: 'c1',
	});
	expect(read).toHaveBeenCalledTimes(2);
});
