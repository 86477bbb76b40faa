import { createHash } from 'crypto';

/** Characters of a digest that are kept: 66 bits, so that no two rows of a history share them. */
const KEPT = 11;

/**
 * What stands for the name of an excluded row. n8n reads all that a node has saved with every event, and there may be a
 * thousand of these after the node's fields have changed.
 */
export function excludedName(name: string): string {
	return createHash('sha256').update(name).digest('base64url').slice(0, KEPT);
}
