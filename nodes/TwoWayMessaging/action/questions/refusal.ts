import { NodeOperationError } from 'n8n-workflow';
import type { Run } from '../../service/run';

/** Why a question is not sent, in a sentence, and what a person can do. */
export function refusal(
	{ context }: Pick<Run, 'context'>,
	itemIndex: number,
	message: string,
	{ advice }: { advice: string },
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, {
		description: `The question was not sent. ${advice}`,
		itemIndex,
	});
}
