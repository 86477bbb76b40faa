import { log } from '../../support/log';
import { handles, historyWorld, HOUR_MS, MINUTE_MS } from '../historyWorld';
import { inbound } from '../triggerHistory';
import { deliver, expectEach, NO_CHECKS, texts } from './scene';

/* No customer's message is lost. */

const world = historyWorld();

test('what no webhook brings, for example because n8n was down, the next check finds in the history', async () => {
	const process = await world.started();
	const lost = texts(world, 3, 'lost');
	const found = await world.check(process);
	expect(handles(found)).toEqual(lost);
	expect(found).toEqual(lost.map(() => expect.objectContaining({ recovered: true })));

	const missed = texts(world, 3, 'missed');
	world.nowMs += 5 * HOUR_MS;
	const again = await world.restarted();
	expect(handles(await again.execute())).toEqual(missed);
});

test('what came while n8n started comes with the check at its start, however new it is', async () => {
	await world.started();
	const missed = texts(world, 1);
	const again = await world.restarted();
	expect(handles(await again.execute())).toEqual(missed);
});

test('with 0 under Double-Check Every (Minutes), webhooks start the workflow all the same', async () => {
	const process = await world.started(NO_CHECKS);
	const [delivered = '', lost = ''] = texts(world, 2);
	await deliver(world, process, [delivered]);
	expect(handles(await process.execute())).toEqual([delivered]);
	const again = await world.restarted(NO_CHECKS);
	expect(handles(await again.execute())).not.toContain(delivered);
	expect(handles(await world.check(again))).not.toContain(lost);
});

test('when n8n was away for longer than Look Back at Most (Hours), the log says what is left out', async () => {
	const options = { recoverHours: 2 };
	await world.started({ options });
	texts(world, 2, 'old');
	world.nowMs += 2 * HOUR_MS;
	const missed = texts(world, 2, 'missed');
	world.nowMs += HOUR_MS;
	const process = await world.restarted({ options });
	expect(handles(await process.execute())).toEqual(missed);
	expect(handles(await world.check(process))).toEqual([]);
	expect(log.messages('warn').join()).toMatch(/left out .*2.*2 hours/);
});

test('while n8n runs, nothing is too old: what came in days without the service is found when it is back', async () => {
	const process = await world.started();
	world.service.fail(503);
	const missed: string[] = [];
	for (let hour = 0; hour < 50; hour += 1) {
		missed.push(...texts(world, 1, `hour ${hour} `));
		expect(await world.check(process, HOUR_MS)).toEqual([]);
	}
	world.service.fail(200);
	expect(handles(await world.check(process))).toEqual(missed);
});

test('a message that turns up in the history 400 texts of customers late is found', async () => {
	const process = await world.started();
	texts(world, 200, 'before');
	const lateMs = world.nowMs + 500;
	texts(world, 200, 'meanwhile');
	expect(await world.check(process)).toHaveLength(400);
	world.service.rows.splice(200, 0, inbound('late', lateMs));
	expect(handles(await world.check(process))).toEqual(['late']);
	const again = await world.restarted();
	expect(await again.execute()).toEqual([]);
});

test('a message that is dated before the publishing starts nothing, whether it was there or turns up later', async () => {
	texts(world, 3, 'before');
	const process = await world.started();
	world.service.rows.unshift(inbound('older', world.nowMs - HOUR_MS));
	world.service.rows.push(inbound('older, and last', world.nowMs - HOUR_MS));
	expect(await world.check(process)).toEqual([]);
	const since = texts(world, 1, 'since');
	expect(handles(await world.check(process))).toEqual(since);
});

test('texts that still wait for their executions when you unpublish begin all the same', async () => {
	const process = await world.started();
	const waiting = texts(world, 60);
	await deliver(world, process, waiting);
	await process.release();
	expectEach(await process.execute(), waiting);
});

test('texts that still wait when you unpublish begin also if n8n is killed after you published again', async () => {
	const killed = await world.started();
	const waiting = texts(world, 60);
	await deliver(world, killed, waiting);
	await killed.release();
	texts(world, 1, 'while unpublished');
	world.nowMs += MINUTE_MS;
	await killed.activate('activate');
	const begun = await killed.execute(4);
	world.nowMs += 10 * MINUTE_MS;
	const process = await world.restarted();
	begun.push(...(await process.execute()));
	expectEach(begun, waiting);
});
