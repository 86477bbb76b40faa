import { NO_REQUEST_LIMITS, createSandbox, type SandboxOptions } from '../../sandbox/src';
import { readCommandLine, USAGE } from '../../sandbox/src/commandLine';

const LINE = {
	...{ handle: 'a-line', number: '+15550100009', label: 'Counter' },
	...{ hourlyLimit: 5, dailyLimit: 5 },
};

describe('createSandbox, which programs without types call as well,', () => {
	test.each<[object, string]>([
		[{ charakter: 'awkward' }, 'There is no option charakter. The options are keyPairs, lines,'],
		[{ character: 'nope' }, 'must be one of literal, generous, awkward, foreign, not "nope".'],
		[{ lines: [{ ...LINE, number: 'abc' }] }, 'must be like +15550100001, not "abc".'],
		[{ lines: [{ ...LINE, label: '' }] }, 'The line +15550100009 needs a label.'],
		[{ lines: [{ ...LINE, hourlyLimit: '5' }] }, 'needs an hourlyLimit, a whole number.'],
		[{ keyPairs: [{ secret: 's ' }] }, 'A secret must not be empty, nor begin or end with a'],
		[{ callLogSize: 0 }, 'The option callLogSize must be a whole number above 0, not 0.'],
		[{ lines: [LINE, { ...LINE, handle: 'b' }] }, 'There are two lines +15550100009.'],
	])('refuses %j in a sentence', (options, why) => {
		expect(() => createSandbox(options as SandboxOptions)).toThrow(why);
	});

	test('takes every option that is undefined as one that is not given', () => {
		const { keyPairs } = createSandbox({ character: undefined, lines: undefined, seed: undefined });
		expect(keyPairs).toHaveLength(1);
	});
});

describe('An option of the sandbox', () => {
	test('has a default', () => {
		expect(readCommandLine([], {})).toEqual({
			port: 4010,
			host: '127.0.0.1',
			allowedHosts: [],
			key: undefined,
			secret: undefined,
			seed: undefined,
			eventForm: 'envelope',
			character: 'literal',
			requestLimits: {},
			windowMs: undefined,
			firstRetryAfterMs: undefined,
			pathPrefix: '',
			isHelp: false,
		});
	});

	test('can be set in the environment, where an empty variable is none, and on the command line before it', () => {
		const environment = {
			...{ SANDBOX_PORT: '4011', SANDBOX_HOST: '0.0.0.0', SANDBOX_ALLOW_HOST: 'sandbox, box.lan' },
			...{ SANDBOX_KEY: 'the-key', SANDBOX_SECRET: 'the-secret', SANDBOX_FLAT: 'true' },
			SANDBOX_CHARACTER: '',
		};
		const set = {
			...{ port: 4011, host: '0.0.0.0', allowedHosts: ['sandbox', 'box.lan'] },
			...{ key: 'the-key', secret: 'the-secret', eventForm: 'flat', character: 'literal' },
		};
		expect(readCommandLine([], environment)).toMatchObject(set);
		const args = ['--port', '4012', '--allow-host', 'two', '--allow-host', 'three,four'];
		const hosts = { port: 4012, allowedHosts: ['two', 'three', 'four'] };
		expect(readCommandLine(args, environment)).toMatchObject({ ...set, ...hosts });
	});

	test.each([
		[{ SANDBOX_PORT: 'http' }, 'SANDBOX_PORT must be a number from 0 to 65535, not "http".'],
		[{ SANDBOX_FLAT: 'yes' }, 'SANDBOX_FLAT must be true or false, not "yes".'],
		[{ SANDBOX_ALLOW_HOST: 'http://a' }, 'SANDBOX_ALLOW_HOST must be a host name without a port'],
	])('that is not understood is refused under the name that the person gave it: %j', (set, why) => {
		expect(() => readCommandLine([], set)).toThrow(why);
	});

	test.each([
		[['--limits', 'send=5,lookup=0'], { requestLimits: { sendMessage: 5, lookup: 0 } }],
		[['--limits', 'all=10', '--limits', 'media=1'], { requestLimits: { all: 10, media: 1 } }],
		[['--limits', 'off'], { requestLimits: NO_REQUEST_LIMITS }],
		[['--window', '5'], { windowMs: 5_000 }],
		[['--retry-delay', '0.5'], { firstRetryAfterMs: 500 }],
		[['--path-prefix', '/v1'], { pathPrefix: '/v1' }],
		[['-h'], { isHelp: true }],
	])('%j is understood', (args, options) => {
		expect(readCommandLine(args, {})).toMatchObject(options);
	});

	test.each([
		[['--limits', 'sends=5'], '--limits must be off or a list such as send=60,lookup=20 of all,'],
		[['--limits', 'send=-1'], '--limits must be off or a list'],
		[['--port', '70000'], '--port must be a number'],
		[['4010'], 'Unexpected argument'],
		[['--allow-host', 'db:4010'], '--allow-host must be a host name without a port'],
		[['--window', '0'], '--window must be a number of seconds'],
		[['--retry-delay', 'soon'], '--retry-delay must be a number of seconds'],
		[['--path-prefix', '/v1/'], '--path-prefix must be a path such as /v1'],
		[['--path-prefix', '/:x'], '--path-prefix must be a path such as /v1'],
		[['--path-prefix', '/sandbox/v1'], '--path-prefix must not be /sandbox'],
		[['--key', ''], '--key must not be empty'],
		[['--secret', 's '], '--secret must not begin or end with a space.'],
	])('%j is refused', (args, why) => {
		expect(() => readCommandLine(args, {})).toThrow(why);
	});

	test('stands in the text of --help', () => {
		const named = [...USAGE.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name);
		expect(named).toContain('allow-host');
		expect(USAGE).toMatch(/--port <number> +port to listen on/);
		expect(USAGE).toMatch(/--retry-delay <seconds> +wait before the second attempt/);
	});
});
