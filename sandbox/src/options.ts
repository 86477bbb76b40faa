import { randomBytes, randomUUID } from 'node:crypto';
import { DELIVERY, REQUEST_LIMITS } from '../../nodes/TwoWayMessaging/contract';
import { Clock } from './clock';
import type { Post } from './webhooks/post';
import { postOverHttp } from './webhooks/post';

/** A credential (§5). Pairs with the same `admin` share the request limits (§5.5). */
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

/** Which of the two payload forms events take (§6.2, §6.3). */
export type EventForm = 'envelope' | 'flat';

/** What a sandbox runs with; see `SandboxOptions` for what each field means. */
export type Settings = {
	keyPairs: KeyPair[];
	lines: LineSeed[];
	clock: Clock;
	requestLimits: RequestLimits;
	windowMs: number;
	sentAfterMs: number;
	deliveredAfterMs: number;
	lookupAfterMs: number;
	eventForm: EventForm;
	pathPrefix: string;
	deliveryTimeoutMs: number;
	firstRetryAfterMs: number;
	deliveryLogSize: number;
	callLogSize: number;
	post: Post;
	uuid: () => string;
};

/** All optional: a sandbox needs no configuration. */
export type SandboxOptions = {
	/** Key pairs that are let in; default: one that is drawn at random. `admin` defaults to `admin`. */
	keyPairs?: Array<{ key?: string; secret?: string; admin?: string; isRevoked?: boolean }>;
	/** The organization's lines; default: two, the same at every start, so that saved workflows find them. */
	lines?: LineSeed[];
	/** Default: `Clock.running()`. */
	clock?: Clock;
	/** Requests per window and scope (§8.1); `NO_REQUEST_LIMITS` lifts them. */
	requestLimits?: Partial<RequestLimits>;
	/** Length of the request window in milliseconds; default 60,000 (§8.1). */
	windowMs?: number;
	/** Milliseconds from QUEUED to SENT; default 300. */
	sentAfterMs?: number;
	/** Milliseconds from SENT to DELIVERED; default 900. */
	deliveredAfterMs?: number;
	/** Milliseconds a live look-up takes (§4.6); default 1,500. */
	lookupAfterMs?: number;
	/** Default `envelope`, the form the document states to match the dispatch (§6.3). */
	eventForm?: EventForm;
	/** Put before /status, /lookup and /media (§4.9 does not show it); default none. */
	pathPrefix?: string;
	/** Milliseconds until a delivery is given up; default 5,000 (§6.4). */
	deliveryTimeoutMs?: number;
	/** Milliseconds before the second attempt; every further gap is ten times the last, 12 h at most. Default 10,000. */
	firstRetryAfterMs?: number;
	/** How many deliveries the log keeps; default 10,000. */
	deliveryLogSize?: number;
	/** How many calls the log of the service's users keeps; default 2,000. */
	callLogSize?: number;
	/** How an event is posted; default over HTTP. */
	post?: Post;
	/** Where identifiers come from; default random. */
	uuid?: () => string;
};

const UNLIMITED = 1_000_000_000;

/** Request limits nobody reaches. */
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

/** Fills what is not given with its default. */
export const settingsFrom = (options: SandboxOptions): Settings => ({
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
	eventForm: options.eventForm ?? 'envelope',
	pathPrefix: options.pathPrefix ?? '',
	deliveryTimeoutMs: options.deliveryTimeoutMs ?? DELIVERY.timeoutSeconds * 1000,
	firstRetryAfterMs: options.firstRetryAfterMs ?? 10_000,
	deliveryLogSize: options.deliveryLogSize ?? 10_000,
	callLogSize: options.callLogSize ?? 2_000,
	post: options.post ?? postOverHttp(),
	uuid: options.uuid ?? randomUUID,
});
