import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { INSTALL_FOLDER } from '../../playground/folders';
import { examples, nodeFindings } from '../support/workflowFiles';
import { testAnswering } from './examples/answering';
import { testHandingOver } from './examples/handingOver';
import { testLines } from './examples/lines';
import { testListing } from './examples/listing';
import { testModels } from './examples/models';
import { testReminding } from './examples/reminding';
import * as shop from './examples/shop';

const AUTO_REPLY = 'twmAutoReply0001';

beforeAll(shop.open);

afterAll(shop.close);

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
	// Each example answers alone.
	beforeAll(async () => await shop.running().n8n.deactivate(AUTO_REPLY));

	testAnswering();
	testListing();
	testHandingOver();
	testReminding();
	testModels();
	testLines();
});
