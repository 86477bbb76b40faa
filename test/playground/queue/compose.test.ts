import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import nodesManifest from '../../../package.json';
import playgroundManifest from '../../../playground/package.json';
import sandboxManifest from '../../../sandbox/package.json';
import { queueEnvironment } from '../../../playground/queue/environment';
import { temporaryFolder } from '../../support/temporaryFolder';

type Service = {
	command?: string | string[];
	entrypoint?: string | string[];
	healthcheck?: { test: string[] };
	image?: string;
	build?: { context: string; dockerfile_inline: string };
	environment?: Record<string, string>;
	depends_on?: string[] | Record<string, unknown>;
};

const root = join(__dirname, '..', '..', '..');
const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
	services: Record<string, Service>;
	configs: Record<string, { content: string }>;
};
const { services } = compose;

const environment = queueEnvironment({
	database: { host: 'postgres', port: 5432, name: 'postgres', user: 'n8n', password: '' },
	redis: { host: 'redis', port: 6379, password: '' },
	encryptionKey: '',
	publicUrl: 'http://balancer:5678',
});

const SECRETS = ['N8N_ENCRYPTION_KEY', 'DB_POSTGRESDB_PASSWORD', 'QUEUE_BULL_REDIS_PASSWORD'];

describe('compose.yaml', () => {
	test('has every process that start:queue starts', () => {
		const commands = Object.entries(services).map(([name, { command }]) => [name, command]);
		expect(Object.fromEntries(commands)).toMatchObject({
			main: 'start',
			'webhook-1': 'webhook',
			'webhook-2': 'webhook',
			'worker-1': 'worker --concurrency=10',
			'worker-2': 'worker --concurrency=10',
		});
		expect(Object.keys(services)).toEqual(
			expect.arrayContaining(['postgres', 'redis', 'balancer', 'sandbox']),
		);
	});

	test.each(['main', 'webhook-1', 'webhook-2', 'worker-1', 'worker-2'])(
		'gives %s the settings of start:queue, and takes secrets from its environment',
		(name) => {
			const set = services[name]?.environment ?? {};
			for (const [variable, value] of Object.entries(environment)) {
				if (SECRETS.includes(variable)) expect(set[variable]).toMatch(/^\$\{[A-Z0-9_]+:\?\}$/);
				// People open the editor from outside the containers.
				else if (variable === 'N8N_EDITOR_BASE_URL') expect(set[variable]).toMatch(/localhost/);
				else expect([variable, set[variable]]).toEqual([variable, value]);
			}
		},
	);

	test('has no secret in a command line, which everybody on the machine can read, and none in an image', () => {
		const readable = Object.values(services).map(({ command, entrypoint, healthcheck, build }) =>
			JSON.stringify([command, entrypoint, healthcheck, build]),
		);
		expect(readable.filter((text) => text.includes('$'))).toEqual([]);
		expect(services.sandbox?.environment).toMatchObject({ SANDBOX_SECRET: '${API_SECRET:?}' });
		expect(services.redis?.environment).toEqual({ REDISCLI_AUTH: '${REDIS_PASSWORD:?}' });
		expect(compose.configs.redis?.content).toContain('requirepass "${REDIS_PASSWORD:?}"');
	});

	test('lets nothing into an image but the packs of the nodes and of the sandbox', () => {
		const [first, ...others] = readFileSync(join(root, '.dockerignore'), 'utf8')
			.split('\n')
			.filter((line) => line !== '' && !line.startsWith('#'));
		expect(first).toBe('*');
		const copied = Object.values(services).flatMap(({ build }) => [
			...(build?.dockerfile_inline ?? '').matchAll(/^COPY (?:--\S+ )?(\S+) /gm),
		]);
		expect([...new Set(copied.map(([, source]) => `!${source}`))].sort()).toEqual(others.sort());
		// By any version, as npm names them.
		const packs = [nodesManifest, sandboxManifest].map(({ name }) => `!${name}-*.tgz`);
		expect(others).toEqual(packs);
	});

	test('says how to write each secret into .env, readable by its owner alone, and git ignores it', () => {
		const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
		const said = text.match(/^#.*$/gm)!.map((line) => line.replace(/^# {0,3}/, ''));
		const [first, second] = said.slice(said.findIndex((line) => line.startsWith('(umask')));
		const folder = temporaryFolder();
		const run = () => spawnSync('sh', ['-c', `${first}\n${second}`], { cwd: folder });
		run();
		const written = readFileSync(join(folder, '.env'), 'utf8');
		const needed = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name));
		expect(written.match(/^\w+(?==[0-9a-f]{48}$)/gm)?.sort()).toEqual([...needed].sort());
		expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
		expect(run().status).not.toBe(0);
		expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(written);
		expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('.env');
	});

	test('runs the n8n that the playground pins, and the sandbox answers to the name by which it calls', () => {
		const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
		expect(text).toContain(`n8nio/n8n:${playgroundManifest.dependencies.n8n}\n`);
		const { command, environment: set } = services.sandbox!;
		const [, named] = /--allow-host[ =](\S+)/.exec(String(command)) ?? [];
		expect((named ?? set?.['SANDBOX_ALLOW_HOST'] ?? '').split(',')).toContain('sandbox');
	});
});
