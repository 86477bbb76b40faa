import type { LinesResponse } from '../serviceFacts';
import type { Call } from '../http';
import { lineBody } from '../state/lines';
import type { World } from '../world';

/** GET /v1/lines (§4.3). */
export const lines = (c: Call, world: World) => {
	const nowMs = world.settings.clock.now();
	const { clockBehindMs } = world.character;
	const body: LinesResponse = {
		status: 'ok',
		lines: world.lines.all().map((line) => lineBody(line, nowMs, clockBehindMs)),
	};
	return c.json(body);
};
