import { TriggerContext } from 'n8n-core';
import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { executionStarter } from '../../nodes/TwoWayMessaging/trigger/starter';
import type { Emit } from '../support/webhooks';
import { instanceWith, Probe } from './probe';

const ITEMS: INodeExecutionData[] = [{ json: { handle: 'a' } }];

const starterWith = (emit: Emit) => {
	const instance = instanceWith(new Probe(async () => [[]]));
	const node = instance.node({ type: 'probe', name: 'Probe' });
	const data = instance.additionalData();
	return executionStarter(
		new TriggerContext(instance.workflow([node]), node, data, 'trigger', 'activate', emit),
	);
};

/** What n8n tells of an execution's end. */
const end = (end: Partial<IRun>, error?: object) =>
	({ ...end, data: { resultData: { runData: {}, ...(error && { error }) } } }) as unknown as IRun;

const ERROR = { message: 'run fails' };
const waitTill = new Date();

// Measured with n8n 1.88, 1.123 and 2.39.
test.each<[string, IRun | undefined, boolean]>([
	['well', end({ status: 'success', finished: true }), true],
	['well in n8n 1.88', end({ status: 'running', finished: true }), true],
	['with a wait', end({ status: 'waiting', waitTill }), true],
	['with a wait in queue mode', end({ status: 'waiting', waitTill, finished: true }), true],
	['with a wait in queue mode of n8n 1', end({ status: 'waiting' }), true],
	['badly', end({ status: 'error' }, ERROR), false],
	['badly in n8n 1.88', end({ status: 'running' }, ERROR), false],
	['badly in queue mode', end({ status: 'error', finished: false }, ERROR), false],
	['and nobody knows how', undefined, false],
])('an execution ends %s', async (_, ended, isWell) => {
	const started: unknown[] = [];
	const start = starterWith((data, response, done) => {
		started.push(data, response);
		done?.resolve(ended as IRun);
	});
	expect(await start(ITEMS)).toBe(isWell);
	expect(started).toEqual([[ITEMS], undefined]);
});

test('an execution that n8n could not start, or that a person has stopped, rejects', async () => {
	const start = starterWith((_data, _response, done) =>
		done?.reject(new Error('The execution was cancelled manually')),
	);
	await expect(start(ITEMS)).rejects.toThrow('cancelled');
});
