import { HELP, readOptions } from '../../playground/options';

describe('the options of npm start', () => {
	test('have the ports 4010 and 5678 as defaults', () => {
		expect(readOptions([], {})).toEqual({
			sandboxPort: 4010,
			n8nPort: 5678,
			character: 'literal',
			isFresh: false,
			isHelp: false,
		});
	});

	test('on the command line override those in the environment; a debugger has a port where one asks', () => {
		const environment = { SANDBOX_PORT: '5000', N8N_PORT: '5001' };
		expect(readOptions(['--port', '6000'], environment)).toMatchObject({
			sandboxPort: 6000,
			n8nPort: 5001,
		});
		expect(readOptions(['--n8n-port=6001', '--fresh'], environment)).toMatchObject({
			sandboxPort: 5000,
			n8nPort: 6001,
			isFresh: true,
		});
		expect(readOptions(['--inspect'], {}).inspectPort).toBe(9229);
		expect(readOptions(['--inspect', '--inspect-port', '9300'], {}).inspectPort).toBe(9300);
	});

	test.each([
		[['--port', 'abc'], {}, /"abc" is not a valid port for --port/],
		[['--n8n-port', '65536'], {}, /"65536" is not a valid port for --n8n-port/],
		[[], { SANDBOX_PORT: '0' }, /"0" is not a valid port for SANDBOX_PORT/],
		[['--port', '5678'], {}, /cannot both listen on port 5678/],
		[['--character', 'kind'], {}, /"kind" is not a character.*\n.*literal, generous, awkward/],
		[['--prot', '1'], {}, /not understood: Unknown option '--prot'\.\n.*--help/],
	])('%j with %j is refused, and the refusal says what to do', (args, environment, words) => {
		expect(() => readOptions(args, environment)).toThrow(words);
	});

	test('are all in the help text', () => {
		const named = ['--port', '--n8n-port', '--character', '--fresh', '--inspect', '--help'];
		for (const option of [...named, '--inspect-port', 'SANDBOX_PORT', 'N8N_PORT']) {
			expect(HELP).toContain(option);
		}
	});
});
