import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readLines } from '../../transport/lines';
import { chosenLine, lineField } from '../lineChoice';
import type { Operation } from '../run';

/** Reads one line (§4.3). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a line',
	description: 'See whether a line is active or blocked and what is left of its limits',
	fields: [{ ...lineField, required: true }],

	async run(run, itemIndex) {
		const node = run.caller.getNode();
		const handle = await chosenLine(run, itemIndex);
		if (handle === undefined) {
			throw new NodeOperationError(node, `Line is empty [item ${itemIndex}]`, {
				description: 'Choose a line from the list, or enter its handle or number.',
				itemIndex,
			});
		}
		const connection = await run.connection();
		const lines = await run.once('lines', async () => await readLines(connection, itemIndex));
		const line = lines.find((candidate) => candidate.line_handle === handle);
		if (line) return [line as IDataObject];
		throw new NodeOperationError(node, `The line does not exist [item ${itemIndex}]`, {
			description: "Choose one under Line 'From List', which shows every line of the credential.",
			itemIndex,
		});
	},
};
