import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeType, VersionedNodeType } from 'n8n-workflow';
import { INSTALL_FOLDER } from '../playground/folders';

const N8N_FOLDER = join(INSTALL_FOLDER, 'n8n');
const NODE_FILE = 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js';

/** Whether the playground's n8n is installed, which contains the HTTP Request node. */
export const hasHttpRequestNode = (): boolean =>
	existsSync(join(N8N_FOLDER, 'node_modules', NODE_FILE));

/** Loads n8n's HTTP Request node in its newest version. */
export function loadHttpRequestNode(): INodeType {
	const requireFromN8n = createRequire(join(N8N_FOLDER, 'package.json'));
	const { HttpRequest } = requireFromN8n(NODE_FILE) as { HttpRequest: new () => VersionedNodeType };
	return new HttpRequest().getNodeType();
}
