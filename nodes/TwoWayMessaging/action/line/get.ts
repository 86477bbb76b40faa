import { lineFieldWith, lineNotFound, readChosenLine } from '../../fields/lineField';
import { refusal } from '../../fields/readField';
import { linesOf } from '../../service/lines';
import { inItsTurn, type Operation } from '../operation';
import { toLineItem } from './getMany';

const lineField = lineFieldWith(
	'Select a line…',
	'The line to use. Each line is a number of yours that customers can reply to.',
);

/** Reads one line (§4.3). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get line',
	description: 'See whether a line is active or blocked and what is left of its limits',
	fields: [{ ...lineField, required: true }],

	read: inItsTurn(async (item) => {
		const handle = await readChosenLine(item);
		if (handle === undefined) {
			throw refusal(item, {
				message: 'Line is empty',
				description: 'Choose a line from the list, or enter its ID or number.',
			});
		}
		const lines = await linesOf(item);
		const line = lines.find((candidate) => candidate.line_handle === handle);
		if (!line) throw lineNotFound(item, `the ID ${handle}`);
		return [{ json: toLineItem(line) }];
	}),
};
