export type WebhookResponse = {
	status: number;
	headers: Record<string, string>;
	/** As the node gave it: a JSON body is not turned into text. */
	body: unknown;
};

/** The part of Express's response that a trigger uses; it keeps what was sent. */
export class RecordedResponse {
	headersSent = false;
	statusCode = 200;
	private readonly headers: Record<string, string> = {};
	private body: unknown;

	status(code: number) {
		this.statusCode = code;
		return this;
	}
	setHeader(name: string, value: number | string) {
		this.headers[name.toLowerCase()] = String(value);
		return this;
	}
	json(body: unknown) {
		this.setHeader('content-type', 'application/json; charset=utf-8');
		return this.end(body);
	}
	send(body?: unknown) {
		return typeof body === 'object' && body !== null ? this.json(body) : this.end(body);
	}
	end(body?: unknown) {
		if (this.headersSent) throw new Error('The response was sent already');
		this.headersSent = true;
		this.body = body;
		return this;
	}
	/** The response that was sent. It throws an error when there is none: the sender would wait until its timeout. */
	sent(): WebhookResponse {
		if (!this.headersSent) throw new Error('The request was left without an answer');
		return { status: this.statusCode, headers: this.headers, body: this.body };
	}
}
