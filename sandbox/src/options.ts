import { randomBytes, randomUUID } from 'node:crypto';
import { DELIVERY, REQUEST_LIMITS } from '../../nodes/TwoWayMessaging/contract';
import type { CharacterName } from './characters/characters';
import { CHARACTER_NAMES } from './characters/characters';
import { Clock } from './clock';
import type { Post } from './webhooks/post';
import { postOverHttp } from './webhooks/post';

/** A key pair (§5). Pairs with the same `admin` share the request limits (§5.5). */
export type KeyPair = { key: string; secret: string; admin: string; isRevoked: boolean };

/** A line as the operator provisions it (§2.3). */
export type LineSeed = {
	handle: string;
	number: string;
	label: string;
	hourlyLimit: number;
	dailyLimit: number;
};

/** The request limits of one account admin (§8.1). */
export type RequestLimits = Record<keyof typeof REQUEST_LIMITS, number>;

/** The two forms of an event's body (§6.2, §6.3). */
export type EventForm = 'envelope' | 'flat';

/** The settings of a sandbox; `SandboxOptions` explains each field. */
export type Settings = {
	keyPairs: KeyPair[];
	lines: LineSeed[];
	clock: Clock;
	requestLimits: RequestLimits;
	windowMs: number;
	sentAfterMs: number;
	deliveredAfterMs: number;
	lookupAfterMs: number;
	character: CharacterName;
	seed: number;
	eventForm: EventForm;
	pathPrefix: string;
	deliveryTimeoutMs: number;
	firstRetryAfterMs: number;
	deliveryLogSize: number;
	callLogSize: number;
	post: Post;
	uuid: () => string;
	workflowsUrl: string | null;
};

/** The options of a sandbox. All of them are optional. */
export type SandboxOptions = {
	/** The key pairs that the sandbox accepts; default one random pair. `admin` is `admin` by default. */
	keyPairs?: Array<{ key?: string; secret?: string; admin?: string; isRevoked?: boolean }>;
	/** The organization's lines; default two, which are the same at every start, so that saved workflows find them. */
	lines?: LineSeed[];
	/** Default: `Clock.running()`. */
	clock?: Clock;
	/** Requests per window and scope (§8.1); `NO_REQUEST_LIMITS` allows any number. */
	requestLimits?: Partial<RequestLimits>;
	/** The length of the window of the request limits in milliseconds; default 60,000 (§8.1). */
	windowMs?: number;
	/** Milliseconds from QUEUED to SENT; default 300. */
	sentAfterMs?: number;
	/** Milliseconds from SENT to DELIVERED; default 900. */
	deliveredAfterMs?: number;
	/** Milliseconds that a live look-up takes (§4.6); default 1,500. */
	lookupAfterMs?: number;
	/** What the service does where the document is silent, until a person changes it; default `literal` (DESIGN.md §9). */
	character?: CharacterName;
	/** Decides which rows of the history an awkward service shows out of order; default 1. */
	seed?: number;
	/** Default `envelope`, the form that the service sends according to the document (§6.3). */
	eventForm?: EventForm;
	/** The prefix of /status, /lookup and /media (§4.9 does not show it); default none. */
	pathPrefix?: string;
	/** Milliseconds after which an attempt to deliver an event times out; default 5,000 (§6.4). */
	deliveryTimeoutMs?: number;
	/** Milliseconds before the second attempt; default 10,000. Each later gap is ten times the previous one, at most 12 h. */
	firstRetryAfterMs?: number;
	/** How many deliveries the log keeps; default 10,000. */
	deliveryLogSize?: number;
	/** How many calls to the service the log keeps; default 2,000. */
	callLogSize?: number;
	/** Posts an event; default over HTTP. */
	post?: Post;
	/** Makes an identifier; default a random one. */
	uuid?: () => string;
	/** Where the workflows are that text and answer; the phone links to it. Default none. */
	workflowsUrl?: string;
};

const UNLIMITED = 1_000_000_000;

/** Request limits that nobody reaches. */
export const NO_REQUEST_LIMITS: RequestLimits = {
	all: UNLIMITED,
	sendMessage: UNLIMITED,
	media: UNLIMITED,
	lookup: UNLIMITED,
};

const SEEDED_LINES: LineSeed[] = [
	{
		handle: '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01',
		number: '+15550100001',
		label: 'Front desk',
		hourlyLimit: 50,
		dailyLimit: 200,
	},
	{
		handle: '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a02',
		number: '+15550100002',
		label: 'Support',
		hourlyLimit: 50,
		dailyLimit: 200,
	},
];

/** Completes options with the defaults. */
export const completeOptions = (options: SandboxOptions): Settings => ({
	keyPairs: (options.keyPairs ?? [{}]).map((pair) => ({
		key: pair.key ?? `key_${randomBytes(12).toString('hex')}`,
		secret: pair.secret ?? `secret_${randomBytes(24).toString('hex')}`,
		admin: pair.admin ?? 'admin',
		isRevoked: pair.isRevoked ?? false,
	})),
	lines: options.lines ?? SEEDED_LINES,
	clock: options.clock ?? Clock.running(),
	requestLimits: { ...REQUEST_LIMITS, ...options.requestLimits },
	windowMs: options.windowMs ?? 60_000,
	sentAfterMs: options.sentAfterMs ?? 300,
	deliveredAfterMs: options.deliveredAfterMs ?? 900,
	lookupAfterMs: options.lookupAfterMs ?? 1_500,
	character: options.character ?? CHARACTER_NAMES[0],
	seed: options.seed ?? 1,
	eventForm: options.eventForm ?? 'envelope',
	pathPrefix: options.pathPrefix ?? '',
	deliveryTimeoutMs: options.deliveryTimeoutMs ?? DELIVERY.timeoutSeconds * 1000,
	firstRetryAfterMs: options.firstRetryAfterMs ?? 10_000,
	deliveryLogSize: options.deliveryLogSize ?? 10_000,
	callLogSize: options.callLogSize ?? 2_000,
	post: options.post ?? postOverHttp(),
	uuid: options.uuid ?? randomUUID,
	workflowsUrl: options.workflowsUrl ?? null,
});
