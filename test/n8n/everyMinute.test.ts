import { Container } from '@n8n/di';
import { InstanceSettings, ScheduledTaskManager, TriggerContext } from 'n8n-core';
import type { ITriggerFunctions } from 'n8n-workflow';
import { everyMinute } from '../../nodes/TwoWayMessaging/trigger/check/listen';
import { instanceWith, Probe } from './probe';

const MINUTE_MS = 60_000;

test('n8n calls a function at its second of every minute', async () => {
	jest.useFakeTimers();
	jest.spyOn(InstanceSettings.prototype, 'isLeader', 'get').mockReturnValue(true);
	const instance = instanceWith(new Probe(async () => [[]]));
	const node = instance.node({ type: 'probe', name: 'Probe' });
	const workflow = instance.workflow([node]);
	const data = instance.additionalData();
	const trigger = new TriggerContext(workflow, node, data, 'trigger', 'activate', () => {});
	const seconds: number[] = [];

	everyMinute(trigger, 7, () => seconds.push(new Date().getSeconds()));
	await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
	Container.get(ScheduledTaskManager).deregisterGroups('workflow');
	jest.useRealTimers();

	expect(seconds).toEqual([7, 7, 7]);
});

test('n8n 1.88, which takes a text and throws at an object, does so too', () => {
	const registered: string[] = [];
	const registerCron = (source: string) => registered.push(source.toLowerCase());
	everyMinute({ helpers: { registerCron } } as unknown as ITriggerFunctions, 7, () => {});
	expect(registered).toEqual(['7 * * * * *']);
});

test('an n8n that takes neither says so, so that nobody publishes a workflow that checks nothing', () => {
	const trigger = { helpers: {} } as unknown as ITriggerFunctions;
	expect(() => everyMinute(trigger, 7, () => {})).toThrow('registerCron');
});
