import { createSandbox, serve } from '../../sandbox/src';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { systemClock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { createEngine } from '../support/engine';

const ALL = 10;
const EACH = 20;

test('§8.1 when the limit of all requests is used up, one refusal a window tells sends and reads alike', async () => {
	const sandbox = createSandbox({
		windowMs: 2_500,
		requestLimits: { all: ALL, sendMessage: 60, media: 30, lookup: 20 },
	});
	const statuses: number[] = [];
	const { fetch } = sandbox.app;
	sandbox.app.fetch = async (request, ...more) => {
		const response = await fetch(request, ...more);
		statuses.push(response.status);
		return response;
	};
	const { url, close } = await serve(sandbox);
	const [pair] = sandbox.keyPairs;
	const engine = createEngine({
		nodeTypes: [new TwoWayMessaging(new ProcessMemory(systemClock))],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: {
			twoWayMessagingApi: { baseUrl: url, apiKey: pair?.key ?? '', apiSecret: pair?.secret ?? '' },
		},
	});
	const run = async (parameters: object) =>
		await engine.runWorkflow({
			nodes: [{ type: 'twoWayMessaging', name: 'Node', parameters: { ...parameters } }],
			items: Array.from({ length: EACH }, () => ({ json: {} })),
		});

	const runs = await Promise.all([
		run({ resource: 'message', operation: 'send', number: '+15551230001', content: 'hello' }),
		run({ resource: 'message', operation: 'getMany', limit: 1 }),
	]);
	await close();

	expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
	const refusals = statuses.filter((status) => status === 429).length;
	// Nobody needs to ask behind the last one.
	const windows = Math.ceil((statuses.length - refusals) / ALL) - 1;
	expect(refusals).toBeLessThanOrEqual(windows);
});
