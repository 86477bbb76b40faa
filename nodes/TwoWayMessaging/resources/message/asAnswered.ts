import type { SendRequest } from '../../contract';
import { redactAll } from '../../transport/redact';
import type { Connection } from '../../transport/request';

/** The request as rows of the history show it: without a secret that its text contains, as no answer shows one. */
export function asAnswered({ settings }: Connection, request: SendRequest): SendRequest {
	const { content } = request;
	if (content === undefined) return request;
	return { ...request, content: redactAll(content, settings.secrets) as string };
}
