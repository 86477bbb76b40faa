import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import { NO_REQUEST_LIMITS } from '../../../sandbox/src';
import { ANNA, BEN, SEND, serviceInEachTest } from '../../support/service';
import { SkippingClock } from '../../support/testClock';
import { RETRY_ON_FAIL, startProcess } from './sendingScene';
import { DAY_MS } from '../../support/times';

/* No customer is texted twice. */

const HELLO = { number: ANNA, content: 'hello' };
const TO_BEN = { number: BEN, content: 'hello' };
const UNCONFIRMED = 'The service has not confirmed the message, so it may or may not arrive';

const service = serviceInEachTest(() => ({ requestLimits: NO_REQUEST_LIMITS }));

const texts = async () => (await service.accepted()).map(({ to, content }) => `${to} ${content}`);

/** The answer to the next request is lost; the service accepts it, or does not. */
const lose = async (kind: 'reset-after' | 'reset-before') =>
	await service.fault(PATHS.sendMessage, kind);

/** So often the history cannot be read, that no look of one delivery succeeds. */
const hideHistory = async () => await service.fault(PATHS.messages, 'status-500', 3);

test('the node tries again only what was surely not accepted', async () => {
	await service.fault(PATHS.sendMessage, 'refuse-429', 2, { retry_after_seconds: 1 });
	const run = await startProcess(service).send([HELLO, TO_BEN]);
	expect(run.status).toBe('success');
	await lose('reset-before');
	const stopped = await startProcess(service).send([{ ...HELLO, content: 'bye' }]);
	expect(stopped.nodeError('Node')?.message).toBe(UNCONFIRMED);
	expect(await texts()).toEqual([`${ANNA} hello`, `${BEN} hello`]);
});

describe('Retry On Fail texts nobody twice: the second try knows what the first one has sent', () => {
	test('also where it stopped in the middle of a list', async () => {
		await service.fault(PATHS.sendMessage, 'pass', 1);
		await lose('reset-before');
		const stopped = await startProcess(service).send([HELLO, TO_BEN], { node: RETRY_ON_FAIL });
		expect(stopped.nodeError('Node')?.message).toContain(UNCONFIRMED);
		expect(await texts()).toEqual([`${ANNA} hello`]);
	});

	test('also where the answer was lost, and the text has chance in it', async () => {
		await lose('reset-after');
		await hideHistory();
		const parameters = { ...SEND, content: '={{ "hello " + Math.random() }}' };
		const run = await startProcess(service, { parameters }).send([HELLO], { node: RETRY_ON_FAIL });
		expect(run.status).toBe('success');
		expect(await texts()).toHaveLength(1);
	});

	test.each([
		['within eight days', 8 * DAY_MS - 60_000, [`${ANNA} hello`]],
		['and not after them', 8 * DAY_MS, [`${ANNA} hello`, `${ANNA} hello`, `${BEN} hello`]],
	])('for as long as is promised: %s', async (_, waitedMs, got) => {
		const clock = new SkippingClock(Date.now());
		await service.fault(PATHS.sendMessage, 'pass', 1);
		await lose('reset-before');
		let requests = 0;
		service.onRequest(PATHS.sendMessage, () => {
			// The service has asked to wait for days.
			if ((requests += 1) === 2) clock.ms += waitedMs;
		});
		await startProcess(service, { clock }).send([HELLO, TO_BEN], { node: RETRY_ON_FAIL });
		expect(await texts()).toEqual(got);
	});
});

describe('it does not hold', () => {
	test('with If Unsure It Was Sent set to Send Once More, where the history shows the message too late', async () => {
		await lose('reset-after');
		const options = { ifUnconfirmed: 'sendAgain' };
		const parameters = { ...SEND, options };
		service.onRequest(PATHS.messages, () => Response.json({ messages: [] }));
		await startProcess(service, { parameters }).send([HELLO]);
		expect(await texts()).toHaveLength(2);
	});

	test('with Retry in the list of executions, and with a second try after n8n was restarted', async () => {
		const n8n = startProcess(service);
		await n8n.send([HELLO]);
		await n8n.send([HELLO]);
		await startProcess(service).send([HELLO]);
		expect(await texts()).toHaveLength(3);
	});

	test('where two n8n processes send the same to one number, and an answer is lost', async () => {
		await startProcess(service).send([HELLO]);
		await lose('reset-before');
		const run = await startProcess(service).send([HELLO]);
		expect(run.status).toBe('success');
		expect(await texts()).toHaveLength(1);
	});
});

test('the other way round: an earlier message that still waits and has no date is taken for the one sent', async () => {
	await service.begin({ requestLimits: NO_REQUEST_LIMITS, sentAfterMs: DAY_MS });
	await startProcess(service).send([HELLO]);
	await lose('reset-before');
	const run = await startProcess(service).send([HELLO]);
	expect(run.json('Node')).toMatchObject([{ status: 'QUEUED' }]);
	expect(await texts()).toHaveLength(1);
});
