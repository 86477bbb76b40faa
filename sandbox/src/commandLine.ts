import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import type { CharacterName } from './characters/characters';
import { CHARACTER_NAMES } from './characters/characters';
import type { EventForm, RequestLimits } from './options';
import { NO_REQUEST_LIMITS } from './options';

/** An option: what its value looks like (null for a switch), and what it does, line by line. */
type Option = { value: string | null; says: string[]; isList?: boolean; short?: string };

const OPTIONS = {
	port: { value: '<number>', says: ['port to listen on (default 4010)'] },
	host: {
		value: '<address>',
		says: ['address to listen on (default 127.0.0.1: this machine only)'],
	},
	'allow-host': {
		value: '<name>',
		says: [
			'a name to answer to besides localhost and --host, for example',
			'that of the container; more than one: a,b',
		],
		isList: true,
	},
	key: { value: '<text>', says: ['API key to accept (default: a random one)'] },
	secret: { value: '<text>', says: ['API secret to accept (default: a random one)'] },
	seed: {
		value: '<file>',
		says: ['lines, contacts, conversations and key pairs to begin with, as YAML or JSON'],
	},
	flat: {
		value: null,
		says: ['events in the flat form of section 6.3 of the interface document'],
	},
	character: {
		value: '<name>',
		says: [
			'what the service does where the interface document is silent (default literal):',
			'literal   what the document shows and not a field more',
			'generous  more fields than the document shows, and a date with everything',
			'awkward   everything in another way than one would expect',
			'foreign   words of its own, as an operator may use who has never seen these nodes',
		],
	},
	limits: {
		value: '<list>',
		says: [
			'requests in a window: all=300,send=60,media=30,lookup=20 (section 8.1) or some',
			'of them; off for no limits',
		],
		isList: true,
	},
	window: {
		value: '<seconds>',
		says: ['length of the window of these limits (default 60)'],
	},
	'retry-delay': {
		value: '<seconds>',
		says: [
			'wait before the second attempt to deliver an event (default 10); each later',
			'one is ten times as long, 12 h at most',
		],
	},
	'path-prefix': {
		value: '<path>',
		says: ['what stands before /status, /lookup and /media (default nothing)'],
	},
	help: { value: null, says: ['this text'], short: 'h' },
} satisfies Record<string, Option>;

type OptionName = keyof typeof OPTIONS;

/** What a person asks for when they start the sandbox. */
export type CommandLine = {
	port: number;
	host: string;
	allowedHosts: string[];
	key: string | undefined;
	secret: string | undefined;
	/** The path of a seed file. */
	seed: string | undefined;
	eventForm: EventForm;
	character: CharacterName;
	requestLimits: Partial<RequestLimits>;
	windowMs: number | undefined;
	firstRetryAfterMs: number | undefined;
	pathPrefix: string;
	isHelp: boolean;
};

/**
 * Reads the command line, and the environment for what is not on it: `--allow-host` is `SANDBOX_ALLOW_HOST` there. It
 * throws an error with a sentence for people when it does not understand a value.
 */
export const readCommandLine = (
	args: string[],
	environment: Record<string, string | undefined>,
): CommandLine => {
	const given = findGiven(args, environment);
	return {
		port: read(given.port, '4010', portIn),
		host: read(given.host, '127.0.0.1', textIn),
		allowedHosts: read(given['allow-host'], '', namesIn),
		key: given.key && secretIn(given.key),
		secret: given.secret && secretIn(given.secret),
		seed: given.seed && textIn(given.seed),
		eventForm: read(given.flat, 'false', switchIn) ? 'flat' : 'envelope',
		character: read(given.character, CHARACTER_NAMES[0], characterIn),
		requestLimits: read(given.limits, '', limitsIn),
		windowMs: given.window && secondsIn(given.window, 0.001),
		firstRetryAfterMs: given['retry-delay'] && secondsIn(given['retry-delay'], 0),
		pathPrefix: read(given['path-prefix'], '', prefixIn),
		isHelp: read(given.help, 'false', switchIn),
	};
};

/** A text that a person gave for an option, and what they call the option there. */
type Given = { text: string; name: string };

const findGiven = (
	args: string[],
	environment: Record<string, string | undefined>,
): Partial<Record<OptionName, Given>> => {
	const names = Object.keys(OPTIONS) as OptionName[];
	const { values } = parseArgs({
		args,
		options: Object.fromEntries(
			names.map((name) => {
				const { value, short }: Option = OPTIONS[name];
				const type = value === null ? ('boolean' as const) : ('string' as const);
				return [name, { type, multiple: true, ...(short !== undefined && { short }) }];
			}),
		),
	});
	return Object.fromEntries(
		names.flatMap((name): Array<[OptionName, Given]> => {
			const texts = values[name]?.map(String);
			if (texts) {
				const { isList }: Option = OPTIONS[name];
				const text = isList ? texts.join(',') : texts.at(-1)!;
				return [[name, { text, name: `--${name}` }]];
			}
			const variable = variableOf(name);
			// Who passes a variable on that is not set passes an empty one.
			const text = environment[variable];
			return text ? [[name, { text, name: variable }]] : [];
		}),
	);
};

const variableOf = (name: OptionName): string =>
	`SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`;

const read = <Value>(
	given: Given | undefined,
	usual: string,
	valueIn: (given: Given) => Value,
): Value => valueIn(given ?? { text: usual, name: '' });

const textIn = ({ text, name }: Given): string => {
	if (text === '') throw new Error(`${name} must not be empty.`);
	return text;
};

/** A key or a secret. A header does not keep a space around it, so that no caller could send it. */
const secretIn = (given: Given): string => {
	const text = textIn(given);
	if (text !== text.trim()) throw new Error(`${given.name} must not begin or end with a space.`);
	return text;
};

const portIn = ({ text, name }: Given): number => {
	if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
		throw new Error(`${name} must be a number from 0 to 65535, not "${text}".`);
	}
	return Number(text);
};

/** Host names without a scheme or a port, because every port and scheme of a name is the same name. */
const namesIn = ({ text, name }: Given): string[] => {
	const names = text.split(',').map((one) => one.trim());
	const wrong = names.find(
		(one) => !/^[\w.-]+$/.test(one) && isIP(one.replace(/^\[(.*)\]$/, '$1')) === 0,
	);
	if (text === '' && name === '') return [];
	if (wrong === undefined) return names;
	throw new Error(`${name} must be a host name without a port, such as sandbox, not "${wrong}".`);
};

const switchIn = ({ text, name }: Given): boolean => {
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Error(`${name} must be true or false, not "${text}".`);
};

/** The names of the limits, as a person writes them. */
const LIMITS: Record<string, keyof RequestLimits> = {
	all: 'all',
	send: 'sendMessage',
	media: 'media',
	lookup: 'lookup',
};

const limitsIn = ({ text, name }: Given): Partial<RequestLimits> => {
	if (text === 'off') return NO_REQUEST_LIMITS;
	if (text === '' && name === '') return {};
	const limits = text.split(',').map((part): [keyof RequestLimits, number] => {
		const [, which = '', count = ''] = /^\s*([a-z]+)=(\d{1,9})\s*$/.exec(part) ?? [];
		const limit = LIMITS[which];
		if (limit) return [limit, Number(count)];
		const known = Object.keys(LIMITS).join(', ');
		throw new Error(
			`${name} must be off or a list such as send=60,lookup=20 of ${known}, not "${text}".`,
		);
	});
	return Object.fromEntries(limits);
};

/** Seconds as milliseconds. */
const secondsIn = ({ text, name }: Given, least: number): number => {
	const seconds = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
	if (seconds >= least) return seconds * 1_000;
	throw new Error(`${name} must be a number of seconds, such as 60 or 0.5, not "${text}".`);
};

const prefixIn = ({ text, name }: Given): string => {
	if (/^\/sandbox(?:\/|$)/.test(text)) {
		throw new Error(`${name} must not be /sandbox, where the control endpoints are.`);
	}
	if (text === '' || /^(?:\/[\w.~-]+)+$/.test(text)) return text;
	throw new Error(`${name} must be a path such as /v1, not "${text}".`);
};

const characterIn = ({ text, name }: Given): CharacterName => {
	const character = CHARACTER_NAMES.find((one) => one === text);
	if (character) return character;
	throw new Error(`${name} must be one of ${CHARACTER_NAMES.join(', ')}, not "${text}".`);
};

const optionWords = (name: string, { value, short }: Option): string =>
	`  --${name}${value === null ? '' : ` ${value}`}${short === undefined ? '' : `, -${short}`}`;

/** Where the explanations begin: two spaces behind the longest option. */
const COLUMN =
	2 +
	Math.max(...Object.entries<Option>(OPTIONS).map(([name, one]) => optionWords(name, one).length));

/** What `--help` prints. */
export const USAGE = `The two-way messaging service on this machine, with a phone in the browser.

${Object.entries<Option>(OPTIONS)
	.map(([name, option]) => {
		const words = optionWords(name, option).padEnd(COLUMN);
		return `${words}${option.says.join(`\n${' '.repeat(COLUMN)}`)}`;
	})
	.join('\n')}

Every option can be set in the environment, too: --port is SANDBOX_PORT, --allow-host is SANDBOX_ALLOW_HOST.
`;
