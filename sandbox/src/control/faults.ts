import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import { FAULT_KINDS } from '../faults';
import type { Fields } from '../fields';
import { choiceIn, readFields, textIn, wholeNumberIn } from '../fields';
import type { Call } from '../http';
import { LONGEST_WAIT_MS } from '../longestWait';
import { BadRequest } from '../refusals';
import type { World } from '../world';

/** GET /sandbox/faults: the pending faults, and the paths and kinds that a fault can have. */
export const faults = (c: Call, world: World) =>
	c.json({ faults: faultsBody(world), paths: pathsOf(world), kinds: FAULT_KINDS });

/**
 * POST /sandbox/faults {path, kind, times?, probability?, retry_after_seconds?, delay_ms?}: makes the next calls to a path
 * fail, or with a probability some of them until the fault is removed.
 */
export const addFault = async (c: Call, world: World) => {
	const fields = await readFields(c);
	const paths = pathsOf(world);
	const path = textIn(fields, 'path') ?? '';
	if (!paths.includes(path)) {
		throw new BadRequest(`The path field must be one of: ${paths.join(', ')}.`, 'path');
	}
	const kind = choiceIn(fields, 'kind', FAULT_KINDS);
	if (!kind)
		throw new BadRequest(`The kind field must be one of: ${FAULT_KINDS.join(', ')}.`, 'kind');
	const probability = probabilityIn(fields);
	const delayMs = wholeNumberIn(fields, 'delay_ms', 0, LONGEST_WAIT_MS);
	if (delayMs !== undefined && kind !== 'slow') {
		throw new BadRequest('The delay_ms field goes with the kind slow only.', 'delay_ms');
	}
	world.faults.add(path, {
		kind,
		times: wholeNumberIn(fields, 'times', 1) ?? (probability === null ? 1 : null),
		probability,
		retryAfterSeconds: wholeNumberIn(fields, 'retry_after_seconds', 0) ?? null,
		delayMs: delayMs ?? 3_000,
	});
	world.changes.publish({ type: 'fault' });
	return c.json({ faults: faultsBody(world) }, 201);
};

/** DELETE /sandbox/faults: removes the pending faults. */
export const clearFaults = (c: Call, world: World) => {
	world.faults.clear();
	world.changes.publish({ type: 'fault' });
	return c.json({ faults: [] });
};

const probabilityIn = (fields: Fields): number | null => {
	const value = fields['probability'] ?? null;
	if (value === null) return null;
	if (typeof value === 'number' && value > 0 && value <= 1) return value;
	throw new BadRequest(
		'The probability field must be a number above 0 and at most 1.',
		'probability',
	);
};

const pathsOf = ({ settings: { pathPrefix } }: World): string[] => {
	const prefixed: string[] = [PATHS.status, PATHS.lookup, PATHS.media];
	return Object.values(PATHS).map((path) =>
		prefixed.includes(path) ? `${pathPrefix}${path}` : path,
	);
};

/** The pending faults, as the control endpoints show them. */
export const faultsBody = (world: World) =>
	world.faults
		.all()
		.map(({ path, kind, times, probability }) => ({ path, kind, times, probability }));
