import type { IDataObject } from 'n8n-workflow';
import { toE164 } from '../nodes/TwoWayMessaging/phoneNumber';
import { consentIn } from '../nodes/TwoWayMessaging/waiting/consent';
import { createEngine } from './support/engine';
import { filesIn, read } from './support/files';
import { nodeType } from './support/flowNodes';
import { HOUR_MS } from './support/times';
import { examples } from './support/workflowFiles';

/* Every expression on a page is one that n8n can evaluate. */

const PAGES = ['README.md', ...filesIn('docs', '.md')];

/** A node that passes its items on; or, where its field holds an expression, what n8n makes of that. */
const evaluate = nodeType(
	'evaluate',
	(context) => {
		const items = context.getInputData();
		if (!context.getNode().parameters.value) return [items];
		const valueAt = (at: number) => context.getNodeParameter('value', at) as string;
		return [items.map((_, at) => ({ json: { value: valueAt(at) } }))];
	},
	{ properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }] },
);

const engine = createEngine({ nodeTypes: [evaluate] });

/** What an expression gives for an item, which has come through the nodes *Upload* and *Sent*. */
async function valueOf(expression: string, json: IDataObject): Promise<unknown> {
	const run = await engine.runWorkflow({
		nodes: [
			{ type: 'evaluate', name: 'Upload' },
			{ type: 'evaluate', name: 'Sent' },
			{ type: 'evaluate', name: 'Evaluate', parameters: { value: `=${expression}` } },
		],
		items: [{ json }],
	});
	return run.json('Evaluate')[0]?.value;
}

/** An item with every field that a page takes from one. */
const ITEM: IDataObject = {
	...{ event: 'receive', from: '+15551230001', to: '+15550100001', content: 'Stop.' },
	...{ status: 'SENT', service: 'SMS', date_sent: '2026-03-02T09:15:03Z', consent: 'out?' },
	...{ message_handle: 'm1', line_handle: 'l1', media_url: 'https://files.example/cake.jpg' },
	media_error: 'it took more than ten seconds',
	...{
		error_message: 'no such number',
		error: 'The line is blocked',
		blocked_at: '2026-03-02T09:15:03Z',
	},
	...{ name: 'Anna', number: '+15551230001', order_id: '1042', day: 'Friday', time: '10:00' },
	...{ messages: [{ is_outbound: false }], transcript: 'Customer: Hi', output: 'Hello' },
	body: { phone: '+15551230001', order_id: '1042' },
	...{ summary: 'Anna', location: '+15551230001', start: { dateTime: '2026-03-02T10:00:00Z' } },
};

const expressions = PAGES.flatMap((page) =>
	[...read(page).matchAll(/\{\{[^…]*?\}\}(?!\})/g)].map(([expression]) => ({ page, expression })),
);

test.each(expressions)('$page: $expression gives a value', async ({ expression }) => {
	const value = await valueOf(expression, ITEM);
	expect([expression, value]).not.toEqual([expression, undefined]);
	expect(['', 'null', 'undefined']).not.toContain(String(value));
});

function ofRecipe(words: string): string {
	const found = expressions.filter(({ expression }) => expression.includes(words));
	expect(found.map(({ page }) => page)).toEqual(['docs/recipes.md']);
	return found[0]?.expression ?? '';
}

test.each([
	['2026-03-03T08:59', false, false],
	['2026-03-03T09:00', true, true],
	['2026-03-03T17:59', true, true],
	['2026-03-03T18:00', false, false],
	['2026-03-07T09:29', false, false],
	['2026-03-07T09:30', false, true],
	['2026-03-07T12:59', false, true],
	['2026-03-07T13:00', false, false],
	['2026-03-08T10:00', false, false],
])(
	'a shop that is open from nine to six is so at %s: %s; with the Saturdays of the recipe: %s',
	async (time, ...isOpen) => {
		const recipes = read('docs/recipes.md');
		const [, saturdays = ''] = /add `( ?\|\| \$now[^`]+)`/.exec(recipes) ?? [];
		const open = ofRecipe('$now.weekday').replaceAll('$now', `DateTime.fromISO('${time}')`);
		const more = saturdays.replaceAll('$now', `DateTime.fromISO('${time}')`);
		const values = [open, open.replace(' }}', ` ${more} }}`)].map(
			async (one) => await valueOf(one, {}),
		);
		expect(await Promise.all(values)).toEqual(isOpen);
	},
);

test.each([
	...['STOP', 'stop.', 'Unsubscribe', 'END!', 'quit', 'start', 'Unstop'],
	...['hello', 'stop?', 'stop it', '', null],
])('the history shows that somebody opted out by “%s” as the trigger does', async (content) => {
	const consent = consentIn(content);
	const isWord = consent === 'out' || consent === 'in';
	expect(await valueOf(ofRecipe('|unsubscribe|'), { content })).toBe(isWord);
	if (isWord) expect(await valueOf(ofRecipe("'in' : 'out'"), { content })).toBe(consent);
});

test('a customer whom nobody has answered yet texts for the first time', async () => {
	const isNew = ofRecipe('!message.is_outbound');
	expect(await valueOf(isNew, { messages: [] })).toBe(true);
	expect(await valueOf(isNew, { messages: [{ is_outbound: false }] })).toBe(true);
	expect(await valueOf(isNew, { messages: [{ is_outbound: true }, { is_outbound: false }] })).toBe(
		false,
	);
});

const OFFER = 'Hi Anna, our spring offer begins on Monday.';

test.each([
	['+15551230001', '+1 555 123 0001', 'SENT', OFFER, true],
	['+15551230001', '5551230001', 'QUEUED', OFFER, true],
	// A national number with a zero in front, however short.
	['+6421123456', '021 123 456', 'SENT', OFFER, true],
	['+15551230001', '+1 555 123 0001', 'ERROR', OFFER, false],
	['+15551230001', '+1 555 123 0002', 'SENT', OFFER, false],
	['+15551230001', '+1 555 123 0001', 'SENT', 'We are closed now.', false],
])('%s, in the list as %s, %s “%s”, has got the text of the list: %s', async (...row) => {
	const [to, number, status, content, hasGot] = row;
	expect(await valueOf(ofRecipe("$('Sent')"), { to, number, status, content })).toBe(hasGot);
});

test('an agent answers eight times an hour at most', async () => {
	const mayAnswer = ofRecipe('hours: 1 })).length');
	const answers = (count: number, hoursAgo: number) =>
		Array.from({ length: count }, () => ({
			is_outbound: true,
			date_sent: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
		}));
	expect(await valueOf(mayAnswer, { messages: answers(7, 0.5) })).toBe(true);
	expect(await valueOf(mayAnswer, { messages: answers(8, 0.5) })).toBe(false);
	expect(await valueOf(mayAnswer, { messages: answers(20, 2) })).toBe(true);
});

test('no expression puts a plus in front of digits, which could text a stranger', async () => {
	expect(expressions.length).toBeGreaterThan(20);
	expect(expressions.filter(({ expression }) => /['"`]\+/.test(expression))).toEqual([]);
	// What the page about texting people warns of: ten digits of New York become a number that begins as Morocco's do.
	expect(toE164('+2125550001')).toBe('+2125550001');
});

test('a recipe and the example that it leads to say the same', () => {
	for (const [file, words] of [
		['opening-hours.json', '$now.weekday'],
		['earlier-opt-outs.json', '|unsubscribe|'],
		['earlier-opt-outs.json', "'in' : 'out'"],
		['outreach.json', '{{ String($json.number)'],
	] as const) {
		const workflow = examples().find((example) => example.file === file)?.workflow;
		expect(JSON.stringify(workflow?.nodes)).toContain(JSON.stringify(`=${ofRecipe(words)}`));
	}
});

test('the recipe for a calendar names nodes and fields of the example that it changes', () => {
	const recipes = read('docs/recipes.md');
	const [, recipe = ''] = recipes.split('## Remind customers of what is in my calendar');
	const nodes = examples().find(({ file }) => file === 'appointment-reminder.json')?.workflow.nodes;
	const settings = nodes?.find(({ name }) => name === 'Your settings');
	expect(nodes?.map(({ name }) => name)).toContain('Your appointments');
	expect(recipe).toContain('*Your appointments*');
	expect(recipe).toContain('*Your settings*');
	for (const field of ['name', 'number', 'time']) {
		expect(recipe).toContain(`**${field}** is`);
		expect(JSON.stringify(settings?.parameters)).toContain(`"name":"${field}"`);
	}
});
