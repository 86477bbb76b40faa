import { ref, text, type Schema } from './schema';

type Parameter = {
	name: string;
	in: 'path' | 'query';
	required: boolean;
	description?: string;
	schema: Schema;
};

type Content = Record<string, { schema: Schema }>;

/** A control call. */
export type Operation = {
	operationId: string;
	summary: string;
	parameters?: Parameter[];
	requestBody?: { required: boolean; content: Content };
	responses: Record<string, { description: string; content?: Content }>;
};

/** A method of a control call. */
export type Method = 'get' | 'post' | 'patch' | 'delete';

const json = (schema: Schema): Content => ({ 'application/json': { schema } });

/** A parameter behind the question mark, which may be left out. */
export const query = (name: string, schema: Schema, description?: string): Parameter => ({
	name,
	in: 'query',
	required: false,
	...(description !== undefined && { description }),
	schema,
});

/** A parameter that is a part of the path. */
export const inPath = (name: string): Parameter => ({
	name,
	in: 'path',
	required: true,
	schema: text,
});

const refusal = { description: 'A sentence that says why not', content: json(ref('Refusal')) };

/** The fields of a body: those that are needed, and those that are not. They come as JSON unless it is a form. */
type Body = {
	needed?: Record<string, Schema>;
	optional?: Record<string, Schema>;
	isForm?: boolean;
};

const bodyOf = ({ needed = {}, optional = {}, isForm = false }: Body) => ({
	required: Object.keys(needed).length > 0,
	content: {
		[isForm ? 'multipart/form-data' : 'application/json']: {
			schema: {
				type: 'object',
				properties: { ...needed, ...optional },
				required: Object.keys(needed),
			},
		},
	},
});

/**
 * Describes a control call.
 *
 * @param answer the schema of its JSON, or what else it answers with
 */
export const operation = (
	operationId: string,
	summary: string,
	answer: Schema | { content: Content },
	more: { parameters?: Parameter[]; body?: Body; status?: number } = {},
): Operation => ({
	operationId,
	summary,
	...(more.parameters && { parameters: more.parameters }),
	...(more.body && { requestBody: bodyOf(more.body) }),
	responses: {
		[String(more.status ?? 200)]: {
			description: 'Done',
			content: 'content' in answer ? answer.content : json(answer as Schema),
		},
		'4XX': refusal,
	},
});

/** How much a call answers at most. */
export const limit = query('limit', { type: 'integer', minimum: 1 });

/** Where the page begins, for calls that answer page by page. */
export const before = query(
	'before',
	text,
	'The cursor of the page before, or the id of its last entry',
);
