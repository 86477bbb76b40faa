import { createEngine } from './engine';
import { nodeType } from './flowNodes';

/** A node that remembers the ids of its items, three at most. */
const probe = nodeType('probe', async (context) => {
	const ids = context.getInputData().map(({ json }) => json.id as string);
	const options = { mode: 'entries', maxEntries: 3 } as const;
	const seen = await context.helpers.checkProcessedAndRecord(ids, 'node', options);
	return [[{ json: { isNew: seen.new.length === 1 } }]];
});

const engine = createEngine({ nodeTypes: [probe] });

test('the stand-in for n8n’s table keeps so many names of a node, and loses some that are written at once', async () => {
	const remember = async (id: string) => {
		const run = await engine.runWorkflow({
			nodes: [{ type: 'probe', name: 'Probe' }],
			items: [{ json: { id } }],
		});
		return run.json('Probe')[0]?.isNew;
	};
	const remembered: unknown[] = [];
	for (const id of ['a', 'b', 'a', 'c', 'd', 'a']) remembered.push(await remember(id));
	expect(remembered).toEqual([true, true, false, true, true, true]);

	await Promise.all(['x', 'y', 'z'].map(remember));
	expect([await remember('x'), await remember('y'), await remember('z')]).toContain(true);
});
