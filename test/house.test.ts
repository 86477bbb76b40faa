import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { circles, emptyNames, moduleState, wrongImports, type Tree } from './support/house';

const ROOT = join(__dirname, '..');
const FOLDERS = ['nodes', 'credentials', 'sandbox', 'playground', 'test', 'bench', 'docs'];
const NOT_OURS = ['node_modules', 'dist', 'coverage'];

/** Every file of the project below a folder, without what is installed or built. */
function filesBelow(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = posix.join(folder, entry.name);
		if (entry.name.startsWith('.') || NOT_OURS.includes(entry.name)) return [];
		return entry.isDirectory() ? filesBelow(path) : [path];
	});
}

const present = readdirSync(ROOT);
const files = FOLDERS.filter((folder) => present.includes(folder)).flatMap(filesBelow);
const sources = files.filter((path) => /\.[cm]?[jt]s$/.test(path));
const project: Tree = Object.fromEntries(
	sources.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

const published: Tree = Object.fromEntries(
	Object.entries(project).filter(([path]) => /^(nodes|credentials)\//.test(path)),
);

describe('the project', () => {
	test('every import points the way of the plan (CONTRIBUTING.md)', () => {
		expect(wrongImports(project)).toEqual([]);
	});

	test('no files of the nodes import each other in a circle, types too', () => {
		expect(circles(published)).toEqual([]);
	});

	test('the nodes keep nothing between two calls but the memory of the process', () => {
		const state = Object.entries(published).flatMap(([path, source]) => moduleState(path, source));
		expect(state).toEqual(['nodes/TwoWayMessaging/processMemory.ts keeps processMemory']);
	});

	test('every file and folder has a name that says what is in it', () => {
		expect(emptyNames(files)).toEqual([]);
	});

	test('the check reads the nodes, the credential and the sandbox', () => {
		expect(sources).toEqual(
			expect.arrayContaining([
				'nodes/TwoWayMessaging/TwoWayMessaging.node.ts',
				'nodes/TwoWayMessaging/TwoWayMessagingTrigger.node.ts',
				'credentials/TwoWayMessagingApi.credentials.ts',
				'sandbox/src/app.ts',
			]),
		);
	});
});

describe('the check of imports', () => {
	const inNode = (path: string, source: string) =>
		wrongImports({ [`nodes/TwoWayMessaging/${path}`]: source });

	test('lets every layer import what is below it', () => {
		const below: Tree = {
			'nodes/TwoWayMessaging/TwoWayMessaging.node.ts': `
				import { properties } from './action';
				import { searchLines } from './fields/lineField';
				import { pause } from './service/pause';`,
			'nodes/TwoWayMessaging/action/message/send.ts': `
				import { createHash } from 'crypto';
				import { sleep } from 'n8n-workflow';
				import { sendRequest } from '../../service/request';
				import { toMessage } from '../../message';
				import type { Operation } from '../run';`,
			'nodes/TwoWayMessaging/message.ts': "import { PREFIXES } from './contract';",
			'sandbox/src/app.ts': `
				import { Hono } from 'hono';
				import { PATHS } from '../../nodes/TwoWayMessaging/contract';
				import { clock } from './clock';`,
			'playground/start.ts': "import { serve } from '../sandbox/src';",
			'test/integration/send.test.ts': `
				import { serve } from '../../sandbox/src';
				import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';`,
		};
		expect(wrongImports(below)).toEqual([]);
	});

	test.each([
		['service/request.ts', '../action', 'service is below action'],
		['service/request.ts', '../trigger/event', 'service is below trigger'],
		['n8n/runIndex.ts', '../service/pause', 'n8n is below service'],
		['trigger/check/listen.ts', '../webhook/receiveEvent', 'check is below webhook'],
		['trigger/webhook/receiveEvent.ts', '../begin/begin', 'webhook and begin stand beside'],
		['trigger/questions/offerAnswer.ts', '../begin/begin', 'questions is below begin'],
		['trigger/registration/register.ts', '../questions/offerAnswer', 'stand beside each other'],
		['trigger/inbox.ts', './check/checkMemory', 'inbox is below check'],
		['trigger/nodeMemory.ts', './savedState', 'nodeMemory is below savedState'],
		['trigger/begin/begin.ts', '../gathering', 'stands in no layer'],
		['message.ts', './service/request', 'message is below service'],
		['contract.ts', './message', 'contract is below message'],
		['fields/searchLines.ts', '../TwoWayMessaging.node', 'is below TwoWayMessaging.node'],
		['trigger/event.ts', '../action/lineChoice', 'trigger and action stand beside'],
		['action/run.ts', '../trigger/event', 'action and trigger stand beside'],
		['TwoWayMessaging.node.ts', './TwoWayMessagingTrigger.node', 'stand beside each other'],
		['action/run.ts', '../shared', 'stands in no layer'],
		['action/run.ts', 'lodash', 'n8n-workflow and crypto only'],
		['action/run.ts', 'node:fs', 'n8n-workflow and crypto only'],
		['action/run.ts', '../../../package.json', 'nothing outside themselves'],
		['action/run.ts', '../../../sandbox/src/clock', 'nothing outside themselves'],
		['action/run.ts', 'two-way-messaging-sandbox', 'nothing outside themselves'],
	])('refuses that %s imports %s', (path, specifier, why) => {
		expect(inNode(path, `import '${specifier}';`)).toEqual([expect.stringContaining(why)]);
	});

	test('refuses that a credential imports another package', () => {
		const tree = { 'credentials/TwoWayMessagingApi.credentials.ts': "import axios from 'axios';" };
		expect(wrongImports(tree)).toEqual([expect.stringContaining('n8n-workflow and crypto only')]);
	});

	test.each([
		'../../nodes/TwoWayMessaging/message',
		'../../nodes/TwoWayMessaging/trigger/signature',
		'../../test/support/engine',
		'../../playground/options',
	])('refuses that the sandbox imports %s', (specifier) => {
		expect(wrongImports({ 'sandbox/src/app.ts': `import '${specifier}';` })).toEqual([
			expect.stringContaining('shares contract.ts and nothing else'),
		]);
	});

	test.each([
		"export * from '../action';",
		"export { send } from '../action/message/send';",
		"import type { Operation } from '../action/run';",
		"import resources = require('../action');",
		"const resources = require('../action');",
		"const resources = await import('../action');",
		"type Operation = import('../action/run').Operation;",
	])('finds the import in %s', (source) => {
		expect(inNode('service/request.ts', source)).toEqual([
			expect.stringContaining('service is below action'),
		]);
	});

	test('ignores an import in a text or a comment', () => {
		const source = "// import '../action';\nexport const text = \"import '../resources'\";";
		expect(inNode('service/request.ts', source)).toEqual([]);
	});

	test('lets every room of the trigger import what is below it', () => {
		const source = `
			import { sendRequest } from '../../service/request';
			import { offerAnswer } from '../questions/offerAnswer';
			import { CheckMemory } from '../check/checkMemory';
			import { toItem } from '../arrival';`;
		expect(inNode('trigger/begin/begin.ts', source)).toEqual([]);
	});

	test('refuses an import whose target is computed', () => {
		expect(inNode('service/request.ts', 'void import(process.argv[2]);')).toEqual([
			expect.stringContaining('what it imports is computed'),
		]);
	});
});

describe('the check of circles', () => {
	test('finds files that import each other, also by types and over others', () => {
		const tree: Tree = {
			'nodes/a.ts': "import type { B } from './b';",
			'nodes/b.ts': "import { c } from './c';",
			'nodes/c/index.ts': "export { a } from '../a'; import '../d';",
			'nodes/d.ts': "import './e';",
			'nodes/e.ts': "import 'crypto';",
			'nodes/f.ts': "import './d'; import './e';",
		};
		expect(circles(tree)).toEqual(['nodes/a.ts, nodes/b.ts, nodes/c/index.ts']);
	});
});

describe('the check of the variables of a module', () => {
	test.each([
		'let count = 0;',
		'export const list = new Map();',
		'const list = new WaitingList();',
	])('finds %s', (source) => {
		expect(moduleState('a.ts', source)).toHaveLength(1);
	});

	test.each([
		'const LIMIT = 5;',
		"const NAMES = new Map([['a', 1]]);",
		'function count() { let n = 0; return n; }',
		'class Lane { private left = new Map(); }',
	])('accepts %s', (source) => {
		expect(moduleState('a.ts', source)).toEqual([]);
	});
});

describe('the check of names', () => {
	test.each([
		'nodes/TwoWayMessaging/utils/text.ts',
		'nodes/TwoWayMessaging/GenericFunctions.ts',
		'sandbox/src/helpers.ts',
		'test/support/common/index.ts',
		'playground/util.test.ts',
	])('refuses %s', (path) => {
		expect(emptyNames([path])).toEqual([path]);
	});

	test('accepts a name that contains such a word', () => {
		expect(emptyNames(['nodes/TwoWayMessaging/action/commonName.ts'])).toEqual([]);
	});
});
