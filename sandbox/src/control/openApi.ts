import type { Call } from '../http';
import { paths } from './description/paths';
import { records } from './description/records';

/** The control calls as an OpenAPI description. */
export const openApi = {
	openapi: '3.1.0',
	info: {
		title: 'Two-way messaging sandbox: control calls',
		version: '0.1.0',
		description:
			'Without a credential and without limits. What is refused is refused in words, with 4xx.',
	},
	paths,
	components: { schemas: records },
};

/** GET /sandbox/openapi.json: this description. */
export const describe = (c: Call) => c.json(openApi);
