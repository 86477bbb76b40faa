import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { createEngine } from '../support/engine';
import { startStub } from '../support/stub';
import { SkippingClock } from '../support/testClock';

/** Sends a message whose status says this, while its row of the history stays QUEUED; waits for it to come so far. */
const send = async (status: string, waitFor: string) => {
	const row = { message_handle: 'm1', to: '+15551230001', content: 'hello', is_outbound: true };
	const stub = await startStub(({ path }) => {
		if (path === PATHS.sendMessage) return { status: 201, body: { ...row, status: 'QUEUED' } };
		const channel = status === 'SENT' ? 'SMS' : null;
		if (path.includes('/status')) return { body: { ...row, status, service: channel } };
		return { body: { messages: [{ ...row, status: 'QUEUED', date_sent: null }], next: null } };
	});
	const engine = createEngine({
		nodeTypes: [new TwoWayMessaging(new ProcessMemory(new SkippingClock(Date.now())))],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: { baseUrl: stub.url, apiKey: 'k-1', apiSecret: 's-1' } },
	});
	const run = await engine.runWorkflow({
		nodes: [
			{
				type: 'twoWayMessaging',
				name: 'Node',
				parameters: {
					resource: 'message',
					operation: 'send',
					number: row.to,
					content: row.content,
					options: { waitFor },
				},
			},
		],
	});
	await stub.stop();
	return run;
};

describe('§3.1 a row of the history that lags behind the status', () => {
	test('does not make a message that could not be sent look like one on its way', async () => {
		const run = await send('ERROR', 'sent');

		expect(run.nodeError('Node')?.message).toMatch(/could not (be sent|send)/i);
	});

	test('does not take back that a message has left, nor its channel', async () => {
		const run = await send('SENT', 'delivered');

		expect(run.json('Node')).toMatchObject([{ status: 'SENT', service: 'SMS' }]);
	});
});
