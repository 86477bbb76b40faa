import { createSandbox, serve, type SandboxOptions, type Served } from '../sandbox/src';
import type { Account } from './account';
import { LOOPBACK } from './machine';
import { keepRegistrations } from './registrations';

/**
 * Starts the sandbox in this process. It accepts the account's key pair.
 *
 * @throws Trouble when the file of registrations does not hold any
 */
export const startSandbox = async (
	port: number,
	{ apiKey, apiSecret }: Account,
	registrationsFile: string,
	options: Omit<SandboxOptions, 'keyPairs'> = {},
): Promise<Served> => {
	const sandbox = createSandbox({
		...options,
		keyPairs: [{ key: apiKey, secret: apiSecret }],
		registrations: keepRegistrations(registrationsFile),
	});
	return await serve(sandbox, { port, host: LOOPBACK });
};
