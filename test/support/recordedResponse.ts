export type WebhookResponse = {
	status: number;
	/** As the node gave it: a JSON body is not turned into text. */
	body: unknown;
};

/** The part of Express's response that a trigger uses; it keeps what was sent. */
export class RecordedResponse {
	headersSent = false;
	statusCode = 200;
	private body: unknown;

	status(code: number) {
		this.statusCode = code;
		return this;
	}
	setHeader() {
		return this;
	}
	json(body: unknown) {
		return this.send(body);
	}
	send(body?: unknown) {
		if (this.headersSent) throw new Error('The response was sent already');
		this.headersSent = true;
		this.body = body;
		return this;
	}
	/** The response that was sent. It throws an error when there is none: the sender would wait until its timeout. */
	sent(): WebhookResponse {
		if (!this.headersSent) throw new Error('The request was left without an answer');
		return { status: this.statusCode, body: this.body };
	}
}
