import type * as Pause from '../../nodes/TwoWayMessaging/transport/pause';
import type { Caller } from '../../nodes/TwoWayMessaging/transport/request';

const real = jest.requireActual<typeof Pause>('../../nodes/TwoWayMessaging/transport/pause');

export const { isCancelled, stopIfCancelled } = real;

/** A clock that runs fast: every pause of the nodes takes a thousandth of its time. */
export async function pause(caller: Caller, durationMs: number): Promise<void> {
	await real.pause(caller, durationMs / 1_000);
}
