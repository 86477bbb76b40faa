import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { emptyNames, moduleState, wrongImports, type Tree } from './support/house';

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

describe('the project', () => {
	test('every import points the way of the plan (CONTRIBUTING.md)', () => {
		expect(wrongImports(project)).toEqual([]);
	});

	test('the nodes keep nothing between two calls but the memory of the process', () => {
		const published = Object.entries(project).filter(([path]) =>
			/^(nodes|credentials)\//.test(path),
		);
		expect(published.flatMap(([path, source]) => moduleState(path, source))).toEqual([
			'nodes/TwoWayMessaging/processMemory.ts keeps processMemory',
		]);
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
				import { properties } from './resources';
				import { searchLines } from './listSearch/searchLines';
				import { pause } from './transport/pause';`,
			'nodes/TwoWayMessaging/resources/message/send.ts': `
				import { createHash } from 'crypto';
				import { sleep } from 'n8n-workflow';
				import { ask } from '../../transport/request';
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
		['transport/request.ts', '../resources', 'transport is below resources'],
		['transport/request.ts', '../trigger/event', 'transport is below trigger'],
		['n8n/runIndex.ts', '../transport/pause', 'n8n is below transport'],
		['trigger/start/makeHandover.ts', '../webhook/receiveEvent', 'start is below webhook'],
		['trigger/start/startRuns.ts', '../missed/readOn', 'start is below missed'],
		['trigger/webhook/receiveEvent.ts', '../missed/readOn', 'webhook and missed stand beside'],
		['trigger/texts/bursts.ts', '../start/makeHandover', 'texts is below start'],
		['trigger/texts/bursts.ts', '../answers/listenForAnswers', 'texts and answers stand beside'],
		['trigger/handover.ts', './texts/bursts', 'handover is below texts'],
		['trigger/nodeMemory.ts', './savedState', 'nodeMemory is below savedState'],
		['trigger/start/makeHandover.ts', '../gathering', 'stands in no layer'],
		['message.ts', './transport/request', 'message is below transport'],
		['contract.ts', './message', 'contract is below message'],
		['listSearch/searchLines.ts', '../TwoWayMessaging.node', 'is below TwoWayMessaging.node'],
		['trigger/event.ts', '../resources/lineChoice', 'trigger and resources stand beside'],
		['resources/run.ts', '../listSearch/searchLines', 'resources and listSearch stand beside'],
		['TwoWayMessaging.node.ts', './TwoWayMessagingTrigger.node', 'stand beside each other'],
		['resources/run.ts', '../shared', 'stands in no layer'],
		['resources/run.ts', 'lodash', 'n8n-workflow and crypto only'],
		['resources/run.ts', 'node:fs', 'n8n-workflow and crypto only'],
		['resources/run.ts', '../../../package.json', 'nothing outside themselves'],
		['resources/run.ts', '../../../sandbox/src/clock', 'nothing outside themselves'],
		['resources/run.ts', 'two-way-messaging-sandbox', 'nothing outside themselves'],
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
		"export * from '../resources';",
		"export { send } from '../resources/message/send';",
		"import type { Operation } from '../resources/run';",
		"import resources = require('../resources');",
		"const resources = require('../resources');",
		"const resources = await import('../resources');",
		"type Operation = import('../resources/run').Operation;",
	])('finds the import in %s', (source) => {
		expect(inNode('transport/request.ts', source)).toEqual([
			expect.stringContaining('transport is below resources'),
		]);
	});

	test('ignores an import in a text or a comment', () => {
		const source = "// import '../resources';\nexport const text = \"import '../resources'\";";
		expect(inNode('transport/request.ts', source)).toEqual([]);
	});

	test('lets every room of the trigger import what is below it', () => {
		const source = `
			import { ask } from '../../transport/request';
			import { isAwaited } from '../answers/awaitedTexts';
			import { placeInConversation } from '../texts/combineTexts';
			import { toItem } from '../handover';`;
		expect(inNode('trigger/start/makeHandover.ts', source)).toEqual([]);
	});

	test('refuses an import whose target is computed', () => {
		expect(inNode('transport/request.ts', 'void import(process.argv[2]);')).toEqual([
			expect.stringContaining('what it imports is computed'),
		]);
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
		expect(emptyNames(['nodes/TwoWayMessaging/resources/commonName.ts'])).toEqual([]);
	});
});
