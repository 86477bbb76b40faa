import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * The URL that lets this execution continue, signed by n8n. Only the node that waits can be reached by it.
 *
 * The function came with n8n 1.107 and is not in the types of older versions. Should n8n drop it, `sendAndWait` refuses
 * to ask, as in an n8n that is too old.
 *
 * @returns undefined where this n8n has no such URL
 */
export function signedResumeUrl(caller: IExecuteFunctions): string | undefined {
	const { getSignedResumeUrl } = caller as { getSignedResumeUrl?: () => string };
	return getSignedResumeUrl?.call(caller);
}
