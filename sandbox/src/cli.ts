#!/usr/bin/env node
import type { CommandLine } from './commandLine';
import { readCommandLine, USAGE } from './commandLine';
import { isLoopback } from './hostNames';
import type { Sandbox } from './sandbox';
import { createSandbox } from './sandbox';
import { serve } from './serve';

/** Explains why the sandbox cannot listen, and what to do about it. */
const explainListenError = (cause: unknown, host: string, port: number): string => {
	const code = (cause as NodeJS.ErrnoException).code;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is already in use. End the program that uses it, or choose another port: --port ${port + 1}`;
	}
	if (code === 'EACCES')
		return `You are not allowed to use port ${port}. Choose one above 1023: --port 4010`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
		return `${host} is not an address of this machine. Without --host the sandbox listens on 127.0.0.1.`;
	}
	return reasonOf(cause);
};

const reasonOf = (cause: unknown): string =>
	cause instanceof Error ? cause.message : String(cause);

const main = async (): Promise<void> => {
	let options: CommandLine;
	try {
		options = readCommandLine(process.argv.slice(2), process.env);
	} catch (cause) {
		console.error(`${reasonOf(cause)}\n\n${USAGE}`);
		process.exitCode = 2;
		return;
	}
	if (options.isHelp) {
		console.log(USAGE);
		return;
	}

	let sandbox: Sandbox;
	try {
		// Only a seed file needs the parser, which would make every start slower.
		const seed =
			options.seed && (await import('./seed/readSeedFile.js')).readSeedFile(options.seed);
		const { key, secret } = options;
		sandbox = createSandbox({
			// A seed may have a pair of its own.
			keyPairs: key === undefined && secret === undefined ? undefined : [{ key, secret }],
			seed: seed || undefined,
			eventForm: options.eventForm,
			character: options.character,
			requestLimits: options.requestLimits,
			windowMs: options.windowMs,
			firstRetryAfterMs: options.firstRetryAfterMs,
			pathPrefix: options.pathPrefix,
		});
	} catch (cause) {
		console.error(reasonOf(cause));
		process.exitCode = 2;
		return;
	}
	const served = await serve(sandbox, options).catch((cause: unknown) => {
		console.error(explainListenError(cause, options.host, options.port));
		process.exitCode = 1;
		return null;
	});
	if (!served) return;

	const end = () => void served.close();
	process.once('SIGINT', end);
	process.once('SIGTERM', end);

	const pair = sandbox.keyPairs.find(({ isRevoked }) => !isRevoked);
	console.log(`Sandbox    ${served.url}`);
	console.log(`Phone      ${served.url}/`);
	console.log(`API key    ${pair?.key}`);
	console.log(`API secret ${pair?.secret}`);
	if (!isLoopback(options.host)) {
		console.warn(
			'Anyone who can reach this address can use the control endpoints and read everything.',
		);
	}
	console.log('Ctrl-C stops it.');
};

void main();
