import type { ExpressionString } from 'n8n-workflow';
import { ASK_AND_WAIT } from '../../n8n/agentTools';
import { canContinueAtSecondOutput } from '../../n8n/outputAfterWait';

/**
 * The names of the node's outputs, by its fields as they were typed: the answers, and *No Answer*; without a name for every
 * other operation. n8n evaluates it in the editor, too, so it holds all that it needs, and no two braces side by side.
 */
function outputNames(fields: Record<string, unknown>): string[] {
	if (fields.operation !== 'sendAndWait') return [''];
	const { approvalType, choices, expected, responseType } = fields;
	const kind = responseType === 'approval' ? approvalType : responseType === 'reply' && expected;
	if (kind === 'double' || kind === 'yesOrNo') return ['Yes', 'No', 'No Answer'];
	if (kind === 'choice' && typeof choices === 'string' && choices[0] !== '=') {
		const separator = choices.includes('\n') ? '\n' : ',';
		const names = choices.split(separator).map((name) => name.trim());
		const outputs = names.filter((name) => name !== '');
		if (outputs.length >= 2 && outputs.length <= 10) return [...outputs, 'No Answer'];
	}
	return ['Answered', 'No Answer'];
}

/** The same in an n8n that can continue at the first output only, where every answer goes then. */
const namesInOldN8n = ({ operation }: Record<string, unknown>) =>
	operation === 'sendAndWait' ? ['Answered', 'No Answer'] : [''];

const namesOf = canContinueAtSecondOutput() ? outputNames : namesInOldN8n;

export const OUTPUTS: ExpressionString = `={{ ((${String(namesOf)})($rawParameter)).map((displayName) => displayName === "" ? "main" : { type: "main", displayName }) }}`;

/** How many outputs a node has that asks: one for each answer, and *No Answer*; 1 where n8n continues at the first only. */
export function countOutputs(fields: Record<string, unknown>): number {
	return canContinueAtSecondOutput() ? outputNames(fields).length : 1;
}

export const WAITING_TOOLTIP = `={{ $parameter["operation"] === "${ASK_AND_WAIT}" ? "The execution continues when the customer answers." : "" }}`;
