import { NodeApiError } from 'n8n-workflow';
import { REFUSALS } from '../contract';
import { isFields } from '../message';
import { ASK_AND_WAIT } from '../n8n/agentTools';
import type { Answer, Outcome } from './outcome';
import type { Explanation } from './credential';
import { redact } from './redact';
import type { Connection } from './request';

/** The refusals that the document names (§7). None is a 429, as each request is made again after one. */
type NamedRefusal = Exclude<keyof typeof REFUSALS, 'tooManyAttempts'>;

type RefusalWords = Explanation & {
	/** What to do in an operation that lacks a field or an option of Send, or goes on elsewhere. */
	adviceOf?: Record<string, string>;
	/** Where any line might have sent, as none was chosen or the chosen one was blocked before. */
	ofAnyLine?: Explanation;
};

/** Characters of a refusal that is a plain text; a longer text is a page. */
const LONGEST_SENTENCE = 500;

/** What fields are called that have a sentence, the most telling first. */
const SENTENCE_FIELDS = [
	/message$|^msg$/i,
	/^(error|details?|title|reason|(error_?)?description)$/i,
];

/** How deep a sentence may stand in a body. */
const MOST_NESTED = 5;

const CREDENTIAL_NAME = 'the Two-Way Messaging API credential';

/** The words for each refusal the document names (§7). */
const REFUSAL_WORDS: Record<NamedRefusal, RefusalWords> = {
	unauthenticated: {
		message: 'The service did not accept the key pair',
		description: `Check API Key and API Secret in ${CREDENTIAL_NAME}. The secret was shown only once; if it is lost or revoked, ask the operator for a new pair.`,
	},
	nothingToSend: {
		message: 'There is nothing to send',
		description: 'Fill in Text, or choose a file under Media, or both.',
	},
	unknownLine: {
		message: 'The line is switched off',
		description: 'Choose another one under Line, or ask the operator about it.',
		adviceOf: {
			reply:
				'A reply leaves from the line of the message that it answers. To text the customer from another line, use the operation Send, or ask the operator about this line.',
		},
		ofAnyLine: {
			message: 'None of your lines is active',
			description: 'Ask the operator to switch one on.',
		},
	},
	optedOut: {
		message: 'The customer has opted out of messages',
		description:
			"The customer replied STOP or a similar word, and gets messages again only after replying START. To go on without this message, choose 'Skip' in the option 'If Opted Out'.",
		adviceOf: {
			[ASK_AND_WAIT]:
				"The customer replied STOP or a similar word, and gets messages again only after replying START. To go on at the output No Answer, choose 'Skip' in the option 'If Opted Out'.",
		},
	},
	lineBlocked: {
		message: 'The line is blocked',
		description:
			"Choose another one under Line, or 'Use Another Line' in the option 'If Line Blocked'.",
		adviceOf: {
			[ASK_AND_WAIT]:
				"Choose another one under Line, or wait until this line is unblocked. The event 'Line Unblocked' of the Two-Way Messaging Trigger tells you when.",
			reply:
				"To answer from another line, choose 'Use Another Line' in the option 'If Line Blocked'.",
		},
		ofAnyLine: {
			message: 'No line can send now',
			description:
				"Each of your lines is blocked or not active. Wait until one is unblocked: the event 'Line Unblocked' of the Two-Way Messaging Trigger tells you when.",
		},
	},
};

/**
 * A message that was refused: the operation that sends it, the name of its line, if it has one, whether no line is called so,
 * and why it is blocked, as far as the service says it (§2.3).
 */
type RefusedSend = {
	operation?: unknown;
	line?: string;
	isUnlisted?: boolean;
	blockReason?: string;
};

/** What a person reads about a refusal that the document names (§7). */
export function refusalWords(
	kind: NamedRefusal,
	{ operation, line, isUnlisted, blockReason }: RefusedSend = {},
): Explanation {
	const { message, description, adviceOf, ofAnyLine } = REFUSAL_WORDS[kind];
	if (line === undefined && ofAnyLine) return ofAnyLine;
	const advice = adviceOf?.[String(operation)] ?? description;
	const why = kind === 'lineBlocked' && blockReason ? ` The reason given: “${blockReason}”` : '';
	return {
		message: message
			.replace('The line', () => `The line ${line}`)
			.replace('is switched off', isUnlisted ? 'is not one of yours' : '$&'),
		description: `${advice}${why}`,
	};
}

/** Which of the document's refusals an answer is (§7); undefined when it is none of them. */
export function refusalKind(answer: Answer): NamedRefusal | undefined {
	if (answer.status === 401) return 'unauthenticated';
	if (answer.status < 400 || answer.status >= 500) return undefined;
	const said = JSON.stringify(answer.body ?? '').toLowerCase();
	const kinds = Object.keys(REFUSAL_WORDS) as NamedRefusal[];
	return kinds.find((kind) => said.includes(REFUSALS[kind].toLowerCase()));
}

/**
 * The service's own sentence in a refusal; where it lists what it refuses in `errors`, that list.
 *
 * assumption: two shapes exist and neither is shown (§7), so every usual place is read.
 *
 * @returns undefined when the body holds no sentence
 */
export function serviceSentence(body: unknown): string | undefined {
	const texts = isPage(body) ? [] : textsIn(body);
	// A code says less than the sentence beside it.
	const listed = texts.filter(({ path, text }) => path.includes('errors') && /\s/.test(text));
	const usual = SENTENCE_FIELDS.flatMap((name) =>
		texts.filter(({ path }) => name.test(path.at(-1) ?? 'message')),
	);
	const said = [...new Set(listed.map(({ text }) => text))].join(' ') || usual[0]?.text;
	return said?.slice(0, LONGEST_SENTENCE);
}

/** A short text without markup is a sentence of the service; anything else is a page, and not from the service. */
const isPage = (body: unknown): boolean =>
	typeof body === 'string' && (body.length > LONGEST_SENTENCE || /[<>{}]/.test(body));

/** The texts in a body, and the fields that lead to each. */
function textsIn(said: unknown, path: string[] = []): Array<{ path: string[]; text: string }> {
	if (typeof said === 'string') return said.trim() === '' ? [] : [{ path, text: said.trim() }];
	if (Array.isArray(said)) return said.flatMap((one) => textsIn(one, path));
	if (!isFields(said) || path.length > MOST_NESTED) return [];
	return Object.entries(said).flatMap(([name, value]) => textsIn(value, [...path, name]));
}

/** What a person reads about an outcome that is not what was asked for. */
export function explain(outcome: Outcome, baseUrl: string, send?: RefusedSend): Explanation {
	if (outcome.kind === 'unsent') {
		return {
			message: `The service cannot be reached at ${baseUrl}`,
			description: `No connection could be made (${outcome.code}). Check Base URL in ${CREDENTIAL_NAME}, and that the service is running.`,
		};
	}
	if (outcome.kind === 'unanswered') {
		return {
			message: 'The service gave no answer',
			description: `The connection ended before an answer came (${outcome.code}). Try again in a moment.`,
		};
	}
	const { status, body } = outcome;
	const sentence = serviceSentence(body);
	const kind = refusalKind(outcome);
	const isKnown = kind !== undefined && sentence === REFUSALS[kind];
	const said = `The service says: “${sentence}”${/[.!?]$/.test(sentence ?? '') ? '' : '.'}`;
	const quoted = sentence && !isKnown ? ` ${said}` : '';
	if (kind) {
		const words = refusalWords(kind, send);
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
			description: `Send a smaller file, or ask the operator which size is allowed.${quoted}`,
		};
	}
	if (isPage(body) || (status >= 300 && status < 400)) {
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
	if (status >= 400) {
		return {
			message: `The service refused the request (status ${status})`,
			description: sentence
				? `${said} If that does not tell what to change, ask the operator.`
				: 'It gave no reason. Check the values of this item.',
		};
	}
	return {
		message: 'The answer of the service could not be understood',
		description: `The service answered with status ${status}, but without the fields that the answer should have. Check Base URL in ${CREDENTIAL_NAME}.`,
	};
}

/**
 * The error that a node throws for an outcome. It carries the item's number, unless every item would meet the same, and no
 * secret, even where the service repeats one.
 */
export function toNodeError(
	connection: Connection,
	outcome: Outcome,
	words = explain(outcome, connection.settings.baseUrl),
): NodeApiError {
	const { secrets } = connection.settings;
	const said = { message: redact(words.message, secrets) };
	const isAnswer = outcome.kind === 'answer';
	const isOfAll = isAnswer ? outcome.status === 401 : outcome.kind === 'unsent';
	return new NodeApiError(connection.context.getNode(), said, {
		...said,
		description: redact(words.description, secrets),
		// With a code such as ECONNRESET here, n8n would replace our message by its own.
		httpCode: isAnswer ? String(outcome.status) : undefined,
		itemIndex: isOfAll ? undefined : connection.itemIndex,
	});
}
