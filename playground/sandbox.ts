import { createSandbox, serve, type SandboxOptions, type Served } from '../sandbox/src';
import type { Account } from './account';
import { LOOPBACK } from './machine';
import { keepRegistrations } from './registrations';
import { shopForFirstStart } from './shop';

/** How the playground's sandbox behaves. */
export type PlaygroundSandboxOptions = Omit<SandboxOptions, 'keyPairs' | 'seed'> & {
	/** Whether the phone has the conversations of a small shop at the first start; default false. */
	withShop?: boolean;
};

/**
 * Starts the sandbox in this process. It accepts the account's key pair.
 *
 * @throws Trouble when the file of registrations does not hold any
 */
export const startSandbox = async (
	port: number,
	{ apiKey, apiSecret }: Account,
	registrationsFile: string,
	{ withShop = false, ...options }: PlaygroundSandboxOptions = {},
): Promise<Served> => {
	const seed = withShop ? shopForFirstStart(registrationsFile) : undefined;
	const sandbox = createSandbox({
		...options,
		seed,
		keyPairs: [{ key: apiKey, secret: apiSecret }],
		registrations: keepRegistrations(registrationsFile),
	});
	return await serve(sandbox, { port, host: LOOPBACK });
};
