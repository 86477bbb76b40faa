import type { INodeType } from 'n8n-workflow';
import { runWorkflow, type Run } from '../support/executions';
import { nodeType } from '../support/flowNodes';
import { Instance } from '../support/instance';

type Work = Parameters<typeof nodeType>[1];

/** A node that does what a test says, so that the test sees what the real n8n-core makes of it. */
export const probeOf = (work: Work): INodeType => nodeType('probe', work);

export const instanceWith = (...nodeTypes: INodeType[]): Instance => new Instance({ nodeTypes });

export const PROBE_REQUEST = { nodes: [{ type: 'probe', name: 'Probe' }] };

export const runProbe = async (work: Work): Promise<Run> =>
	await runWorkflow(instanceWith(probeOf(work)), PROBE_REQUEST);
