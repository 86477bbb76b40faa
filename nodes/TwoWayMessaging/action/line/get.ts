import { NodeOperationError } from 'n8n-workflow';
import { lineField, lineNotFound, readChosenLine } from '../../fields/lineField';
import { linesOf } from '../../service/lines';
import type { Operation } from '../operation';
import { toLineItem } from './getMany';

/** Reads one line (§4.3). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get line',
	description: 'See whether a line is active or blocked and what is left of its limits',
	fields: [{ ...lineField, required: true }],

	async run(run, itemIndex) {
		const node = run.context.getNode();
		const handle = await readChosenLine(run, itemIndex);
		if (handle === undefined) {
			throw new NodeOperationError(node, 'Line is empty', {
				description: 'Choose a line from the list, or enter its ID or number.',
				itemIndex,
			});
		}
		const lines = await linesOf(run, itemIndex);
		const line = lines.find((candidate) => candidate.line_handle === handle);
		if (!line) throw lineNotFound(node, `No line of yours has the ID ${handle}`, itemIndex);
		return [toLineItem(line)];
	},
};
