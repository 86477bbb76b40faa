import { BinaryDataService, DataDeduplicationService, InstanceSettings } from 'n8n-core';
import { Container } from '@n8n/di';
import '../support/engine';
import Environment from './index';

const CONFIG = { projectConfig: { testEnvironmentOptions: {}, fakeTimers: {} }, globalConfig: {} };

/** Plays a test file that does this, from its beginning to its end. */
const file = async (work: () => void): Promise<void> => {
	const environment = new Environment(CONFIG, {});
	work();
	await environment.teardown();
};

describe('what a test file leaves behind', () => {
	test('in the global object, the environment and the listeners of the process is taken away', async () => {
		process.env.KEPT = 'before';
		const state = () => [
			...['leftBehind' in globalThis, process.listenerCount('exit')],
			...[process.env.LEFT_BEHIND, process.env.KEPT],
		];
		const before = state();
		await file(() => {
			Object.assign(globalThis, { leftBehind: true });
			Object.assign(process.env, { LEFT_BEHIND: 'yes', KEPT: 'after' });
			process.once('exit', () => undefined);
		});
		expect(state()).toEqual(before);
	});

	test('as a wait keeps no worker from ending, and its end still comes', async () => {
		let wait: NodeJS.Timeout | undefined;
		const { setTimeout: before } = globalThis;
		await new Promise<void>((end) => {
			void file(() => (wait = setTimeout(end, 20))).then(() => {
				expect(wait?.hasRef()).toBe(false);
			});
		});
		expect(globalThis.setTimeout).toBe(before);
	});

	test('in n8n is taken away, but for its settings, which it has read once', async () => {
		const settings = Container.get(InstanceSettings);
		const binaryData = Container.get(BinaryDataService);
		await file(() => undefined);
		expect(Container.get(BinaryDataService)).not.toBe(binaryData);
		expect(Container.get(InstanceSettings)).toBe(settings);
		expect(() => DataDeduplicationService.getInstance()).toThrow(/initialized/);
	});
});
