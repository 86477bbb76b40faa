import axios, { type AxiosInstance } from 'axios';
import { until } from './until';

/** A row of the history (§4.5); the fields that are used here. */
export type Row = {
	message_handle: string;
	from: string;
	to: string;
	content: string;
	status: string;
	is_outbound: boolean;
	conversation_handle: string;
	line_handle: string;
};

/** An event on its way to n8n, with every attempt made. */
export type Delivery = {
	state: string;
	url: string;
	body: string;
	attempts: Array<{ headers: Record<string, string>; status: number | null }>;
};

/** Someone with a phone, on the other side of the sandbox. */
export class Customer {
	private readonly http: AxiosInstance;

	constructor(
		sandboxUrl: string,
		private readonly number: string,
	) {
		this.http = axios.create({ baseURL: `${sandboxUrl}/sandbox`, proxy: false, timeout: 10_000 });
	}

	/** Sends a text to the organization and gives its row of the history. */
	async text(content: string): Promise<Row> {
		return (await this.http.post<Row>('/inbound', { from: this.number, content })).data;
	}

	/** The answer in this customer's thread, as soon as it is delivered. */
	async answer(): Promise<Row> {
		return await until(`an answer to ${this.number}`, async () => {
			const { data } = await this.http.get<{
				conversations: Array<{ contact: { number: string }; last_message: Row }>;
			}>('/state');
			const thread = data.conversations.find(({ contact }) => contact.number === this.number);
			const last = thread?.last_message;
			return last?.is_outbound === true && last.status === 'DELIVERED' ? last : undefined;
		});
	}

	/** The newest message in this customer's thread, whoever wrote it. */
	async last(): Promise<Row> {
		const { data } = await this.http.get<{
			conversations: Array<{ contact: { number: string }; last_message: Row }>;
		}>('/state');
		const thread = data.conversations.find(({ contact }) => contact.number === this.number);
		if (!thread) throw new Error(`There is no thread with ${this.number}`);
		return thread.last_message;
	}

	/** How the event of a text was delivered, once that has ended. */
	async deliveryOf(text: Row): Promise<Delivery> {
		return await until(`the delivery of ${text.message_handle}`, async () => {
			const { data } = await this.http.get<{ deliveries: Delivery[] }>('/deliveries');
			return data.deliveries.find(
				({ body, state }) =>
					body.includes(text.message_handle) && !['waiting', 'sending'].includes(state),
			);
		});
	}
}
