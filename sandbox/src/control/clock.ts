import { readFields, wholeNumberIn } from '../fields';
import type { Call } from '../http';
import { BadRequest, refuseRequest } from '../refusals';
import { BeyondEndOfTime } from '../timeline';
import type { World } from '../world';

/** POST /sandbox/clock {advance_seconds}: lets time pass at once. It answers after everything that became due has run. */
export const advanceClock = async (c: Call, world: World) => {
	const seconds = wholeNumberIn(await readFields(c), 'advance_seconds', 0);
	if (seconds === undefined) {
		throw new BadRequest('The advance_seconds field is required.', 'advance_seconds');
	}
	const hasArrived = await world.advance(seconds * 1000).catch((cause: unknown) => {
		if (cause instanceof BeyondEndOfTime) throw new BadRequest(cause.message, 'advance_seconds');
		throw cause;
	});
	if (!hasArrived) return refuseRequest(c, 409, 'The sandbox was reset while its time passed.');
	world.changes.publish({ type: 'clock' });
	return c.json({ now: new Date(world.settings.clock.now()).toISOString() });
};
