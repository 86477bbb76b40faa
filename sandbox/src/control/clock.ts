import { readFields, wholeNumberIn } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import type { World } from '../world';

/** POST /sandbox/clock {advance_seconds}: time passes at once; answers when what came due has been done. */
export const advanceClock = async (c: Call, world: World) => {
	const seconds = wholeNumberIn(await readFields(c), 'advance_seconds', 0);
	if (seconds === undefined) {
		throw new BadRequest('The advance_seconds field is required.', 'advance_seconds');
	}
	const { clock } = world.settings;
	if (!Number.isFinite(new Date(clock.now() + seconds * 1000).getTime())) {
		throw new BadRequest('The advance_seconds field is beyond the calendar.', 'advance_seconds');
	}
	await clock.advance(seconds * 1000, async () => await world.deliveries.settled());
	world.changes.publish({ type: 'clock' });
	return c.json({ now: new Date(clock.now()).toISOString() });
};
