import { MESSAGE_STATUSES, SERVICES } from '../../../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES } from '../../characters/characters';
import { FAULT_KINDS } from '../../faults';
import { LONGEST_WAIT_MS } from '../../longestWait';
import { REDELIVERIES } from '../../webhooks/attempt';
import { before, inPath, limit, operation, query, type Method, type Operation } from './operation';
import { heldLine } from './records';
import {
	bool,
	bytes,
	count,
	listOf,
	oneOf,
	orNull,
	record,
	ref,
	text,
	textOrNull,
	time,
} from './schema';

/** Every control call, by its path and method. The README's table is made from it (`controlTable.ts`). */
export const paths: Record<string, Partial<Record<Method, Operation>>> = {
	'/sandbox/inbound': {
		post: operation(
			'text',
			'A customer texts a line: the one of their last conversation unless `to` names one. 201 with the history row',
			ref('Message'),
			{
				status: 201,
				body: {
					needed: { from: text },
					optional: { to: text, content: text, media_url: text, service: oneOf(SERVICES) },
				},
			},
		),
	},
	'/sandbox/messages': {
		get: operation(
			'findMessages',
			'The messages as they are, whatever the character shows of them, newest first; `contains` is a part of the text. With `wait_ms` it answers as soon as there is one, or with none when the time is over',
			record({ messages: listOf(ref('Message')), before: textOrNull }),
			{
				parameters: [
					query('number', text, 'The customer’s or the line’s, whoever of them wrote'),
					query('from', text),
					query('to', text),
					query('contains', text, 'A part of the text, in upper or lower case'),
					query('status', oneOf(MESSAGE_STATUSES)),
					query('conversation_handle', text),
					query('after', text, 'A message_handle: only newer messages'),
					limit,
					before,
					query('wait_ms', { type: 'integer', minimum: 0, maximum: 600_000 }),
				],
			},
		),
	},
	'/sandbox/refusals': {
		get: operation(
			'refusedSends',
			'Messages that the service refused to send, newest first, each with its sentence; they are in no history. The last 1,000 are kept',
			record({ refusals: listOf(ref('RefusedSend')) }),
			{ parameters: [query('conversation_handle', text), limit] },
		),
	},
	'/sandbox/contacts/{number}': {
		patch: operation(
			'changeContact',
			'A customer’s circumstances; `fail_next` is a reason, `true` or `false`',
			ref('Contact'),
			{
				parameters: [inPath('number')],
				body: {
					optional: {
						imessage: bool,
						opted_out: bool,
						fail_next: { type: ['string', 'boolean', 'null'] },
					},
				},
			},
		),
	},
	'/sandbox/lines/{line_handle}': {
		patch: operation('changeLine', 'Changes how a line is provisioned', ref('Line'), {
			parameters: [inPath('line_handle')],
			body: {
				optional: {
					limits: { type: 'object', properties: { hourly: count, daily: count } },
					is_active: bool,
					label: text,
				},
			},
		}),
	},
	'/sandbox/lines/{line_handle}/block': {
		post: operation('blockLine', 'Blocks a line (§3.2); 409 if it already is', ref('Line'), {
			parameters: [inPath('line_handle')],
			body: { optional: { reason: text } },
		}),
	},
	'/sandbox/lines/{line_handle}/unblock': {
		post: operation('unblockLine', 'Unblocks a line; 409 if it is not blocked', ref('Line'), {
			parameters: [inPath('line_handle')],
		}),
	},
	'/sandbox/faults': {
		get: operation(
			'faults',
			'The pending faults, and the kinds and paths there are',
			record({
				faults: listOf(ref('Fault')),
				paths: listOf(text),
				kinds: listOf(oneOf(FAULT_KINDS)),
			}),
		),
		post: operation(
			'addFault',
			'The next calls to a path go wrong, or with `probability` their share of the calls',
			record({ faults: listOf(ref('Fault')) }),
			{
				status: 201,
				body: {
					needed: { path: text, kind: oneOf(FAULT_KINDS) },
					optional: {
						times: { type: 'integer', minimum: 1 },
						probability: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
						retry_after_seconds: count,
						delay_ms: { ...count, maximum: LONGEST_WAIT_MS },
					},
				},
			},
		),
		delete: operation(
			'clearFaults',
			'Removes the pending faults',
			record({ faults: listOf(ref('Fault')) }),
		),
	},
	'/sandbox/calls': {
		get: operation(
			'calls',
			'Calls to the service, newest first; the last 2,000 are kept, bodies up to 8,000 characters. Keys and secrets are hidden, however they are written',
			record({ calls: listOf(ref('Call')) }),
			{ parameters: [limit, before] },
		),
	},
	'/sandbox/deliveries': {
		get: operation(
			'deliveries',
			'Events and every attempt to deliver them, newest first',
			record({ deliveries: listOf(ref('Delivery')) }),
			{ parameters: [limit, before] },
		),
	},
	'/sandbox/deliveries/{id}/redeliver': {
		post: operation(
			'redeliver',
			'`same`, `old-timestamp` or `broken-signature`: the event keeps its id, outside the count of failures',
			ref('Delivery'),
			{
				status: 202,
				parameters: [inPath('id')],
				body: { optional: { as: oneOf(REDELIVERIES) } },
			},
		),
	},
	'/sandbox/webhooks': {
		get: operation(
			'webhooks',
			'The registered webhooks, without their secrets',
			record({ webhooks: listOf(ref('Webhook')) }),
		),
	},
	'/sandbox/webhooks/{id}': {
		delete: operation('removeWebhook', 'Removes one, and what waits for it', ref('Webhook'), {
			parameters: [inPath('id')],
		}),
	},
	'/sandbox/character': {
		post: operation(
			'changeCharacter',
			'Gives the service another character, until a reset',
			record({ character: oneOf(CHARACTER_NAMES) }),
			{ body: { needed: { character: oneOf(CHARACTER_NAMES) } } },
		),
	},
	'/sandbox/clock': {
		post: operation(
			'advanceClock',
			'Time passes at once; answers when what came due has been done. It ends with the year 9999; a reset on the way gives 409',
			record({ now: time }),
			{ body: { needed: { advance_seconds: count } } },
		),
	},
	'/sandbox/media': {
		post: operation(
			'uploadMedia',
			'Uploads the form field `file` as §4.8 does, without a credential',
			record({ media_url: text }),
			{ status: 201, body: { needed: { file: bytes }, isForm: true } },
		),
	},
	'/sandbox/media/{id}': {
		get: operation(
			'showMedia',
			'Serves an upload',
			{ content: { '*/*': { schema: {} } } },
			{ parameters: [inPath('id')] },
		),
	},
	'/sandbox/state': {
		get: operation(
			'state',
			'Lines, conversations, webhooks, faults, the character, the time; `find` are words in a number, a label or a text, and the conversation with the handle comes in any case',
			record({
				now: time,
				character: oneOf(CHARACTER_NAMES),
				workflows_url: textOrNull,
				lines: listOf(heldLine),
				conversations: listOf(
					record({
						conversation_handle: text,
						line_handle: text,
						contact: ref('Contact'),
						last_message: orNull(ref('Message')),
						last_refusal: orNull(ref('RefusedSend')),
						found_message: orNull(ref('Message')),
					}),
				),
				counts: record({ conversations: count, messages: count }),
				webhooks: listOf(ref('Webhook')),
				faults: listOf(ref('Fault')),
			}),
			{ parameters: [limit, query('find', text), query('conversation_handle', text)] },
		),
	},
	'/sandbox/events': {
		get: operation(
			'listen',
			'Server-sent events: which kinds of things changed, a few times a second',
			{ content: { 'text/event-stream': { schema: text } } },
		),
	},
	'/sandbox/reset': {
		post: operation(
			'reset',
			'Back to the beginning; without a body the registered webhooks go, too',
			record({ status: text }),
			{ body: { optional: { keep_webhooks: bool } } },
		),
	},
	'/sandbox/openapi.json': {
		get: operation('describe', 'This table as an OpenAPI 3.1 description', { type: 'object' }),
	},
};
