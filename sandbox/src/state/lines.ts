import type { Line as LineBody } from '../../../nodes/TwoWayMessaging/contract';
import { CountingWindow } from '../countingWindow';
import { isoTime } from '../isoTime';
import type { LineSeed } from '../seed/seed';

const HOUR_MS = 3_600_000;

/** A managed line (§2.3) and its limits (§8.2). */
export type Line = {
	readonly handle: string;
	readonly number: string;
	label: string;
	isActive: boolean;
	blockedAtMs: number | null;
	blockReason: string | null;
	readonly hourly: CountingWindow;
	readonly daily: CountingWindow;
};

/** The organization's lines, by handle and by number. */
export class Lines {
	#byHandle = new Map<string, Line>();
	#byNumber = new Map<string, Line>();

	/** @param nowMs since when the lines are blocked that are blocked from the beginning */
	constructor(seeds: LineSeed[], nowMs: number) {
		for (const seed of seeds) {
			const line: Line = {
				handle: seed.handle,
				number: seed.number,
				label: seed.label,
				isActive: seed.isActive ?? true,
				blockedAtMs: seed.blockReason == null ? null : nowMs,
				blockReason: seed.blockReason ?? null,
				hourly: new CountingWindow(seed.hourlyLimit, HOUR_MS),
				daily: new CountingWindow(seed.dailyLimit, 24 * HOUR_MS),
			};
			this.#byHandle.set(line.handle, line);
			this.#byNumber.set(line.number, line);
		}
	}

	/** Every line, in the order they were provisioned. */
	all(): Line[] {
		return [...this.#byHandle.values()];
	}

	/** The line with this handle. */
	get(handle: string): Line | undefined {
		return this.#byHandle.get(handle);
	}

	/** The line with this number. */
	withNumber(number: string): Line | undefined {
		return this.#byNumber.get(number);
	}
}

/** A line as the wire shows it (§2.3), by a clock that may be behind the sandbox's. */
export const lineBody = (line: Line, nowMs: number, clockBehindMs = 0): LineBody => ({
	line_handle: line.handle,
	number: line.number,
	label: line.label,
	is_active: line.isActive,
	blocked_at: isoTime(line.blockedAtMs, clockBehindMs),
	block_reason: line.blockReason,
	limits: {
		hourly: { limit: line.hourly.limit, remaining: line.hourly.remaining(nowMs) },
		daily: { limit: line.daily.limit, remaining: line.daily.remaining(nowMs) },
	},
});
