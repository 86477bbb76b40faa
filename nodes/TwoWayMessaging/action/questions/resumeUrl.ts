import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** The parameter of the URL that names the question. It stays short, as the URL stands in a text. */
const QUESTION = 'question';

/**
 * The URL that lets this execution continue, signed by n8n. It also names the question, as an execution may ask several. The
 * function came with n8n 1.107. Should n8n drop it, or take no parameters, nobody is asked, as in an n8n that is too old.
 *
 * @param question names one question, and no other of the same execution; letters, digits, `-` and `_` only
 * @returns undefined where this n8n has no such URL
 */
export function signedResumeUrl(context: IExecuteFunctions, question: string): string | undefined {
	const { getSignedResumeUrl } = context as {
		getSignedResumeUrl?: (parameters: Record<string, string>) => string;
	};
	const url = getSignedResumeUrl?.call(context, { [QUESTION]: question });
	return url && new URL(url).searchParams.get(QUESTION) === question ? url : undefined;
}

/** Such a URL in a text, as whoever has it can answer. */
export const SIGNED_RESUME_URL =
	/https?:\/\/[^\s?]{1,500}\?question=[\w-]{1,40}&signature=[\da-f]{64}/g;

/** The question whose URL was visited; undefined when the URL names none. */
export function questionOfVisit(webhook: IWebhookFunctions): string | undefined {
	const { [QUESTION]: question } = webhook.getQueryData() as Record<string, unknown>;
	return typeof question === 'string' ? question : undefined;
}
