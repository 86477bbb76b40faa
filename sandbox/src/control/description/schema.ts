/** A JSON schema, as far as this description uses it. */
export type Schema = {
	type?: string | string[];
	description?: string;
	contentMediaType?: string;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	enum?: readonly unknown[];
	minimum?: number;
	maximum?: number;
	exclusiveMinimum?: number;
	$ref?: string;
	anyOf?: Schema[];
};

// The schemas of simple fields.

export const text: Schema = { type: 'string' };
export const textOrNull: Schema = { type: ['string', 'null'] };
export const bytes: Schema = { type: 'string', contentMediaType: 'application/octet-stream' };
export const bool: Schema = { type: 'boolean' };
export const time: Schema = { type: 'string', description: 'ISO 8601' };
export const timeOrNull: Schema = { type: ['string', 'null'], description: 'ISO 8601' };
export const count: Schema = { type: 'integer', minimum: 0 };
export const countOrNull: Schema = { type: ['integer', 'null'], minimum: 0 };

/** One of these words. */
export const oneOf = (values: readonly string[]): Schema => ({ type: 'string', enum: values });
export const oneOfOrNull = (values: readonly string[]): Schema => ({
	type: ['string', 'null'],
	enum: [...values, null],
});

export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** The record of this name (`records.ts`). */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** An object with all of these fields and no other. */
export const record = (properties: Record<string, Schema>): Schema => ({
	type: 'object',
	properties,
	required: Object.keys(properties),
});
