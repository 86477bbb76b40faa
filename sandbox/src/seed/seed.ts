import type { Service } from '../../../nodes/TwoWayMessaging/contract';
import type { MessageStatus } from '../serviceFacts';

/** Why a seed cannot be used, in a sentence that names the file, the line and the field as far as they are known. */
export class SeedRefusal extends Error {}

/** A key pair (§5). Pairs with the same `admin` share the request limits (§5.5). */
export type KeyPair = { key: string; secret: string; admin: string; isRevoked: boolean };

/** A line as the operator provisions it (§2.3). */
export type LineSeed = {
	handle: string;
	number: string;
	label: string;
	hourlyLimit: number;
	dailyLimit: number;
	/** Default true. */
	isActive?: boolean;
	/** Why the line is blocked from the beginning; default null, not blocked. */
	blockReason?: string | null;
};

/** Why a line is blocked that was blocked without a reason. */
export const USUAL_BLOCK_REASON = 'Blocked in the sandbox';

/** A contact's circumstances at the beginning. */
export type ContactSeed = {
	number: string;
	hasIMessage: boolean;
	/** The channel that the contact has used; null where nothing is known but what the history says. */
	service: Service | null;
	/** Null where the history alone says it. */
	isOptedOut: boolean | null;
};

/** When a message was written: so long before the beginning, or at a time; both in milliseconds. */
export type SeedTime = { agoMs: number } | { atMs: number };

/** A message of the history, as it has ended. */
export type MessageSeed = {
	lineNumber: string;
	contactNumber: string;
	isOutbound: boolean;
	content: string;
	mediaUrl: string | null;
	/** Null takes the channel that the contact uses. */
	service: Service | null;
	status: MessageStatus;
	errorMessage: string | null;
	time: SeedTime;
};

/** What a sandbox begins with, and where every reset leads back to. `readSeedFile` reads it from a file. */
export type Seed = {
	/** Accepted besides the pairs of the option `keyPairs`. */
	keyPairs: KeyPair[];
	/** Empty for the usual two lines. */
	lines: LineSeed[];
	contacts: ContactSeed[];
	messages: MessageSeed[];
};

/** The lines of a sandbox that is not told otherwise; the same at every start, so that saved workflows find them. */
export const USUAL_LINES: LineSeed[] = [
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
