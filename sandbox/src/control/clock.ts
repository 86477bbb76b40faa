import { readFields, wholeNumberIn } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import type { World } from '../world';

/** POST /sandbox/clock {advance_seconds}: lets time pass at once. It answers after everything that became due has run. */
export const advanceClock = async (c: Call, world: World) => {
	const seconds = wholeNumberIn(await readFields(c), 'advance_seconds', 0);
	if (seconds === undefined) {
		throw new BadRequest('The advance_seconds field is required.', 'advance_seconds');
	}
	const { clock } = world.settings;
	if (!Number.isFinite(new Date(clock.now() + seconds * 1000).getTime())) {
		throw new BadRequest(
			'The advance_seconds field leads to a date that does not exist.',
			'advance_seconds',
		);
	}
	await clock.advance(seconds * 1000, async () => await world.deliveries.settled());
	world.changes.publish({ type: 'clock' });
	return c.json({ now: new Date(clock.now()).toISOString() });
};
