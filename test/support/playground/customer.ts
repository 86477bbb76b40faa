import axios, { type AxiosInstance } from 'axios';
import type { MessageRow } from '../../../sandbox/src';
import { waitUntil } from '../waitUntil';

export type Row = MessageRow;

/** The delivery of an event to n8n, with every attempt. */
export type Delivery = {
	state: string;
	url: string;
	body: string;
	attempts: Array<{ headers: Record<string, string>; status: number | null }>;
};

/** A customer with a phone, who texts the sandbox's organization. */
export class Customer {
	private readonly http: AxiosInstance;

	constructor(
		sandboxUrl: string,
		private readonly number: string,
	) {
		this.http = axios.create({ baseURL: `${sandboxUrl}/sandbox`, proxy: false, timeout: 10_000 });
	}

	async text(content: string): Promise<Row> {
		return (await this.http.post<Row>('/inbound', { from: this.number, content })).data;
	}

	async waitForAnswer(): Promise<Row> {
		return await waitUntil(`an answer to ${this.number}`, async () => {
			const last = await this.lastMessage();
			return last?.is_outbound === true && last.status === 'DELIVERED' ? last : undefined;
		});
	}

	async lastMessage(): Promise<Row | undefined> {
		const { data } = await this.http.get<{
			conversations: Array<{ contact: { number: string }; last_message: Row }>;
		}>('/state');
		const own = data.conversations.find(({ contact }) => contact.number === this.number);
		return own?.last_message;
	}

	async waitForDelivery(text: Row): Promise<Delivery> {
		return await waitUntil(`the delivery of ${text.message_handle}`, async () => {
			const { data } = await this.http.get<{ deliveries: Delivery[] }>('/deliveries');
			return data.deliveries.find(
				({ body, state }) =>
					body.includes(text.message_handle) && !['waiting', 'sending'].includes(state),
			);
		});
	}
}
