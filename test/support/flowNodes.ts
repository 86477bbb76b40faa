import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	ISourceData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

type Items = INodeExecutionData[];
type Work = (context: IExecuteFunctions) => Items[] | Promise<Items[]>;

const { Main } = NodeConnectionTypes;

export const nodeType = (
	name: string,
	work: Work,
	{ outputs = 1, isStart = false, properties = [] as INodeProperties[] } = {},
): INodeType => ({
	description: {
		displayName: name,
		name,
		group: [isStart ? 'trigger' : 'transform'],
		version: 1,
		description: 'Does what one of n8n’s own nodes does to items and their links',
		defaults: { name },
		inputs: isStart ? [] : [Main],
		outputs: Array<typeof Main>(outputs).fill(Main),
		properties,
	},
	async execute() {
		return await work(this);
	},
});

const linked = (items: Items, json: (item: INodeExecutionData) => INodeExecutionData['json']) =>
	items.map((item, at): INodeExecutionData => ({ json: json(item), pairedItem: { item: at } }));

type LoopState = { items?: Items; source?: ISourceData | null; done?: Items };

/** Gives out one item after the other at the second output, and at the first one what has come back of all of them. */
const loop: Work = (context) => {
	const state = context.getContext('node') as LoopState;
	const input = context.getInputData();
	const source = context.getInputSourceData() as ISourceData;
	if (state.items === undefined) {
		Object.assign(state, { items: [...input], source: structuredClone(source), done: [] });
		return [[], state.items!.splice(0, 1)];
	}
	state.done?.push(
		...input.map((item, at) => ({ ...item, pairedItem: { item: at, sourceOverwrite: source } })),
	);
	const next = state.items.splice(0, 1);
	if (next.length === 0) return [state.done ?? [], []];
	const first = state.source as ISourceData;
	return [
		[],
		next.map((item) => ({
			...item,
			pairedItem: { ...(item.pairedItem as { item: number }), sourceOverwrite: first },
		})),
	];
};

/**
 * Stand-ins for n8n's own nodes, which n8n-core does not contain. Each treats the links between items as its original does
 * in n8n 2.39; `test/e2e/conversations` runs the originals. `database` puts out what an item has in its field `row`, and
 * `twice` is a Code node that returns every item twice without saying of which it was made.
 */
export const FLOW_NODES: INodeType[] = [
	nodeType('editFields', (context) => [linked(context.getInputData(), () => ({ note: 'hi' }))]),
	nodeType('loop', loop, { outputs: 2 }),
	nodeType('code', (context) => [linked(context.getInputData(), () => ({ written: true }))]),
	nodeType('codeWithoutLinks', (context) => [
		[...context.getInputData(), {}].map(() => ({ json: { written: true } })),
	]),
	nodeType('aggregate', (context) => [
		[{ json: { all: true }, pairedItem: context.getInputData().map((_, item) => ({ item })) }],
	]),
	nodeType('database', (context) => [
		linked(context.getInputData(), ({ json }) => json.row as INodeExecutionData['json']),
	]),
	nodeType('passOn', (context) => [linked(context.getInputData(), ({ json }) => json)]),
	nodeType('twice', (context) => [
		[...context.getInputData(), ...context.getInputData()].map(({ json }) => ({ json })),
	]),
	nodeType('model', (context) => [linked(context.getInputData(), () => ({ output: 'hi' }))]),
	nodeType('scheduleTrigger', (context) => [context.getInputData()], { isStart: true }),
];
