import crypto from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { historyWorld, HOUR_MS, SECRET } from '../historyWorld';
import { receiveEvent, signed } from '../triggerWorkflow';

/* Nothing unsigned gets in. */

const world = historyWorld();

const event = receiveEvent('a');

test('the signature is checked over the exact bytes', async () => {
	const process = await world.started();
	const written = JSON.stringify(event, null, ' \t').replace('hello', '\\u0068ello');
	const { headers } = signed(written, SECRET, world.nowMs);
	const again = Buffer.from(JSON.stringify(event));
	expect(await process.receiveRequest({ headers, rawBody: again })).toBe(401);
	expect(await process.execute()).toEqual([]);
	expect(await process.receive(written, SECRET, world.nowMs)).toBe(200);
	expect(await process.execute()).toMatchObject([{ content: 'hello' }]);
});

test('the signature is compared in constant time', async () => {
	const compared = jest.spyOn(crypto, 'timingSafeEqual');
	const process = await world.started();
	expect(await process.receive(event, 'guessed', world.nowMs)).toBe(401);
	expect(compared).toHaveBeenCalled();
});

test('§6.4 the operator’s own name of the header counts, beside others, and nothing else that it may hold', async () => {
	const process = await world.started();
	const { rawBody, headers } = signed(event, SECRET, world.nowMs);
	const genuine = headers['service-signature'];
	const [t] = genuine.split(',');
	const wrong = `${t},v1=${'0'.repeat(64)}`;
	for (const others of [
		{ 'acme-signature': wrong },
		{ 'acme-signature': 'sha256=1' },
		{ 'acme-signed': genuine },
		{ 'signature-of-acme': genuine },
	]) {
		expect(await process.receiveRequest({ headers: others, rawBody })).toBe(401);
	}
	const named = {
		'x-hub-signature': 'sha256=1',
		'old-signature': wrong,
		'x-acme-signature': genuine,
	};
	expect(await process.receiveRequest({ headers: named, rawBody })).toBe(200);
	expect(await process.execute()).toHaveLength(1);
});

test.each<[string, INodeParameters, object]>([
	['as the node is added', {}, {}],
	['with no tolerance', { options: { toleranceSeconds: 0 } }, {}],
	['with any tolerance', { options: { toleranceSeconds: 1e15 } }, {}],
	['with a tolerance that is no number', { options: { toleranceSeconds: 'any' } }, {}],
	['with an empty signing secret', {}, { signingSecret: '' }],
	['with a blank signing secret', {}, { signingSecret: ' ' }],
	['without checks', { checkEvery: 0, pollTimes: {} }, {}],
])('there is no way to switch that off: %s', async (_, parameters, changes) => {
	const process = await world.started(parameters, { ...world.service.credential, ...changes });
	const { rawBody } = signed(event, SECRET, world.nowMs);
	const [t] = signed(event, SECRET, world.nowMs).headers['service-signature'].split(',');
	const other = { 'service-signature': `${t},v1=${'0'.repeat(64)}` };
	const older = signed(event, SECRET, world.nowMs - HOUR_MS).headers;
	const blank = signed(event, ' ', world.nowMs).headers;
	for (const headers of [{}, { 'service-signature': `${t}` }, other, blank]) {
		expect(await process.receiveRequest({ headers, rawBody })).toBe(401);
	}
	if (parameters.options === undefined) {
		expect(await process.receiveRequest({ headers: older, rawBody })).toBe(401);
	}
	expect(await process.execute()).toEqual([]);
});
