import type { NodeHint } from 'n8n-workflow';
import { ASK_AND_WAIT } from '../n8n/humanReview';

const isMessageOperation = (operation: string) =>
	`$parameter["resource"] === "message" && $parameter["operation"] === "${operation}"`;

/** The line that is chosen: n8n gives the value of a resource locator, or, where nobody has touched it, the whole. */
const LINE = '($parameter["line"]?.value ?? $parameter["line"])';

/** What the editor says where people go wrong, as far as it knows the items that come in. */
export const hints: NodeHint[] = [
	{
		message:
			"This will stop with an error and ask nobody: several items come in, and one question can be asked at a time. Put a 'Loop Over Items' node before this one, or switch on Execute Once in its Settings to ask for the first item only.",
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${isMessageOperation(ASK_AND_WAIT)} && $input.all().length > 1 }}`,
	},
	{
		message:
			'This answers the customer who texted, and Line is empty: the answer may come from another number than the one that was texted. Use the operation Reply, or choose the line by its ID, which the item has in the field line_handle.',
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'always',
		displayCondition: `={{ ${isMessageOperation('send')} && !${LINE} && $input.first().json.is_outbound === false && $input.first().json.from === $parameter["number"] }}`,
	},
];
