import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { ANNA, serviceInEachTest } from '../support/service';
import { SkippingClock } from '../support/testClock';

/* What a person relies on with every operation: waits end. */

const SEND = { resource: 'message', operation: 'send', number: ANNA, content: 'hello' };
const LONG = { waitSeconds: 600 };
const LOOK_UP = { resource: 'number', operation: 'lookup', number: ANNA, options: LONG };

const service = serviceInEachTest();

/** Time in which waits are over at once, and a person who stops the execution in its second second. */
class StoppedTime extends SkippingClock {
	readonly stop = new AbortController();

	override async sleep(durationMs: number): Promise<void> {
		await super.sleep(durationMs);
		if (this.ms > 1_000) this.stop.abort();
	}
}

test.each([
	// Both messages leave before the wait begins.
	['the status of a message', { ...SEND, options: { waitFor: 'sent', ...LONG } }, 2],
	['§4.6 a look-up', LOOK_UP, 0],
])('an execution that is cancelled while it waits for %s ends at once', async (...given) => {
	const [, parameters, sent] = given;
	const clock = new StoppedTime();
	const memory = new ProcessMemory(clock);
	await service.begin({ sentAfterMs: 600_000, lookupAfterMs: 600_000, memory });

	const run = await service.run({
		parameters,
		signal: clock.stop.signal,
		// Continue On Fail must not turn the cancellation into an item and go on.
		node: { onError: 'continueRegularOutput' },
		items: [{}, {}],
	});

	expect(run.status).toBe('canceled');
	expect(run.json('Node').filter((item) => 'error_message' in item)).toEqual([]);
	expect(await service.accepted()).toHaveLength(sent);
	expect(clock.ms).toBeLessThan(2_000);
});
