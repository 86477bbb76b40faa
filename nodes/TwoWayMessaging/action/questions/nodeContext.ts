import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * Saves a value with the execution, where the node's webhook finds it while the execution waits:
 *
 * ```ts
 * saveInNodeContext(context, 'question', question);
 * readFromNodeContext(webhook, 'question');
 * ```
 */
export function saveInNodeContext(context: IExecuteFunctions, name: string, value: object): void {
	context.getContext('node')[name] = value;
}

/**
 * Reads a value that `saveInNodeContext` has saved.
 *
 * n8n gives a webhook no function for that, only the expression `$node[…].context[…]`. Should n8n drop it, every question
 * counts as over: what a visit answers cannot be told then, and it must not answer another question.
 */
export function readFromNodeContext(webhook: IWebhookFunctions, name: string): unknown {
	const node = quote(webhook.getNode().name);
	return webhook.evaluateExpression(`{{ $node[${node}].context[${quote(name)}] }}`);
}

/** The text as a string of JavaScript. Braces are escaped, as two of them would end the expression. */
function quote(text: string): string {
	const escapes: Record<string, string> = { '{': '\\u007b', '}': '\\u007d' };
	return JSON.stringify(text).replace(/[{}]/g, (brace) => escapes[brace] ?? brace);
}
