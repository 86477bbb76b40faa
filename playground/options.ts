import { parseArgs } from 'node:util';
import { CHARACTER_NAMES, type CharacterName } from '../sandbox/src';
import { Trouble } from './trouble';

/** The ports of the playground, how its service behaves, and whether it starts over. */
export type Options = {
	sandboxPort: number;
	n8nPort: number;
	/** What the sandbox does where the service's document is silent. */
	character: CharacterName;
	isFresh: boolean;
	/** The port for a debugger, where n8n is started for developers. */
	inspectPort?: number;
	isHelp: boolean;
};

/** What `npm start -- --help` and `npm run dev -- --help` print. */
export const HELP = `npm start [-- options]
npm run dev [-- options]    for developers: the same with --inspect

Starts the sandbox of the service and an n8n with the two nodes installed, the credential filled in
and the example workflows imported, one of them published. The first start installs n8n, which
takes about five minutes and 4 GB of free disk.

  --port <number>      port of the sandbox and its phone   (default 4010, or SANDBOX_PORT)
  --n8n-port <number>  port of n8n                         (default 5678, or N8N_PORT)
  --character <name>   what the service does where its document is silent: literal (the default: not a
                       field more than the document shows), generous or awkward
  --fresh              start over: removes the account, workflows and data, keeps the installed n8n
  --inspect            what npm run dev adds: a debugger can attach to n8n, and n8n takes over each
                       change in nodes/ and credentials/
  --inspect-port <number>  port for the debugger           (default 9229)
  --help               this text

An n8n that ends although nobody stopped it is started again, up to three times in ten minutes.
Ctrl-C stops everything. The folder .playground keeps n8n with its log-in, workflows and executions.
The phone begins with the conversations of a small shop, to look at. What is written on it is gone
after a stop: the sandbox has it in its memory only.
One playground at a time uses that folder; another start says which one runs, and touches nothing.`;

const portFrom = (text: string, name: string): number => {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
	if (!(port >= 1 && port <= 65_535)) {
		throw new Trouble(
			`"${text}" is not a valid port for ${name}.`,
			'Give a whole number from 1 to 65535, for example: npm start -- --port 4011 --n8n-port 5679',
		);
	}
	return port;
};

const characterFrom = (text: string): CharacterName => {
	const character = CHARACTER_NAMES.find((name) => name === text);
	if (character) return character;
	throw new Trouble(
		`"${text}" is not a character that the service can have.`,
		`Choose one of ${CHARACTER_NAMES.join(', ')}, for example: npm start -- --character awkward`,
	);
};

/**
 * Reads the options: from the command line, else from the environment, else the defaults.
 *
 * @throws Trouble for an unknown option, an invalid port or an unknown character
 */
export const readOptions = (
	args: string[],
	environment: Record<string, string | undefined>,
): Options => {
	const values = parse(args);
	const { port, 'n8n-port': n8nPort, 'inspect-port': inspectPort, character, fresh, help } = values;
	const options = {
		sandboxPort: portFrom(
			port ?? (environment.SANDBOX_PORT || '4010'),
			port === undefined ? 'SANDBOX_PORT' : '--port',
		),
		n8nPort: portFrom(
			n8nPort ?? (environment.N8N_PORT || '5678'),
			n8nPort === undefined ? 'N8N_PORT' : '--n8n-port',
		),
		character: characterFrom(character ?? CHARACTER_NAMES[0]),
		isFresh: fresh ?? false,
		...(values.inspect && { inspectPort: portFrom(inspectPort ?? '9229', '--inspect-port') }),
		isHelp: help ?? false,
	};
	if (options.sandboxPort === options.n8nPort) {
		throw new Trouble(
			`The sandbox and n8n cannot both listen on port ${options.n8nPort}.`,
			'Give one of them another: npm start -- --port 4011 --n8n-port 5679',
		);
	}
	return options;
};

const parse = (args: string[]) => {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string' },
				'n8n-port': { type: 'string' },
				character: { type: 'string' },
				fresh: { type: 'boolean' },
				inspect: { type: 'boolean' },
				'inspect-port': { type: 'string' },
				help: { type: 'boolean', short: 'h' },
			},
		}).values;
	} catch (error) {
		const [firstSentence] = (error as Error).message.split(/\. /);
		throw new Trouble(
			`The command line was not understood: ${firstSentence}.`,
			'See the options with: npm start -- --help',
		);
	}
};
