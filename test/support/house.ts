import { posix } from 'node:path';
import ts from 'typescript';

/** Source files by their path from the root, with forward slashes. */
export type Tree = Record<string, string>;

/** Files and folders by their layer, uppermost first; those of one layer do not import each other. */
type Layers = string[][];

const LAYERS: Layers = [
	['action', 'trigger'],
	['waiting'],
	['fields'],
	['service'],
	['n8n'],
	['phoneNumber', 'processMemory'],
	['numberingPlans'],
	['parameterValues'],
	['message'],
	['contract', 'clock', 'comparableText', 'localUrl', 'queue', 'reasonOf', 'serviceTime'],
];

/** The same inside `trigger/`. */
const TRIGGER_LAYERS: Layers = [
	['webhook', 'begin'],
	['check'],
	['registration'],
	['questions'],
	['properties', 'signingSecrets', 'starter', 'wanted'],
	['inbox', 'nodeMemory'],
	['filterFields', 'settings'],
	['filters'],
	['event', 'verifySignature'],
];

const NODE = 'nodes/TwoWayMessaging/';
const TRIGGER = `${NODE}trigger/`;
const MAY_IMPORT_THE_SANDBOX = ['sandbox', 'playground', 'test', 'bench'];
const PACKAGES_OF_THE_NODES = ['n8n-workflow', 'crypto'];
/** An import whose target is no text in the code. */
const COMPUTED_IMPORT = /\b(import|require)\((?!\s*['"`])/;
const NAMES_THAT_SAY_NOTHING = /^(utils?|helpers?|common|genericfunctions)$/i;

/** Every import that the plan of the tree does not allow, with the reason. */
export function wrongImports(tree: Tree): string[] {
	return Object.entries(tree).flatMap(([file, source]) => {
		if (COMPUTED_IMPORT.test(source)) return [`${file} imports what is computed`];
		return importsOf(source).flatMap((specifier) => {
			const why = wrong(file, specifier);
			return why ? [`${file} imports ${specifier}: ${why}`] : [];
		});
	});
}

/** Files that import themselves over others, types too: none of them can be read without all the others. */
export function circles(tree: Tree): string[] {
	const imports = new Map(Object.keys(tree).map((file) => [file, importedFiles(file, tree)]));
	const behind = (file: string, found = new Set<string>()): Set<string> => {
		for (const one of imports.get(file) ?? []) {
			if (!found.has(one)) behind(one, found.add(one));
		}
		return found;
	};
	return Object.keys(tree).filter((file) => behind(file).has(file));
}

function importedFiles(file: string, tree: Tree): string[] {
	return importsOf(tree[file] ?? '').flatMap((specifier) => {
		const target = targetOf(file, specifier);
		return [`${target}.ts`, `${target}/index.ts`].filter((path) => path in tree);
	});
}

/**
 * What a file of the nodes keeps between two calls: a variable of the module that can change. All of it belongs into
 * the process's memory, so that a test can play several processes.
 */
export function moduleState(file: string, source: string): string[] {
	const { statements } = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
	return statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
		const isConstant = (declarationList.flags & ts.NodeFlags.Const) !== 0;
		return declarationList.declarations
			.filter(({ initializer }) => !isConstant || (initializer && holdsState(initializer)))
			.map(({ name }) => `${file} keeps ${name.getText()}`);
	});
}

/** A table that is made with its content does not change. */
function holdsState(initializer: ts.Expression): boolean {
	if (!ts.isNewExpression(initializer)) return false;
	const isTable = ['Map', 'Set'].includes(initializer.expression.getText());
	return !(isTable && (initializer.arguments ?? []).length > 0);
}

/** Files and folders whose names do not say what they contain. */
export const emptyNames = (paths: string[]): string[] =>
	paths.filter((path) =>
		path.split('/').some((part) => NAMES_THAT_SAY_NOTHING.test(part.split('.')[0] ?? '')),
	);

function wrong(file: string, specifier: string): string | undefined {
	const from = folderOf(file);
	const target = targetOf(file, specifier);
	const isPackaged = from === 'nodes' || from === 'credentials';
	if (target === undefined) {
		return isPackaged && !PACKAGES_OF_THE_NODES.includes(specifier)
			? 'nodes and credentials import n8n-workflow and crypto only'
			: undefined;
	}
	const to = folderOf(target);
	if (isPackaged && to !== 'nodes' && to !== 'credentials') {
		return 'nodes and credentials import nothing outside themselves';
	}
	if (to === 'sandbox' && !MAY_IMPORT_THE_SANDBOX.includes(from)) {
		return 'only playground, test and bench import the sandbox';
	}
	if (from === 'sandbox' && to !== 'sandbox' && target !== `${NODE}contract`) {
		return 'the sandbox shares contract.ts and nothing else';
	}
	for (const [folder, layers] of [
		[TRIGGER, TRIGGER_LAYERS],
		[NODE, LAYERS],
	] as const) {
		if (!file.startsWith(folder) || !target.startsWith(folder)) continue;
		return wrongLayer(file, target, folder, layers);
	}
	return undefined;
}

function wrongLayer(file: string, target: string, folder: string, layers: Layers) {
	const from = layerOf(file, folder, layers);
	const to = layerOf(target, folder, layers);
	if (!from || !to) return `${from ? target : file} stands in no layer of the house`;
	if (to.rank < from.rank) return `${from.name} is below ${to.name}`;
	if (to.rank === from.rank && to.name !== from.name) {
		return `${from.name} and ${to.name} stand beside each other`;
	}
	return undefined;
}

function layerOf(path: string, folder: string, layers: Layers) {
	const [first = '', second] = path.slice(folder.length).split('/');
	if (second === undefined && /\.node(\.ts)?$/.test(first)) return { name: first, rank: -1 };
	const name = first.replace(/\.ts$/, '');
	const rank = layers.findIndex((layer) => layer.includes(name));
	return rank === -1 ? undefined : { name, rank };
}

/** The path that a specifier means, from the root and without `.ts`; undefined for a package. */
function targetOf(file: string, specifier: string): string | undefined {
	// The sandbox is a workspace, so that it can also be imported by its package's name.
	if (/^two-way-messaging-sandbox(\/|$)/.test(specifier)) return 'sandbox';
	if (!specifier.startsWith('.')) return undefined;
	return posix.join(posix.dirname(file), specifier).replace(/\.(ts|js)$/, '');
}

const folderOf = (path: string) => path.split('/')[0] ?? '';

/** The specifiers of a file's imports, in every form of the language. */
const importsOf = (source: string): string[] =>
	ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
