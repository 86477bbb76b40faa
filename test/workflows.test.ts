import { TwoWayMessaging } from '../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { DATA_TABLES } from '../playground/dataTables';
import {
	connectionFindings,
	examples,
	isStickyNote,
	loops,
	needlessParameters,
	nodeFindings,
	overlaps,
	sizeOf,
	tableUses,
	textHeight,
	type ExportedWorkflow,
} from './support/workflowFiles';

const OURS = [new TwoWayMessaging().description, new TwoWayMessagingTrigger().description];
const isOurs = ({ type }: { type: string }) => type.startsWith('n8n-nodes-two-way-messaging.');

const all = examples();
const nodes = all.flatMap(({ workflow }) => workflow.nodes);

describe('the examples', () => {
	test('give every workflow, node and webhook an ID of its own', () => {
		const ids = [
			...all.map(({ workflow }) => workflow.id),
			...nodes.map(({ id }) => id),
			...nodes.flatMap(({ webhookId }) => webhookId ?? []),
		];
		expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
		expect(ids).not.toContain(undefined);
	});

	test('contain one active workflow, as several would all answer the same text', () => {
		const active = all.filter(({ workflow }) => workflow.active);
		expect(active.map(({ file }) => file)).toEqual(['auto-reply.json']);
	});
});

describe('the Data Tables of the examples', () => {
	test('have names of which none contains another, as n8n finds a table by a part of its name', () => {
		const names = DATA_TABLES.map(({ name }) => name.toLowerCase());
		expect(names.filter((name) => names.some((one) => one !== name && one.includes(name)))).toEqual(
			[],
		);
	});

	test('are all used, with all of their columns', () => {
		const uses = all.flatMap(({ workflow }) => tableUses(workflow));
		for (const { name, columns } of DATA_TABLES) {
			const used = uses.filter(({ table }) => table === name).flatMap((use) => use.columns);
			const workflows = all.filter(({ workflow }) =>
				tableUses(workflow).some(({ table }) => table === name),
			);
			for (const column of Object.keys(columns)) {
				if (workflows.some(({ text }) => text.includes(`$json.${column}`))) used.push(column);
			}
			expect([...new Set(used)].filter((column) => column !== 'id').sort()).toEqual(
				Object.keys(columns).sort(),
			);
		}
	});
});

const noteOf = ({ nodes: ofWorkflow }: ExportedWorkflow): string =>
	String(ofWorkflow.find(isStickyNote)?.parameters.content ?? '');

/** The fields that the node behind a list takes from each of its rows, where a note lets people replace the list. */
function fieldsOfReplaceableLists(
	{ nodes: ofWorkflow, connections }: ExportedWorkflow,
	note: string,
) {
	const lists = ofWorkflow.filter(
		({ name, parameters }) =>
			parameters.operation === 'get' && note.includes(`in place of *${name}*`),
	);
	return lists.flatMap(({ name }) => {
		const behind = connections[name]?.main?.flatMap((targets) => targets ?? []) ?? [];
		const taken = ofWorkflow
			.filter((node) => behind.some((target) => target.node === node.name))
			.map(({ parameters }) => JSON.stringify(parameters));
		return taken.flatMap((text) =>
			[...text.matchAll(/"={{ \$json\.(\w+) }}"/g)].map(([, field = '']) => field),
		);
	});
}

const isOfTexts = ({ events }: ExportedWorkflow['nodes'][number]['parameters']) =>
	JSON.stringify(events).includes('receive');

/** Whether a node texts people, or lets its workflow do so once for each. */
const isTexting = ({ type, parameters }: ExportedWorkflow['nodes'][number]) =>
	(isOurs({ type }) && ['send', 'sendAndWait'].includes(String(parameters.operation))) ||
	type.endsWith('.executeWorkflow');

/** The nodes that an item reaches from a node before one has looked at its consent, or into the list of opt-outs. */
function reachedWithoutConsent({ nodes: ofWorkflow, connections }: ExportedWorkflow, from: string) {
	const looks = ({ parameters }: ExportedWorkflow['nodes'][number]) =>
		/\.consent\b|"consent"/.test(JSON.stringify(parameters));
	const reached = new Set([from]);
	for (const name of reached) {
		const targets = connections[name]?.main?.flatMap((ones) => ones ?? []) ?? [];
		for (const target of targets) {
			const node = ofWorkflow.find((one) => one.name === target.node);
			if (node && !looks(node)) reached.add(node.name);
		}
	}
	return ofWorkflow.filter(({ name }) => reached.has(name));
}

const BREAKING: Record<string, (workflow: ExportedWorkflow) => ExportedWorkflow['nodes']> = {
	'reads a list once, and not once for each item that comes in': ({ nodes: all }) =>
		all.filter(
			({ parameters: { operation, returnAll, ...others }, executeOnce }) =>
				(operation === 'getMany' || (operation === 'get' && returnAll === true)) &&
				!JSON.stringify(others).includes('$json') &&
				!executeOnce,
		),
	'answers whoever texted with Reply, which needs neither a number nor a line': ({ nodes: all }) =>
		all.filter(
			({ parameters: { operation, number } }) =>
				operation === 'send' && /\bfrom\b/.test(String(number)),
		),
	'answers nobody who asks to be left alone': (workflow) =>
		workflow.nodes
			.filter((node) => node.type.endsWith('Trigger') && isOurs(node) && isOfTexts(node.parameters))
			.flatMap(({ name }) => reachedWithoutConsent(workflow, name))
			.filter(({ parameters }) => parameters.operation === 'reply'),
	'leaves out of a list of people who want no texts': (workflow) =>
		workflow.nodes
			.filter(
				({ parameters: { operation, returnAll } }) => operation === 'get' && returnAll === true,
			)
			.flatMap(({ name }) => reachedWithoutConsent(workflow, name))
			.filter(isTexting),
	'has notes that are large enough for their text': ({ nodes: all }) =>
		all
			.filter(isStickyNote)
			.filter(({ parameters }) => Number(parameters.height) < textHeight(parameters)),
	'depends on no node that a note tells people to replace': ({ nodes: all }) => {
		const text = JSON.stringify(all);
		const isReplaced = (name: string) => text.includes(`in place of *${name}*`);
		return all.filter(({ name }) => isReplaced(name) && text.includes(`$('${name}')`));
	},
};

describe.each(all)('$file', ({ text, workflow }) => {
	const note = noteOf(workflow);
	const ours = workflow.nodes.filter(isOurs);
	const notes = workflow.nodes.filter(isStickyNote);

	test('has a sticky note that says what it does and what to change, the first thing in its first line', () => {
		expect(notes[0]?.name).toBe('What this does');
		expect(note).toMatch(new RegExp(`^## ${workflow.name}\n`));
		expect(note).toContain('**Change it:**');
		expect(note).toContain('**Try it:**');
		const [, line = ''] = note.split('\n');
		const [, name] =
			/^\*\*Change first:\*\* [^*]*(?:\*\*[^*]+\*\*[^*]*)*\*([^*]+)\*/.exec(line) ?? [];
		expect(workflow.nodes.map((node) => node.name)).toContain(name);
	});

	test.each(Object.entries(BREAKING))('keeps the rule of each example: it %s', (_, breaking) => {
		expect(breaking(workflow).map(({ name }) => name)).toEqual([]);
	});

	test('sets every parameter that our nodes require, none that they do not have, and no default', () => {
		expect(ours.length).toBeGreaterThan(0);
		expect(ours.flatMap((node) => nodeFindings(node, OURS))).toEqual([]);
		expect(ours.flatMap((node) => needlessParameters(node, OURS))).toEqual([]);
	});

	test('names the fields that another list has to fill, where its note lets people bring one', () => {
		const change = note.split('\n\n').find((one) => one.startsWith('**Change it:**'));
		for (const field of fieldsOfReplaceableLists(workflow, note)) {
			expect(change).toContain(`**${field}**`);
		}
	});

	test('says how a number begins where people add rows with numbers', () => {
		const isFilled = /add (a row|rows) for/.test(note);
		expect(note.includes('(in full, with the country code')).toBe(isFilled);
	});

	test('names its Data Tables by name, and its note says how to create them', () => {
		for (const { table, mode } of tableUses(workflow)) {
			expect(mode).toBe('name');
			const columns = DATA_TABLES.find(({ name }) => name === table)?.columns ?? {};
			for (const name of [table, ...Object.keys(columns)]) expect(note).toContain(`**${name}**`);
			for (const type of Object.values(columns)) expect(note).toContain(`(${type})`);
		}
	});

	test('says in words of people why a question has no answer', () => {
		const texts = ours
			.map(({ parameters: { content } }) => String(content))
			.filter((content) => /\[\$json\.reason\]|{{ \$json\.reason }}/.test(content));
		for (const content of texts) {
			expect(content).not.toContain('{{ $json.reason }}');
			for (const reason of ['timeLimit', 'optedOut', 'wrongNumber', 'failed', 'notUnderstood']) {
				expect(content).toContain(`${reason}: '`);
			}
		}
	});

	test('takes only the rows of one day from a table with days', () => {
		const days = DATA_TABLES.filter(({ columns }) => columns['day'] === 'date');
		for (const { table, columns } of tableUses(workflow)) {
			if (days.some(({ name }) => name === table)) expect(columns).toEqual(['day', 'day']);
		}
	});

	test('takes no list of people or texts as JSON', () => {
		expect(text).not.toMatch(/"value": "\[\\n/);
	});

	test('says which start to choose where several can be started by hand', () => {
		const starts = workflow.nodes.filter(({ type }) => /\.(manual|schedule)Trigger$/.test(type));
		if (starts.length > 1) {
			expect(note).toMatch(
				/press the arrow beside \*Execute workflow\* and choose \*[^*]+\*, then press \*Execute workflow\*/i,
			);
		}
	});

	test('connects nodes that exist, all of them, and goes round nowhere', () => {
		expect(connectionFindings(workflow)).toEqual([]);
		expect(loops(workflow)).toEqual([]);
	});

	test('has its nodes on the grid, none on top of another, and a note to read when it opens', () => {
		const coordinates = workflow.nodes.flatMap(({ position }) => position);
		expect(coordinates.filter((coordinate) => coordinate % 16 !== 0)).toEqual([]);
		expect(overlaps(workflow)).toEqual([]);
		// In a window of 1440 × 900 n8n opens more than that at less than 60 %.
		const { width, height } = sizeOf(workflow);
		expect([width <= 1_940, height <= 1_108]).toEqual([true, true]);
	});

	test('contains no credential, no data of an execution and no URL of a machine', () => {
		expect(workflow.pinData).toEqual({});
		expect(workflow.nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		expect(text).not.toMatch(/localhost|127\.0\.0\.1|0\.0\.0\.0|https?:|api_?key|secret/i);
	});

	test('contains only fictional phone numbers', () => {
		const fictional = /^\+(1555\d{7}|447700900\d{3})$/;
		const numbers = (text.match(/\+\d[\d ]{6,}\d/g) ?? []).map((one) => one.replace(/ /g, ''));
		expect(numbers.filter((number) => !fictional.test(number))).toEqual([]);
	});
});
