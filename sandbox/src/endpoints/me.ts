import type { Call } from '../http';
import type { World } from '../world';

/** GET /v1/me (§4.2): answers 200 to every valid key pair. */
export const me = (c: Call, { character }: World) =>
	typeof character.me === 'string' ? c.text(character.me) : c.json(character.me);
