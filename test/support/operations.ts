import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { properties } from '../../nodes/TwoWayMessaging/action';

const [{ options: resources = [] } = {}] = properties;

/** Everything that the dropdowns of the action node offer, each with the fields of its panel. */
export const OPERATIONS = (resources as INodePropertyOptions[]).flatMap((resource) => {
	const fields = properties.filter(({ displayOptions }) =>
		displayOptions?.show?.resource?.includes(resource.value),
	);
	const dropdown = fields.find(({ name }) => name === 'operation');
	return ((dropdown?.options ?? []) as INodePropertyOptions[]).map((choice) => ({
		resource: String(resource.value),
		operation: String(choice.value),
		heading: `${resource.name}: ${choice.name}`,
		action: choice.action ?? '',
		fields: fields.filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes(choice.value),
		),
	}));
});

const isField = (entry: object): entry is INodeProperties => 'type' in entry && 'name' in entry;

/** The fields of a panel and those inside its collections, by the labels that lead to them. */
export const fieldsOf = (
	fields: INodeProperties[],
	path: string,
): Array<{ path: string; field: INodeProperties }> =>
	fields.flatMap((field) => {
		const own = { path: `${path} › ${field.displayName}`, field };
		const inner = field.type === 'collection' ? (field.options ?? []).filter(isField) : [];
		return [own, ...fieldsOf(inner, own.path)];
	});
