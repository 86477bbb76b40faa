import axios from 'axios';
import { createSandbox, serve } from '../sandbox/src';
import type { Account } from './account';
import { LOOPBACK } from './machine';

/** The running sandbox. */
export type RunningSandbox = {
	url: string;
	/** Whether an address that contains this text is registered for events. */
	isRegistered(part: string): Promise<boolean>;
	stop(): Promise<void>;
};

/** Starts the sandbox in this process, letting in the account's key pair. */
export const startSandbox = async (
	port: number,
	{ apiKey, apiSecret }: Account,
): Promise<RunningSandbox> => {
	const sandbox = createSandbox({ keyPairs: [{ key: apiKey, secret: apiSecret }] });
	const { url, close } = await serve(sandbox, { port, host: LOOPBACK });
	return {
		url,
		isRegistered: async (part) => {
			const { data } = await axios.get<{ webhooks: Array<{ url: string }> }>(
				`${url}/sandbox/state?limit=1`,
				{ proxy: false },
			);
			return data.webhooks.some((webhook) => webhook.url.includes(part));
		},
		stop: close,
	};
};
