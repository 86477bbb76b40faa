import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import type { Fields } from '../../nodes/TwoWayMessaging/message';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { startRun, type Run } from '../../nodes/TwoWayMessaging/service/request';
import { SkippingClock } from '../support/testClock';
import { connectionTo, response, type Response } from '../service/context';

export const NOW_MS = Date.UTC(2026, 0, 1);
export const REQUEST: SendRequest = { number: '+15551230001', content: 'hello' };

export const REFUSED = response(422, { message: 'Line is blocked' });

export const breakOff = (code = 'ECONNRESET', syscall = 'read'): never => {
	throw Object.assign(new Error('broken'), { code, syscall });
};

/** A service of which a test says what becomes of a request to send and what the history shows, and n8n's time. */
export class SendingService {
	readonly clock = new SkippingClock(NOW_MS);

	/** How far its clock is ahead of n8n's. */
	aheadMs = 0;

	/** The pages of its history, newest first. */
	pages: unknown[] = [[]];

	/** When each page was asked for, since the beginning, and its query. */
	readonly looks: Array<{ atMs: number; query: unknown }> = [];

	readonly sends: unknown[] = [];

	answer: () => Response | Promise<Response> = breakOff;

	onLook = () => {};

	readonly cancelling = new AbortController();

	readonly warnings: string[] = [];

	/** A date by the service's clock: so long after the beginning. */
	date(afterMs: number): string {
		return new Date(NOW_MS + this.aheadMs + afterMs).toISOString();
	}

	/** A row of the usual message, unless `more` says otherwise. */
	row(handle: string, more: Fields = {}): Fields {
		const { number: to, content } = REQUEST;
		const sent = { message_handle: handle, to, content, is_outbound: true };
		return { ...sent, date_sent: this.date(0), ...more };
	}

	/** An execution, in a process of its own unless a memory is given, with more of what n8n gives a node. */
	async startRun(
		memory = new ProcessMemory(this.clock),
		{ helpers, ...more }: Partial<IExecuteFunctions> = {},
	): Promise<Run> {
		const { connection } = await connectionTo(async ({ method, body, qs }) => {
			if (method === 'POST') {
				this.sends.push(body);
				return await this.answer();
			}
			const place = Number(qs?.before ?? 0);
			const date = new Date(this.clock.ms + this.aheadMs).toUTCString();
			this.looks.push({ atMs: this.clock.ms - NOW_MS, query: qs });
			this.onLook();
			const next = place + 1 < this.pages.length ? `${place + 1}` : null;
			return response(200, { messages: this.pages[place] ?? [], next }, { date });
		}, memory);
		const { context } = connection;
		context.logger.warn = (message) => void this.warnings.push(message);
		const execution = {
			...context,
			getExecutionCancelSignal: () => this.cancelling.signal,
			...more,
			helpers: { ...context.helpers, ...helpers },
		};
		return await startRun(execution as unknown as IExecuteFunctions, memory);
	}
}
