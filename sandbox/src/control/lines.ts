import type { Fields } from '../fields';
import { booleanIn, readFieldsIfAny, textIn, wholeNumberIn } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import { USUAL_BLOCK_REASON } from '../seed/seed';
import type { Line } from '../state/lines';
import { lineBody } from '../state/lines';
import type { World } from '../world';

/** POST /sandbox/lines/:line_handle/block {reason}: blocks a line (§3.2). */
export const blockLine = async (c: Call, world: World) => {
	const line = lineIn(c, world);
	const reason = textIn(await readFieldsIfAny(c), 'reason') || USUAL_BLOCK_REASON;
	if (!world.block(line, reason)) throw new BadRequest('The line is blocked already.', null, 409);
	return answerLine(c, world, line);
};

/** POST /sandbox/lines/:line_handle/unblock: unblocks a line (§3.2). */
export const unblockLine = (c: Call, world: World) => {
	const line = lineIn(c, world);
	if (!world.unblock(line)) throw new BadRequest('The line is not blocked.', null, 409);
	return answerLine(c, world, line);
};

/** PATCH /sandbox/lines/:line_handle {limits: {hourly, daily}, is_active, label}: changes how a line is provisioned. */
export const changeLine = async (c: Call, world: World) => {
	const line = lineIn(c, world);
	const fields = await readFieldsIfAny(c);
	const isActive = booleanIn(fields, 'is_active');
	const label = textIn(fields, 'label');
	if (label?.trim() === '') throw new BadRequest('The label field must not be empty.', 'label');
	const limits = limitsIn(fields);
	const hourly = wholeNumberIn(limits, 'hourly', 0);
	const daily = wholeNumberIn(limits, 'daily', 0);

	line.isActive = isActive ?? line.isActive;
	line.label = label ?? line.label;
	line.hourly.limit = hourly ?? line.hourly.limit;
	line.daily.limit = daily ?? line.daily.limit;
	world.conversationLimiter.releaseAllowed(line);
	world.changes.publish({ type: 'line' });
	return answerLine(c, world, line);
};

const limitsIn = (fields: Fields): Fields => {
	const limits = fields['limits'] ?? {};
	if (typeof limits !== 'object' || Array.isArray(limits)) {
		throw new BadRequest('The limits field must look like {"hourly": 50, "daily": 200}.', 'limits');
	}
	return limits as Fields;
};

const lineIn = (c: Call, world: World): Line => {
	const line = world.lines.get(c.req.param('line_handle') ?? '');
	if (line) return line;
	throw new BadRequest('No line with this line_handle; GET /sandbox/state lists them.', null, 404);
};

const answerLine = (c: Call, world: World, line: Line) =>
	c.json(lineBody(line, world.settings.clock.now()));
