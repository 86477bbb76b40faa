#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { CHARACTER_NAMES } from './characters/characters';
import { createSandbox } from './sandbox';
import { serve } from './serve';

const USAGE = `The two-way messaging service on this machine, with a phone in the browser.

  --port <number>   port to listen on (default 4010)
  --host <address>  address to listen on (default 127.0.0.1: this machine only)
  --key <text>      API key to accept (default: a random one)
  --secret <text>   API secret to accept (default: a random one)
  --flat            events in the flat form of section 6.3 of the interface document
  --character <name>
                    what the service does where the interface document is silent (default literal):
                    literal   what the document shows and not a field more
                    generous  more fields than the document shows, and a date with everything
                    awkward   everything in another way than one would expect
  --help            this text
`;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Reads the command line. It throws an error with a sentence for people when it cannot understand it. */
const readOptions = (args: string[]) => {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: '127.0.0.1' },
			key: { type: 'string' },
			secret: { type: 'string' },
			flat: { type: 'boolean', default: false },
			character: { type: 'string', default: CHARACTER_NAMES[0] },
			help: { type: 'boolean', default: false },
		},
	});
	if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
		throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`);
	}
	for (const name of ['key', 'secret', 'host'] as const) {
		if (values[name] === '') throw new Error(`--${name} must not be empty.`);
	}
	const character = CHARACTER_NAMES.find((name) => name === values.character);
	if (!character) {
		throw new Error(
			`--character must be one of ${CHARACTER_NAMES.join(', ')}, not "${values.character}".`,
		);
	}
	return { ...values, character, port: Number(values.port) };
};

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
	return cause instanceof Error ? cause.message : String(cause);
};

const main = async (): Promise<void> => {
	let options: ReturnType<typeof readOptions>;
	try {
		options = readOptions(process.argv.slice(2));
	} catch (cause) {
		console.error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${USAGE}`);
		process.exitCode = 2;
		return;
	}
	if (options.help) {
		console.log(USAGE);
		return;
	}

	const sandbox = createSandbox({
		keyPairs: [{ key: options.key, secret: options.secret }],
		eventForm: options.flat ? 'flat' : 'envelope',
		character: options.character,
	});
	const served = await serve(sandbox, options).catch((cause: unknown) => {
		console.error(explainListenError(cause, options.host, options.port));
		process.exitCode = 1;
		return null;
	});
	if (!served) return;

	const end = () => void served.close();
	process.once('SIGINT', end);
	process.once('SIGTERM', end);

	const [pair] = sandbox.keyPairs;
	console.log(`Sandbox    ${served.url}`);
	console.log(`Phone      ${served.url}/`);
	console.log(`API key    ${pair?.key}`);
	console.log(`API secret ${pair?.secret}`);
	if (!LOOPBACK.test(options.host)) {
		console.warn(
			'Anyone who can reach this address can use the control endpoints and read everything.',
		);
	}
	console.log('Ctrl-C stops it.');
};

void main();
