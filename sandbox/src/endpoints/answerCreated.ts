import type { Created } from '../characters/character';
import type { Call } from '../http';

/** Answers that something was created or changed, with a body or without one. */
export const answerCreated = (c: Call, { body, location }: Created, status: 200 | 201) => {
	if (location !== undefined) c.header('location', location);
	if (typeof body === 'string') return c.text(body, status);
	return body === null ? c.body(null, status) : c.json(body, status);
};
