import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../run';
import { readLines } from '../../transport/lines';

/** Lists the organization's lines (§4.3). */
export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many lines',
	description: 'List your lines with their state and what is left of their limits',
	fields: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Only Active',
					name: 'onlyActive',
					type: 'boolean',
					default: true,
					description: 'Whether to leave out lines that the operator has switched off',
				},
				{
					displayName: 'Only Unblocked',
					name: 'onlyUnblocked',
					type: 'boolean',
					default: true,
					description: 'Whether to leave out lines that are blocked at the moment',
				},
			],
		},
	],
	async run(run, itemIndex) {
		const filters = run.caller.getNodeParameter('filters', itemIndex, {}) as {
			onlyActive?: boolean;
			onlyUnblocked?: boolean;
		};
		const lines = await readLines(await run.connection(), itemIndex);
		const wanted = lines.filter(
			(line) =>
				(!filters.onlyActive || line.is_active === true) &&
				(!filters.onlyUnblocked || !line.blocked_at),
		);
		return wanted as IDataObject[];
	},
};
