import { basename } from 'node:path';
import type {
	IConnections,
	INode,
	INodeParameters,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { filesIn, read } from './files';

export type ExportedWorkflow = {
	id: string;
	name: string;
	active: boolean;
	nodes: INode[];
	connections: IConnections;
	pinData: object;
};

/** An example workflow, with the name and the text of its file. */
export type Example = { file: string; text: string; workflow: ExportedWorkflow };

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

export const examples = (): Example[] =>
	filesIn('workflows', '.json').map((path) => {
		const text = read(path);
		return { file: basename(path), text, workflow: JSON.parse(text) as ExportedWorkflow };
	});

export const isStickyNote = ({ type }: INode): boolean => type === STICKY_NOTE;

/** The reasons why n8n could not show or run a node as it is, one line each. */
export const nodeFindings = (node: INode, descriptions: INodeTypeDescription[]): string[] => {
	const description = descriptions.find(
		({ name, version }) =>
			name === node.type.slice(node.type.lastIndexOf('.') + 1) &&
			[version].flat().includes(node.typeVersion),
	);
	if (!description) return [`${node.name}: n8n has no ${node.type} ${node.typeVersion}`];
	const { properties } = description;
	const { getNodeParameters, getNodeParametersIssues } = NodeHelpers;
	const known =
		getNodeParameters(properties, node.parameters, true, false, node, description) ?? {};
	const issues = getNodeParametersIssues(properties, { ...node, parameters: known }, description);
	return [
		...Object.values(issues?.parameters ?? {}).flat(),
		...unknownNames(node.parameters, known).map((name) => `there is no parameter ${name}`),
		...wrongChoices(properties, node.parameters),
	].map((finding) => `${node.name}: ${finding}`);
};

/** The names of parameters that n8n does not know and drops. */
const unknownNames = (given: object, known: object): string[] =>
	Object.entries(given).flatMap(([name, value]) => {
		if (!(name in known)) return [name];
		const inner = (known as INodeParameters)[name];
		return isObject(value) && isObject(inner) && !('__rl' in value)
			? unknownNames(value, inner).map((unknown) => `${name}.${unknown}`)
			: [];
	});

/** Values that their dropdown does not have; an expression can be anything. */
const wrongChoices = (properties: INodeProperties[], given: INodeParameters): string[] =>
	Object.entries(given).flatMap(([name, value]) => {
		const namesakes = properties.filter((property) => property.name === name);
		if (isObject(value)) {
			const fields = namesakes
				.filter(({ type }) => type === 'collection')
				.flatMap(({ options }) => (options ?? []) as INodeProperties[]);
			return fields.length > 0 ? wrongChoices(fields, value as INodeParameters) : [];
		}
		const dropdowns = namesakes.filter(
			({ type, typeOptions }) =>
				(type === 'options' || type === 'multiOptions') && !typeOptions?.loadOptionsMethod,
		);
		const choices = dropdowns.flatMap(({ options }) =>
			(options ?? []).flatMap((option) => ('value' in option ? option.value : [])),
		);
		return [value]
			.flat()
			.filter(
				(one) =>
					dropdowns.length > 0 && !String(one).startsWith('=') && !choices.includes(one as string),
			)
			.map((one) => `${name} cannot be ${String(one)}`);
	});

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const linksOf = ({ connections }: ExportedWorkflow) =>
	Object.entries(connections).flatMap(([from, byType]) =>
		Object.values(byType)
			.flat(2)
			.flatMap((target) => (target ? [{ from, to: target.node }] : [])),
	);

/** The reasons why n8n could not connect a workflow's nodes as the file says, one line each. */
export const connectionFindings = (workflow: ExportedWorkflow): string[] => {
	const names = workflow.nodes.map(({ name }) => name);
	const ends = linksOf(workflow).flatMap(({ from, to }) => [from, to]);
	return [
		...ends.filter((name) => !names.includes(name)).map((name) => `there is no node ${name}`),
		...workflow.nodes
			.filter((node) => !isStickyNote(node) && !ends.includes(node.name))
			.map(({ name }) => `${name} is connected to nothing`),
		...names
			.filter((name, at) => names.indexOf(name) !== at)
			.map((name) => `two nodes are called ${name}`),
	];
};

/** The nodes that lead back to themselves. An execution has one event, so that no example needs to go round. */
export const loops = (workflow: ExportedWorkflow): string[] => {
	const links = linksOf(workflow);
	const behind = (name: string, found = new Set<string>()): Set<string> => {
		for (const { from, to } of links) {
			if (from === name && !found.has(to)) behind(to, found.add(to));
		}
		return found;
	};
	return workflow.nodes.map(({ name }) => name).filter((name) => behind(name).has(name));
};

/** Fields that say what a node does, even where they have their defaults. */
const ALWAYS_SET = ['resource', 'operation', 'events'];

/** The parameters of a node that have their default value: a person would read them for nothing. */
export const needlessParameters = (node: INode, descriptions: INodeTypeDescription[]): string[] => {
	const [properties = []] = descriptions
		.filter(({ name }) => node.type.endsWith(`.${name}`))
		.map((description) => description.properties);
	// n8n itself leaves out what has its default.
	const { getNodeParameters } = NodeHelpers;
	const needed = getNodeParameters(properties, node.parameters, false, false, node, null);
	return Object.entries(node.parameters)
		.filter(([name, value]) => !ALWAYS_SET.includes(name) && isNeedless(value, needed?.[name]))
		.map(([name]) => `${node.name}: ${name}`);
};

const isNeedless = (value: unknown, needed: unknown): boolean =>
	needed === undefined || (isObject(value) && Object.keys(value).length === 0);

/** What a Data Table node does with which table: the columns that it names. */
export type TableUse = { node: string; mode: string; table: string; columns: string[] };

export const tableUses = ({ nodes }: ExportedWorkflow): TableUse[] =>
	nodes
		.filter(({ type }) => type === 'n8n-nodes-base.dataTable')
		.map(({ name, parameters }) => {
			const { dataTableId, filters, columns } = parameters as {
				dataTableId: { mode: string; value: string };
				filters?: { conditions: Array<{ keyName: string }> };
				columns?: { value: object };
			};
			const named = (filters?.conditions ?? []).map(({ keyName }) => keyName);
			const all = [...named, ...Object.keys(columns?.value ?? {})];
			return { node: name, mode: dataTableId.mode, table: dataTableId.value, columns: all };
		});

/** How n8n writes in a sticky note, measured in n8n itself. */
const WRITING = { letter: 7.5, line: 24.5, heading: 40, padding: 28 };

/** How high a sticky note has to be to show all of its text. */
export const textHeight = ({ content, width }: INode['parameters']): number => {
	const lettersInLine = (Number(width) - WRITING.padding) / WRITING.letter;
	const heights = String(content)
		.split('\n')
		.map((line) => {
			if (line.startsWith('#')) return WRITING.heading;
			const shown = line.replace(/\*/g, '');
			return Math.max(1, Math.ceil(shown.length / lettersInLine)) * WRITING.line;
		});
	return WRITING.padding + heights.reduce((sum, height) => sum + height, 0);
};

/** How much room all nodes of a workflow take, without their names. */
export const sizeOf = ({ nodes }: ExportedWorkflow): { width: number; height: number } => {
	const boxes = nodes.map((node) => boxOf(node));
	const span = (from: 'left' | 'top', to: 'right' | 'bottom') =>
		Math.max(...boxes.map((box) => box[to])) - Math.min(...boxes.map((box) => box[from]));
	return { width: span('left', 'right'), height: span('top', 'bottom') };
};

type Box = { left: number; top: number; right: number; bottom: number };

/** The size of a node with its name below it, as the editor draws it. */
const NODE = { width: 96, height: 96, nameHeight: 48, nameOverhang: 48 };

/** A node's own box; its name may stick out of it at the sides and below. */
const boxOf = (node: INode, overhang = 0, below = 0): Box => {
	const [left, top] = node.position;
	if (isStickyNote(node)) {
		const { width, height } = node.parameters;
		return { left, top, right: left + Number(width), bottom: top + Number(height) };
	}
	const right = left + NODE.width + overhang;
	return { left: left - overhang, top, right, bottom: top + NODE.height + below };
};

const overlap = (one: Box, other: Box): boolean =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

const contains = (outer: Box, inner: Box): boolean =>
	outer.left <= inner.left &&
	outer.top <= inner.top &&
	outer.right >= inner.right &&
	outer.bottom >= inner.bottom;

/** Pairs that overlap on the canvas. A sticky note may contain a whole node. */
export const overlaps = ({ nodes }: ExportedWorkflow): string[] =>
	nodes.flatMap((one, at) =>
		nodes.slice(at + 1).flatMap((other) => {
			const [first, second] = [one, other].map((node) =>
				boxOf(node, NODE.nameOverhang, NODE.nameHeight),
			) as [Box, Box];
			const [note, node] = isStickyNote(one) ? [first, second] : [second, first];
			const isAround = isStickyNote(one) !== isStickyNote(other) && contains(note, node);
			return overlap(first, second) && !isAround ? [`${one.name} lies on ${other.name}`] : [];
		}),
	);
