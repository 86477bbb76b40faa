import type { Schema } from '../../sandbox/src/control/description/schema';

const typeOf = (value: unknown): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

/**
 * Where a value is not what its schema says; a field that the schema does not name counts, too.
 *
 * @param named gives the schema to which another one refers
 */
export const differences = (
	value: unknown,
	schema: Schema,
	named: (schema: Schema) => Schema | undefined = () => undefined,
	at = '',
): string[] => {
	const known = named(schema);
	if (known) return differences(value, known, named, at);
	if (schema.anyOf) {
		const all = schema.anyOf.map((one) => differences(value, one, named, at));
		return all.some((one) => one.length === 0) ? [] : all.flat();
	}
	const types = [schema.type ?? []].flat();
	const type = typeOf(value);
	const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
	if (types.length > 0 && !fits) return [`${at} is ${type}, not ${types.join(' or ')}`];
	if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${String(value)}`];
	if (Array.isArray(value)) {
		return value.flatMap((one) => differences(one, schema.items ?? {}, named, `${at}[]`));
	}
	if (type !== 'object' || !schema.properties) return [];
	const fields = value as Record<string, unknown>;
	const missing = (schema.required ?? []).filter((name) => !(name in fields));
	return [
		...missing.map((name) => `${at}.${name} is missing`),
		...Object.entries(fields).flatMap(([name, inner]) => {
			const inside = schema.properties?.[name];
			return inside
				? differences(inner, inside, named, `${at}.${name}`)
				: [`${at}.${name} is not named`];
		}),
	];
};
