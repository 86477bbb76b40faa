import type { INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { PREFIXES } from '../contract';
import { bareHandle } from '../message';
import { readLines } from '../transport/lines';
import { phoneNumber, toE164 } from './phoneNumber';
import type { Run } from './run';

/** The field that chooses a line: from the list, by handle or by number. */
export const lineField: INodeProperties = {
	displayName: 'Line',
	name: 'line',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The line to use. Each line is a number of yours that customers can reply to.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a line…',
			typeOptions: { searchListMethod: 'searchLines', searchable: true },
		},
		{
			displayName: 'Handle',
			name: 'handle',
			type: 'string',
			placeholder: 'e.g. 2f1f9d0c-6b0e-4a57-…',
			hint: 'An event or a message carries it as line_handle',
		},
		{
			displayName: 'Number',
			name: 'number',
			type: 'string',
			placeholder: 'e.g. +15550100001',
		},
	],
};

/** The same where nothing needs to be chosen: the service sends from any active line then (§2.1). */
export const anyLineField: INodeProperties = {
	...lineField,
	description:
		'The line to send from, which is the number the customer sees and replies to. Leave it empty to let any active line send.',
	modes: lineField.modes?.map((mode) =>
		mode.name === 'list' ? { ...mode, placeholder: 'Any active line' } : mode,
	),
};

/**
 * The handle of the line that an item chose (§2.1).
 *
 * @returns undefined when none was chosen
 * @throws NodeApiError or NodeOperationError when it was chosen by a number that no line has
 */
export async function chosenLine(run: Run, itemIndex: number): Promise<string | undefined> {
	const choice = run.caller.getNodeParameter('line', itemIndex, {}) as
		Partial<INodeParameterResourceLocator> | undefined;
	const value = String(choice?.value ?? '').trim();
	if (value === '') return undefined;
	if (choice?.mode !== 'number') return bareHandle(value, PREFIXES.line);

	const number = phoneNumber(run.caller.getNode(), value, itemIndex);
	const connection = await run.connection();
	const lines = await run.once('lines', async () => await readLines(connection, itemIndex));
	const line = lines.find((candidate) => toE164(String(candidate.number ?? '')) === number);
	if (line) return line.line_handle;
	throw new NodeOperationError(
		run.caller.getNode(),
		`No line of yours has the number ${number} [item ${itemIndex}]`,
		{
			description: "Choose one under Line 'From List', which shows every line of the credential.",
			itemIndex,
		},
	);
}
