import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { REFUSALS } from '../contract';
import { isFields, type Fields } from '../message';
import { ASK_AND_WAIT } from '../n8n/humanReview';
import { redact } from './redact';
import type { Answer, Connection, Outcome } from './request';

/** What happened, and what a person can do about it. */
export type Words = { message: string; description: string };

/** The refusals that the document names (§7), and every other one. */
export type RefusalKind = keyof typeof REFUSALS | 'other';

/** Characters of a refusal that is a plain text; a longer text is a page. */
const LONGEST_SENTENCE = 500;

/** Value of the operation that has no field for the line. */
const REPLY = 'reply';

const CREDENTIAL_NAME = 'the Two-Way Messaging API credential';

/** The words for each refusal the document names (§7). */
const REFUSAL_WORDS: Record<keyof typeof REFUSALS, Words> = {
	unauthenticated: {
		message: 'The service did not accept the key pair',
		description: `Check API Key and API Secret in ${CREDENTIAL_NAME}. The secret was shown only once; if it is lost or revoked, ask the operator for a new pair.`,
	},
	nothingToSend: {
		message: 'There is nothing to send',
		description: 'Fill in Text, or choose a Media to send, or both.',
	},
	unknownLine: {
		message: 'The line does not exist or is not active',
		description:
			"Choose another one under Line, or leave Line empty to let any active line send. The operation 'Get Many' of the resource 'Line' shows all of them.",
	},
	optedOut: {
		message: 'The customer has opted out of messages',
		description:
			"The customer replied STOP or a similar word, and gets messages again only after replying START. To continue the workflow without this message, add the option 'If Opted Out' and choose 'Skip'.",
	},
	lineBlocked: {
		message: 'The line is blocked',
		description:
			"If Line names one, choose another, or add the option 'If Line Blocked' to let the node choose one. If Line is empty or the option is there already, all lines are blocked: wait until one is unblocked. The event 'Line Unblocked' of the Two-Way Messaging Trigger tells you when.",
	},
	tooManyAttempts: {
		message: 'The service asked to slow down',
		description: 'Wait a minute and run the workflow again.',
	},
};

/** The words of an operation that lacks a field or an option of Send, or goes on elsewhere. */
const WORDS_OF_OPERATION: Record<string, Partial<typeof REFUSAL_WORDS>> = {
	[ASK_AND_WAIT]: {
		optedOut: {
			message: REFUSAL_WORDS.optedOut.message,
			description:
				"The customer replied STOP or a similar word, and gets messages again only after replying START. To continue the workflow at the output No Answer, add the option 'If Opted Out' and choose 'Skip'.",
		},
		lineBlocked: {
			message: REFUSAL_WORDS.lineBlocked.message,
			description:
				"Choose another one under Line, or wait until this line is unblocked. The event 'Line Unblocked' of the Two-Way Messaging Trigger tells you when.",
		},
	},
	[REPLY]: {
		unknownLine: {
			message: REFUSAL_WORDS.unknownLine.message,
			description:
				'A reply leaves from the line of the message that it answers. To text the customer from another line, use the operation Send, or ask the operator about this line.',
		},
	},
};

/** What a person reads about a refusal that the document names (§7), in a node with this operation. */
export function refusalWords(kind: keyof typeof REFUSALS, operation?: unknown): Words {
	return WORDS_OF_OPERATION[String(operation)]?.[kind] ?? REFUSAL_WORDS[kind];
}

/** Which of the document's refusals an answer is (§7); undefined when the answer is not a refusal. */
export function refusalKind(answer: Answer): RefusalKind | undefined {
	if (answer.status === 401) return 'unauthenticated';
	if (answer.status === 429) return 'tooManyAttempts';
	if (answer.status < 400 || answer.status >= 500) return undefined;
	const said = findSentences(answer.body).join(' ').toLowerCase();
	const kinds = Object.keys(REFUSALS) as Array<keyof typeof REFUSALS>;
	return kinds.find((kind) => said.includes(REFUSALS[kind].toLowerCase())) ?? 'other';
}

/**
 * The service's own sentence in a refusal.
 *
 * assumption: two shapes exist and neither is shown (§7), so every usual place is read.
 *
 * @returns undefined when the body holds no sentence
 */
export function serviceSentence(body: unknown): string | undefined {
	return findSentences(body)[0]?.slice(0, LONGEST_SENTENCE);
}

/** What a person reads about an outcome that is not what was asked for, by a node with this operation. */
export function explain(outcome: Outcome, baseUrl: string, operation?: unknown): Words {
	switch (outcome.kind) {
		case 'unsent':
			return {
				message: `The service cannot be reached at ${baseUrl}`,
				description: `No connection could be made (${outcome.code}). Check Base URL in ${CREDENTIAL_NAME}, and that the service is running.`,
			};
		case 'unanswered':
			return {
				message: 'The service gave no answer',
				description: `The connection ended before an answer came (${outcome.code}). Try again in a moment.`,
			};
		case 'answer':
			return explainAnswer(outcome, baseUrl, operation);
	}
}

function explainAnswer(answer: Answer, baseUrl: string, operation?: unknown): Words {
	const { status, body } = answer;
	const sentence = serviceSentence(body);
	const quoted = sentence ? ` The service says: “${sentence}”` : '';
	const kind = refusalKind(answer);
	if (kind && kind !== 'other') {
		const words = refusalWords(kind, operation);
		return { ...words, description: `${words.description}${quoted}` };
	}
	if (status >= 500) {
		return {
			message: `The service could not answer (status ${status})`,
			description: `The cause lies with the service. Try again in a moment.${quoted}`,
		};
	}
	if (status === 413) {
		return {
			message: 'What the node sent is too large for the service (status 413)',
			description: `The service, or a proxy in front of it, takes only smaller files and texts. Send a smaller file, or ask the operator which size is allowed.${quoted}`,
		};
	}
	if (status >= 400 && status !== 404 && sentence !== undefined)
		return refusedWords(status, sentence);
	const isEmpty = status < 300 && (body === undefined || body === '');
	const isRefusal = status >= 400 && Array.isArray(body);
	if ((!isFields(body) && !isEmpty && !isRefusal) || (status >= 300 && status < 400)) {
		return {
			message: 'What answers at Base URL is not the messaging service',
			description: `${baseUrl} answered with status ${status}, but not as the service does. Check Base URL in ${CREDENTIAL_NAME}.`,
		};
	}
	if (status === 404) {
		return {
			message: 'The service did not find what the node asked for',
			description: `Check the ID that the node asks for, and Base URL and Path Prefix in ${CREDENTIAL_NAME}.${quoted}`,
		};
	}
	if (status >= 400) return refusedWords(status);
	return {
		message: 'The answer of the service could not be understood',
		description: `The service answered with status ${status}, but without the fields that the answer should have. Check Base URL in ${CREDENTIAL_NAME}.`,
	};
}

function refusedWords(status: number, sentence?: string): Words {
	return {
		message: `The service refused the request (status ${status})`,
		description: sentence
			? `The service says: “${sentence}” Change the value it names and run again.`
			: 'It gave no reason. Check the values of this item.',
	};
}

/**
 * The error that a node throws for an outcome. It carries the item's number, and no secret, even where the service
 * repeats one.
 */
export function toNodeError(
	connection: Connection,
	outcome: Outcome,
	itemIndex?: number,
	given?: Words,
): NodeApiError {
	const node: INode = connection.caller.getNode();
	const words = given ?? explain(outcome, connection.settings.baseUrl, node.parameters?.operation);
	const { secrets } = connection.settings;
	const message = redact(words.message, secrets);
	const response: JsonObject = { message };
	return new NodeApiError(node, response, {
		message: itemIndex === undefined ? message : `${message} [item ${itemIndex}]`,
		description: redact(words.description, secrets),
		// With a code such as ECONNRESET here, n8n would replace our message by its own.
		httpCode: outcome.kind === 'answer' ? String(outcome.status) : undefined,
		itemIndex,
	});
}

/** Every sentence in a refusal's body, the most general first. */
function findSentences(body: unknown): string[] {
	// A short text without markup is a sentence of the service; anything else is a page, and not from the service.
	if (typeof body === 'string') return isPlainSentence(body) ? [body.trim()] : [];
	return [body]
		.flat()
		.flatMap((one) => (isFields(one) ? placesIn(one) : [one]))
		.flat()
		.flatMap((value) => (isFields(value) ? sentenceFields(value).flat() : [value]))
		.filter((value): value is string => typeof value === 'string' && value.trim() !== '');
}

/** Where the sentences of a refusal may be: its own, and those in its `data` and `errors`. */
function placesIn(refusal: Fields): unknown[] {
	const { data, errors } = refusal;
	const inData = isFields(data) ? sentenceFields(data) : [];
	const listed = isFields(errors) ? Object.values(errors).flat() : [errors].flat();
	return [...sentenceFields(refusal), ...inData, ...listed];
}

/** What stands where a record usually has its sentence, the most general first; an `error` may be a record itself. */
function sentenceFields(record: Fields): unknown[] {
	const {
		message,
		error_message: errorMessage,
		error,
		detail,
		title,
		reason,
		description,
	} = record;
	return [message, errorMessage, error, detail, title, reason, description, record.msg];
}

function isPlainSentence(text: string): boolean {
	return text.trim() !== '' && text.length <= LONGEST_SENTENCE && !/[<>{}]/.test(text);
}
