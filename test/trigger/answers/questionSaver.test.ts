import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../../nodes/TwoWayMessaging/processMemory';
import { questionSaver } from '../../../nodes/TwoWayMessaging/trigger/answers/questionSaver';
import { triggerCall } from '../../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { WaitingList } from '../../../nodes/TwoWayMessaging/waiting/waitingList';
import { savedField } from '../../support/savedFields';
import { TestClock } from '../../support/testClock';

/** How n8n fails to start an execution. */
type Failure = 'throws' | 'rejects';

let nowMs: number;
let memory: ProcessMemory;

const turns = async () => {
	for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => {
	nowMs = Date.UTC(2026, 0, 1);
	memory = new ProcessMemory(new TestClock(() => nowMs));
});

const ask = (token: string) =>
	memory.part(WaitingList).restore([
		{
			account: 'a',
			number: '+15551230001',
			resumeUrl: `https://n8n.example/${token}`,
			token,
			askedAtMs: 0,
		},
	]);

/** An activation of the workflow: its data, and what n8n saved each time that an execution started. */
const activate = () => {
	const data: IDataObject = {};
	const saved: string[][] = [];
	const failures: Failure[] = [];
	const caller = {
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id: 'n', name: 'Trigger' }),
		getWorkflowStaticData: () => data,
		logger: { debug: () => {} },
		helpers: {
			createDeferredPromise: () => {
				let settle = {};
				const promise = new Promise((resolve, reject) => (settle = { resolve, reject }));
				return { promise, ...settle };
			},
		},
		__emit: (_items: unknown, _response: unknown, done: { reject: (error: Error) => void }) => {
			const failure = failures.shift();
			if (failure === 'throws') throw new Error('The workflow is not active');
			if (failure === 'rejects') return done.reject(new Error('The database is locked'));
			saved.push((savedField(data, 'questions') ?? []).map(({ token }) => token));
		},
	} as unknown as IPollFunctions;
	const save = questionSaver(triggerCall(caller, memory), 'a');
	if (!save) throw new Error('This n8n lets no check start executions');
	return { save, saved, failures };
};

test.each<Failure>(['throws', 'rejects'])(
	'questions that n8n has not saved, as the start of the execution %s, are saved the next time',
	async (failure) => {
		const { save, saved, failures } = activate();
		ask('one');
		failures.push(failure);
		save();
		await turns();
		expect(saved).toEqual([]);

		nowMs += 2_000;
		save();
		await turns();

		expect(saved).toEqual([['one']]);
		nowMs += 2_000;
		save();
		await turns();
		expect(saved).toHaveLength(1);
	},
);

test('a question that waits to be saved is saved by the present activation, and not by an earlier one', async () => {
	const earlier = activate();
	ask('one');
	earlier.save();
	ask('two');
	earlier.save();

	const present = activate();
	present.save();
	await turns();

	expect(earlier.saved).toEqual([['one']]);
	expect(present.saved).toEqual([['one', 'two']]);
});
