import axios from 'axios';
import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import type { FaultKind, MessageRow } from '../../../sandbox/src';
import { waitUntil } from '../waitUntil';
import type { Effects } from './effects';

/** An n8n that runs, the service that it uses, and what its executions report. */
export class Site {
	/** @param ask makes a request to the service */
	constructor(
		readonly n8nUrl: string,
		readonly effects: Effects,
		private readonly ask: (path: string, init?: RequestInit) => Response | Promise<Response>,
	) {}

	/** Starts a workflow by a request to its webhook, once n8n has activated it. */
	async request(path: string, body: object): Promise<void> {
		const any = { proxy: false, validateStatus: () => true } as const;
		await waitUntil(`the webhook ${path}`, async () => {
			const { status } = await axios.post(`${this.n8nUrl}/webhook/${path}`, body, any);
			return status === 200 ? true : undefined;
		});
	}

	async get<Answer>(path: string): Promise<Answer> {
		return await this.call<Answer>(path);
	}

	async post<Answer>(path: string, body: object): Promise<Answer> {
		const headers = { 'content-type': 'application/json' };
		return await this.call<Answer>(path, { method: 'POST', headers, body: JSON.stringify(body) });
	}

	private async call<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
		const answer = await this.ask(path, init);
		if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
		return (await answer.json()) as Answer;
	}

	/** Lets a customer text; returns the event's name, `receive <handle>`. */
	async text(content: string, from = '+15551230001'): Promise<string> {
		const row = await this.post<{ message_handle: string }>('/sandbox/inbound', { from, content });
		return `receive ${row.message_handle}`;
	}

	/** The messages that the service has accepted, oldest first. */
	async accepted(): Promise<MessageRow[]> {
		const { messages } = await this.get<{ messages: MessageRow[] }>('/sandbox/messages?limit=500');
		return messages.filter(({ is_outbound: isOutbound }) => isOutbound).reverse();
	}

	async acceptedTimes(words: string): Promise<number> {
		return (await this.accepted()).filter(({ content }) => content === words).length;
	}

	async textsTo(number: string): Promise<string[]> {
		return (await this.accepted()).filter(({ to }) => to === number).map(({ content }) => content);
	}

	/** Lets the next requests go wrong, those that send a message unless there is a path. */
	async fault(kind: FaultKind, more: object = {}): Promise<void> {
		await this.post('/sandbox/faults', { path: PATHS.sendMessage, kind, ...more });
	}

	async faultsAreMet(): Promise<void> {
		await waitUntil('the faults', async () => {
			const { faults } = await this.get<{ faults: object[] }>('/sandbox/faults');
			return faults.length === 0 ? true : undefined;
		});
	}

	/** Waits until the executions have had so many effects; returns how many of each name. */
	async waitForEffects(count: number, withinMs?: number): Promise<Record<string, number>> {
		const look = async () => await Promise.resolve(this.effects.all.length >= count || undefined);
		await waitUntil(`${count} effects`, look, withinMs);
		return Object.fromEntries(this.effects.counts());
	}
}
