import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import manifest from '../package.json';
import sandboxManifest from '../sandbox/package.json';
import { temporaryFolder } from './support/temporaryFolder';

const FOLDER = join(__dirname, '../.github/workflows');

type Permissions = Record<string, string>;
type Step = {
	uses?: string;
	run?: string;
	with?: Record<string, string>;
	'working-directory'?: string;
};
type Job = {
	needs?: string;
	uses?: string;
	permissions?: Permissions;
	strategy?: { matrix: { node: string[] } };
	steps?: Step[];
};
type Workflow = {
	on: Record<string, { tags?: string[] } | null>;
	permissions: Permissions;
	jobs: Record<string, Job>;
};

const text = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const read = (file: string) => parse(text(file)) as Workflow;

const FILES = readdirSync(FOLDER);
const ci = read('ci.yml');
const publish = read('publish.yml');

const runsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []);

const publishing = Object.entries(publish.jobs).filter(([, job]) =>
	runsOf(job).some((run) => run.startsWith('npm publish')),
);

/** The names of the jobs that have to have passed before a job, the nearest first. */
function before({ needs }: Job): string[] {
	const names: string[] = [];
	for (let needed = needs; needed; needed = publish.jobs[needed]?.needs) names.push(needed);
	return names;
}

describe.each(FILES)('the GitHub action %s', (file) => {
	const { permissions, jobs } = read(file);

	test('takes every action of others at one commit, and says which version that is', () => {
		const uses = text(file)
			.split('\n')
			.filter((line) => /\buses: (?!\.\/)/.test(line));
		expect(uses).not.toEqual([]);
		expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
	});

	test('may read the repository and no more, but for the proof of origin of what is published', () => {
		expect(permissions).toEqual({ contents: 'read' });
		const wider = Object.entries(jobs).filter(([, job]) => job.permissions);
		const proof = { contents: 'read', 'id-token': 'write' };
		expect(wider.map(([, job]) => job.permissions)).toEqual(
			file === 'publish.yml' ? [proof, proof] : [],
		);
	});

	test('runs only scripts that package.json has', () => {
		const named = Object.values(jobs)
			.flatMap(runsOf)
			.flatMap((run) => /^npm (?:run )?(\S+)/.exec(run)?.[1] ?? []);
		const ofNpm = ['ci', 'publish'];
		expect(named).not.toEqual([]);
		expect(named.filter((name) => !ofNpm.includes(name) && !(name in manifest.scripts))).toEqual(
			[],
		);
	});
});

describe('testing', () => {
	const nodes = ci.jobs.test?.strategy?.matrix.node ?? [];

	test('begins with the oldest Node that package.json allows, and goes on with the later lines', () => {
		expect(manifest.engines.node).toBe(`>=${nodes[0]}`);
		expect(nodes.slice(1)).toEqual(['22', '24']);
	});

	test('runs every kind of test, on every push and pull request', () => {
		expect(runsOf(ci.jobs.test ?? {})).toEqual(['npm ci', 'npm test']);
		expect(runsOf(ci.jobs.e2e ?? {})).toEqual(['npm ci', 'npm run test:e2e']);
		expect(runsOf(ci.jobs.queue ?? {}).slice(-2)).toEqual(['npm ci', 'npm run test:scale']);
		expect(Object.keys(ci.on)).toEqual(expect.arrayContaining(['push', 'pull_request']));
	});
});

describe('publishing', () => {
	test('is begun by a tag of a version and by nothing else', () => {
		expect(publish.on).toEqual({ push: { tags: ['v*'] } });
	});

	test('comes after the check of the tag and after all tests', () => {
		expect(publishing.map(([, job]) => before(job))).toEqual([
			['ci', 'tag'],
			['ci', 'tag'],
		]);
		expect(publish.jobs.ci?.uses).toBe('./.github/workflows/ci.yml');
		expect(Object.keys(ci.on)).toContain('workflow_call');
	});

	test('is open to all and carries the proof of its origin, which n8n asks for', () => {
		const publishes = 'npm publish --provenance --access public';
		expect(publishing.map(([name, job]) => [name, ...runsOf(job)])).toEqual([
			['npm', 'npm ci', 'npm run build', publishes],
			['sandbox', 'npm ci', publishes],
		]);
	});

	test("runs in the sandbox's folder for the sandbox, whose own script builds it", () => {
		const step = publish.jobs.sandbox?.steps?.find(({ run }) => run?.startsWith('npm publish'));
		expect(step?.['working-directory']).toBe('sandbox');
		expect(sandboxManifest.scripts).toMatchObject({
			build: 'node build.mjs',
			prepack: 'npm run build',
		});
	});
});

describe('the package of the sandbox', () => {
	test('is no workspace: npm would keep its scripts from running, and pack nothing', () => {
		expect(manifest).not.toHaveProperty('workspaces');
		expect(existsSync(join(__dirname, '../sandbox/.npmrc'))).toBe(false);
	});

	test('finds its libraries installed for the whole repository, in its own versions', () => {
		const { dependencies, devDependencies } = sandboxManifest;
		expect(manifest.devDependencies).toMatchObject({ ...dependencies, ...devDependencies });
	});
});

describe('the check of the tag', () => {
	let folder: string;

	beforeAll(() => {
		folder = temporaryFolder();
		mkdirSync(join(folder, 'sandbox'));
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.3' }));
	});

	const DATED = '# Changelog\n\n## [1.2.3] - 2026-01-31\n';

	test.each([
		['v1.2.3', '1.2.3', DATED, ''],
		['1.2.3', '1.2.3', DATED, 'Push the tag v1.2.3 instead'],
		['v1.2.3-beta', '1.2.3', DATED, 'Push the tag v1.2.3 instead'],
		['v1.2.3', '1.2.2', DATED, 'Give both the same version'],
		['v1.2.3', '1.2.3', '## [1.2.3] - Unreleased\n', 'no dated section for 1.2.3'],
	])(
		'says of the tag %s with a sandbox %s and the changelog %j: %s',
		(tag, version, changelog, why) => {
			writeFileSync(join(folder, 'sandbox', 'package.json'), JSON.stringify({ version }));
			writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
			const [script = 'exit 9'] = runsOf(publish.jobs.tag ?? {});
			const env = { ...process.env, TAG: tag };
			// As GitHub runs it.
			const { status, stdout } = spawnSync('bash', ['-e', '-c', script], { cwd: folder, env });
			expect([status, String(stdout)]).toEqual([
				why === '' ? 0 : 1,
				why === '' ? '' : expect.stringContaining(why),
			]);
		},
	);
});
