import { randomBytes, randomUUID } from 'node:crypto';
import { DELIVERY, REQUEST_LIMITS } from './serviceFacts';
import type { CharacterName } from './characters/characters';
import { CHARACTER_NAMES } from './characters/characters';
import { checkOptions } from './checkOptions';
import { Clock } from './clock';
import type { KeyPair, LineSeed, Seed } from './seed/seed';
import { USUAL_LINES } from './seed/seed';
import type { RegistrationKeeper } from './webhooks/endpoints';
import type { Post } from './webhooks/post';
import { postOverHttp } from './webhooks/post';

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
	seed: Seed | null;
	randomSeed: number;
	eventForm: EventForm;
	pathPrefix: string;
	deliveryTimeoutMs: number;
	firstRetryAfterMs: number;
	deliveryLogSize: number;
	callLogSize: number;
	registrations: RegistrationKeeper | null;
	post: Post;
	uuid: () => string;
	workflowsUrl: string | null;
};

/** The options of a sandbox. All of them are optional. */
export type SandboxOptions = {
	/**
	 * The key pairs that the sandbox accepts, besides those of the seed; default one random pair, or none where the seed
	 * has one that is not revoked. `admin` is `admin` by default.
	 */
	keyPairs?: Array<{ key?: string; secret?: string; admin?: string; isRevoked?: boolean }>;
	/** The organization's lines; default those of the seed, else two, which are the same at every start. */
	lines?: LineSeed[];
	/** What the sandbox begins with and a reset leads back to, from `readSeedFile`; default nothing but the lines. */
	seed?: Seed;
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
	/** What the service does where the document is silent, until a person changes it; default `literal`. */
	character?: CharacterName;
	/**
	 * Decides what is left to chance: which rows of the history an awkward service shows out of order, and which calls meet a
	 * fault with a probability; default 1.
	 */
	randomSeed?: number;
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
	/** Keeps the registered webhooks beyond the life of the sandbox; default nobody, so that a reset forgets them. */
	registrations?: RegistrationKeeper;
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

/**
 * Completes options with the defaults.
 *
 * @throws TypeError for options that cannot be used
 */
export const completeOptions = (options: SandboxOptions): Settings => {
	const settings = withDefaults(options);
	checkOptions(options, Object.keys(settings) as Array<keyof Settings>);
	return settings;
};

const withDefaults = (options: SandboxOptions): Settings => ({
	keyPairs: completeKeyPairs(options),
	lines: options.lines ?? (options.seed?.lines.length ? options.seed.lines : USUAL_LINES),
	clock: options.clock ?? Clock.running(),
	requestLimits: { ...REQUEST_LIMITS, ...options.requestLimits },
	windowMs: options.windowMs ?? 60_000,
	sentAfterMs: options.sentAfterMs ?? 300,
	deliveredAfterMs: options.deliveredAfterMs ?? 900,
	lookupAfterMs: options.lookupAfterMs ?? 1_500,
	character: options.character ?? CHARACTER_NAMES[0],
	seed: options.seed ?? null,
	randomSeed: options.randomSeed ?? 1,
	eventForm: options.eventForm ?? 'envelope',
	pathPrefix: options.pathPrefix ?? '',
	deliveryTimeoutMs: options.deliveryTimeoutMs ?? DELIVERY.timeoutSeconds * 1000,
	firstRetryAfterMs: options.firstRetryAfterMs ?? 10_000,
	deliveryLogSize: options.deliveryLogSize ?? 10_000,
	callLogSize: options.callLogSize ?? 2_000,
	registrations: options.registrations ?? null,
	post: options.post ?? postOverHttp(),
	uuid: options.uuid ?? randomUUID,
	workflowsUrl: options.workflowsUrl ?? null,
});

const completeKeyPairs = ({ keyPairs, seed }: SandboxOptions): KeyPair[] => {
	const seeded = seed?.keyPairs ?? [];
	const isUsable = seeded.some(({ isRevoked }) => !isRevoked);
	const own = (keyPairs ?? (isUsable ? [] : [{}])).map((pair) => ({
		key: pair.key ?? `key_${randomBytes(12).toString('hex')}`,
		secret: pair.secret ?? `secret_${randomBytes(24).toString('hex')}`,
		admin: pair.admin ?? 'admin',
		isRevoked: pair.isRevoked ?? false,
	}));
	return [...own, ...seeded];
};
