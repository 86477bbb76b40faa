import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { INSTALL_FOLDER } from '../../playground/folders';
import { examples, nodeFindings } from '../support/workflowFiles';
import { testAnswering } from './examples/answering';
import { ExamplesPlayground, type Given } from './examples/examplesPlayground';
import { testHandingOver } from './examples/handingOver';
import { testLines } from './examples/lines';
import { testListing } from './examples/listing';
import { testModels } from './examples/models';
import { testReminding } from './examples/reminding';

const AUTO_REPLY = 'twmAutoReply0001';

let playground: ExamplesPlayground;

beforeAll(async () => {
	playground = await ExamplesPlayground.start();
});

afterAll(async () => await playground?.removeAll());

test('every node of every example exists in the installed n8n, with parameters that it knows', async () => {
	for (const packageName of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
		const folder = join(INSTALL_FOLDER, 'n8n', 'node_modules', packageName);
		const types = await readFile(join(folder, 'dist', 'types', 'nodes.json'), 'utf8');
		const nodes = examples()
			.flatMap(({ workflow }) => workflow.nodes)
			.filter(({ type }) => type.startsWith(`${packageName}.`));
		expect(nodes.length).toBeGreaterThan(0);
		const descriptions = JSON.parse(types) as INodeTypeDescription[];
		expect(nodes.flatMap((node) => nodeFindings(node, descriptions))).toEqual([]);
	}
});

describe('each example', () => {
	const given: Given = {
		playground: () => playground,
		number: (digits) => `+155591000${digits}`,
		copy: async (id, change = (copy) => copy) => await playground.copy(id, '91', change),
	};

	// Each example answers alone.
	beforeAll(async () => await playground.running.n8n.deactivate(AUTO_REPLY));

	testAnswering(given);
	testListing(given);
	testHandingOver(given);
	testReminding(given);
	testModels(given);
	testLines(given);
});
