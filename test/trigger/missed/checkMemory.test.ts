import type { IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import {
	CheckMemory,
	isFirstCheck,
} from '../../../nodes/TwoWayMessaging/trigger/missed/checkMemory';
import { triggerCall } from '../../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { ProcessMemory } from '../../../nodes/TwoWayMessaging/processMemory';
import { CheckedActivations } from '../../../nodes/TwoWayMessaging/n8n/activation';
import type { CheckState } from '../../../nodes/TwoWayMessaging/trigger/savedState';

const state = (account: string, sinceMs: number): CheckState => ({
	account,
	history: { sinceMs, excluded: [], open: {}, latest: [] },
});

/** n8n's context of a check, of a node with these fields. */
const poll = (
	{ activation = 'activate' as WorkflowActivateMode, parameters = {}, saved = {} },
	staticData: object = saved,
) =>
	({
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => ({ id: 'n1', parameters }),
		getActivationMode: () => activation,
		getWorkflowStaticData: () => staticData,
	}) as unknown as IPollFunctions;

describe('what the last check has left', () => {
	const lastOf = (account: string, kept?: CheckState, check?: CheckState) => {
		const memory = new CheckMemory();
		memory.last = kept;
		return memory.lastOf(poll({ saved: check ? { check } : {} }), account);
	};

	test('is nothing before the first check', () => {
		expect(lastOf('a')).toBeUndefined();
	});

	test('is what this process remembers, or what n8n has saved, where there is only one', () => {
		expect(lastOf('a', state('a', 1))).toEqual(state('a', 1));
		expect(lastOf('a', undefined, state('a', 1))).toEqual(state('a', 1));
	});

	test('is the one that has come further, whether this process or another one made it', () => {
		expect(lastOf('a', state('a', 1), state('a', 2))).toEqual(state('a', 2));
		expect(lastOf('a', state('a', 2), state('a', 1))).toEqual(state('a', 2));
	});

	test('is that of the same account, however far another account has come', () => {
		expect(lastOf('a', state('a', 1), state('b', 2))).toEqual(state('a', 1));
		expect(lastOf('a', state('b', 2), state('a', 1))).toEqual(state('a', 1));
	});

	test('is that of another account where there is none of this one, as both may have one history', () => {
		expect(lastOf('a', undefined, state('b', 1))).toEqual(state('b', 1));
		expect(lastOf('a', state('b', 1), state('c', 2))).toEqual(state('b', 1));
	});
});

describe('one check runs at a time', () => {
	/** A check that ends when the test says so. */
	const held = () => {
		let end = (_failed?: Error) => {};
		const check = new Promise<string>((resolve, reject) => {
			end = (failed) => (failed ? reject(failed) : resolve('checked'));
		});
		return { check: async () => await check, end };
	};
	const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

	test('and one of the same activation whose time comes meanwhile is left out', async () => {
		const memory = new CheckMemory();
		const activation = {};
		const { check, end } = held();
		const first = memory.runAlone(activation, check);
		expect(await memory.runAlone(activation, async () => 'twice')).toBeUndefined();
		end();
		expect(await first).toBe('checked');
		expect(await memory.runAlone(activation, async () => 'next')).toBe('next');
	});

	test('and one of a later activation waits for its end', async () => {
		const memory = new CheckMemory();
		const { check, end } = held();
		const first = memory.runAlone({}, check);
		let isSecondRunning = false;
		const second = memory.runAlone({}, async () => {
			isSecondRunning = true;
			return 'second';
		});
		await turn();
		expect(isSecondRunning).toBe(false);
		end();
		expect(await first).toBe('checked');
		expect(await second).toBe('second');
	});

	test('and one that fails says so, and keeps no other from running', async () => {
		const memory = new CheckMemory();
		const activation = {};
		const { check, end } = held();
		const first = memory.runAlone(activation, check);
		const second = memory.runAlone({}, async () => 'second');
		end(new Error('away'));
		await expect(first).rejects.toThrow('away');
		expect(await second).toBe('second');
		expect(await memory.runAlone(activation, async () => 'next')).toBe('next');
	});
});

describe('the first check of an activation', () => {
	const processMemory = new ProcessMemory();
	const activated = (
		activation: WorkflowActivateMode,
		fields: { parameters?: object; staticData?: object } = {},
	) => {
		const { parameters = {}, staticData = {} } = fields;
		return triggerCall(poll({ activation, parameters }, staticData), processMemory);
	};
	const end = (call: ReturnType<typeof activated>) => {
		call.memory.part(CheckedActivations).markChecked(call.caller);
		call.memory.part(CheckMemory).markChecked(call.caller, state('a', 0));
	};

	test('is the one before any has come to its end', () => {
		const call = activated('activate');
		expect(isFirstCheck(call)).toBe(true);
		end(call);
		expect(isFirstCheck(call)).toBe(false);
		expect(call.memory.part(CheckMemory).last).toEqual(state('a', 0));
	});

	test('is each check that n8n calls by a new activation, but for the same fields published again', () => {
		end(activated('activate', { parameters: { events: ['receive'] } }));
		expect(isFirstCheck(activated('activate', { parameters: { events: ['receive'] } }))).toBe(true);
		expect(isFirstCheck(activated('update', { parameters: { events: ['receive'] } }))).toBe(false);
		expect(isFirstCheck(activated('update', { parameters: { events: ['outbound'] } }))).toBe(true);
	});
});
