import { PollContext } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';
import { executionStarter } from '../../nodes/TwoWayMessaging/n8n/startExecution';
import { instanceWith, Probe } from './probe';

const instance = instanceWith(new Probe(async () => [[]]));
const node = instance.node({ type: 'probe', name: 'Probe' });
const ITEM: INodeExecutionData = { json: { handle: 'a' } };

const pollWith = (emit?: PollContext['__emit']) =>
	new PollContext(
		instance.workflow([node]),
		node,
		instance.additionalData(),
		'trigger',
		'activate',
		emit,
	);

describe("n8n's check", () => {
	test('starts an execution with the items that it is given, and says how it ended', async () => {
		const given: unknown[] = [];
		const start = executionStarter(
			pollWith((data, _response, done) => {
				given.push(data);
				done?.resolve({ status: 'success' } as Parameters<NonNullable<typeof done>['resolve']>[0]);
			}),
		);
		expect(await start?.([ITEM])).toBe(true);
		expect(given).toEqual([[[ITEM]]]);
	});

	test('says when an execution could not be started', async () => {
		const start = executionStarter(
			pollWith((_data, _response, done) => done?.reject(new Error('The database is locked'))),
		);
		await expect(start?.([ITEM])).rejects.toThrow('locked');
	});

	test('throws at once where n8n gives it nothing to start executions with', () => {
		const start = executionStarter(pollWith());
		expect(() => start?.([ITEM])).toThrow('__emit');
	});

	test('cannot start executions in an n8n without the function', () => {
		const poll = pollWith();
		Object.assign(poll, { __emit: undefined });
		expect(executionStarter(poll)).toBeUndefined();
	});
});
