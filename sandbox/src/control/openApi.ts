import { EVENT_KINDS, MESSAGE_STATUSES, SERVICES } from '../../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES } from '../characters/characters';
import { FAULT_KINDS } from '../faults';
import type { Call } from '../http';
import { REDELIVERIES } from '../webhooks/attempt';
import { DELIVERY_STATES } from '../webhooks/deliveries';

/** A JSON schema, as far as this description uses it. */
export type Schema = {
	type?: string | string[];
	description?: string;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	enum?: readonly unknown[];
	minimum?: number;
	maximum?: number;
	exclusiveMinimum?: number;
	$ref?: string;
	anyOf?: Schema[];
};

type Parameter = {
	name: string;
	in: 'path' | 'query';
	required: boolean;
	description?: string;
	schema: Schema;
};

type Content = Record<string, { schema: Schema }>;

/** A control call. */
export type Operation = {
	operationId: string;
	summary: string;
	parameters?: Parameter[];
	requestBody?: { required: boolean; content: Content };
	responses: Record<string, { description: string; content?: Content }>;
};

export type Method = 'get' | 'post' | 'patch' | 'delete';

const text: Schema = { type: 'string' };
const textOrNull: Schema = { type: ['string', 'null'] };
const bool: Schema = { type: 'boolean' };
const time: Schema = { type: 'string', description: 'ISO 8601' };
const timeOrNull: Schema = { type: ['string', 'null'], description: 'ISO 8601' };
const count: Schema = { type: 'integer', minimum: 0 };
const countOrNull: Schema = { type: ['integer', 'null'], minimum: 0 };
const oneOf = (values: readonly string[]): Schema => ({ type: 'string', enum: values });
const oneOfOrNull = (values: readonly string[]): Schema => ({
	type: ['string', 'null'],
	enum: [...values, null],
});
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** An object with all of these fields and no other. */
const record = (properties: Record<string, Schema>): Schema => ({
	type: 'object',
	properties,
	required: Object.keys(properties),
});

const json = (schema: Schema): Content => ({ 'application/json': { schema } });

const query = (name: string, schema: Schema, description?: string): Parameter => ({
	name,
	in: 'query',
	required: false,
	...(description !== undefined && { description }),
	schema,
});
const inPath = (name: string): Parameter => ({ name, in: 'path', required: true, schema: text });

const refusal = { description: 'A sentence that says why not', content: json(ref('Refusal')) };

/** The fields of a body: those that are needed, and those that are not. */
type Body = { needed?: Record<string, Schema>; optional?: Record<string, Schema> };

const bodyOf = ({ needed = {}, optional = {} }: Body) => ({
	required: Object.keys(needed).length > 0,
	content: json({
		type: 'object',
		properties: { ...needed, ...optional },
		required: Object.keys(needed),
	}),
});

const operation = (
	operationId: string,
	summary: string,
	answer: Schema | { content: Content },
	more: { parameters?: Parameter[]; body?: Body; status?: number } = {},
): Operation => ({
	operationId,
	summary,
	...(more.parameters && { parameters: more.parameters }),
	...(more.body && { requestBody: bodyOf(more.body) }),
	responses: {
		[String(more.status ?? 200)]: {
			description: 'Done',
			content: 'content' in answer ? answer.content : json(answer as Schema),
		},
		'4XX': refusal,
	},
});

const limit = query('limit', { type: 'integer', minimum: 1 });
const before = query('before', text, 'The cursor of the page before, or the id of its last entry');

const window = record({ limit: count, remaining: count });

const schemas: Record<string, Schema> = {
	Refusal: {
		type: 'object',
		properties: { message: text, errors: { type: 'object' } },
		required: ['message'],
	},
	Message: record({
		message_handle: text,
		conversation_handle: text,
		line_handle: text,
		from: text,
		to: text,
		content: text,
		media_url: textOrNull,
		service: oneOfOrNull(SERVICES),
		status: oneOf(MESSAGE_STATUSES),
		is_outbound: bool,
		error_message: textOrNull,
		date_sent: timeOrNull,
	}),
	Line: record({
		line_handle: text,
		number: text,
		label: text,
		is_active: bool,
		blocked_at: timeOrNull,
		block_reason: textOrNull,
		limits: record({ hourly: window, daily: window }),
	}),
	Contact: record({
		number: text,
		imessage: bool,
		service: oneOfOrNull(SERVICES),
		opted_out: bool,
		fail_next: textOrNull,
	}),
	Webhook: record({
		id: text,
		url: text,
		events: listOf(oneOf(EVENT_KINDS)),
		status: oneOf(['enabled', 'disabled']),
		created_at: time,
		failures: count,
	}),
	Fault: record({
		path: text,
		kind: oneOf(FAULT_KINDS),
		times: countOrNull,
		probability: { type: ['number', 'null'] },
	}),
	Attempt: record({
		at: time,
		by: oneOfOrNull(REDELIVERIES),
		headers: { type: 'object' },
		status: countOrNull,
		reason: textOrNull,
		answer: text,
		duration_ms: { type: 'number' },
	}),
	Delivery: record({
		id: text,
		event_id: text,
		event: oneOf(EVENT_KINDS),
		created_at: time,
		url: text,
		state: oneOf(DELIVERY_STATES),
		next_attempt_at: timeOrNull,
		body: { type: 'string', description: 'The exact text that is signed and sent' },
		attempts: listOf(ref('Attempt')),
	}),
	Call: record({
		id: text,
		at: time,
		method: text,
		path: text,
		request: record({ headers: { type: 'object' }, body: textOrNull, is_cut: bool }),
		fault: oneOfOrNull(FAULT_KINDS),
		answer: orNull(
			record({ status: count, headers: { type: 'object' }, body: textOrNull, is_cut: bool }),
		),
		duration_ms: { type: ['number', 'null'] },
	}),
};

const heldLine = record({ ...schemas['Line']!.properties, held_conversations: count });

const paths: Record<string, Partial<Record<Method, Operation>>> = {
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
						delay_ms: count,
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
			'Calls to the service, newest first; the last 2,000 are kept, bodies up to 8,000 characters',
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
			'Gives the service another [character](#characters), until a reset',
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
			{ status: 201 },
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
			'Lines, conversations, webhooks, faults, the character, the time',
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
					}),
				),
				counts: record({ conversations: count, messages: count }),
				webhooks: listOf(ref('Webhook')),
				faults: listOf(ref('Fault')),
			}),
			{ parameters: [limit] },
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
			'Back to the beginning; see [below](#resetting)',
			record({ status: text }),
			{ body: { optional: { keep_webhooks: bool } } },
		),
	},
	'/sandbox/openapi.json': {
		get: operation('describe', 'This table as an OpenAPI 3.1 description', { type: 'object' }),
	},
};

/** The control calls as an OpenAPI description, from which the README's table is made (`controlTable.ts`). */
export const openApi = {
	openapi: '3.1.0',
	info: {
		title: 'Two-way messaging sandbox: control calls',
		version: '0.1.0',
		description:
			'Without a credential and without limits. What is refused is refused in words, with 4xx.',
	},
	paths,
	components: { schemas },
};

/** GET /sandbox/openapi.json: this description. */
export const describe = (c: Call) => c.json(openApi);
