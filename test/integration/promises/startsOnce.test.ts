import { DataDeduplicationService } from 'n8n-core';
import { log } from '../../support/log';
import { turns } from '../../support/turns';
import { eventOf, expectEach, handles, historyWorld, SECRET } from '../historyWorld';
import { play } from '../scenes';
import type { HistoryRow } from '../triggerHistory';

/* None starts the workflow twice. */

const world = historyWorld();

/** The event in the flat form (§6.3). */
const flatEventOf = (row: HistoryRow) => ({ event: 'receive', ...row });

test('an event starts the workflow once, however often and in whatever form the service delivers it', async () => {
	const process = await world.started();
	const ids = world.texts(1);
	const [row] = world.service.rows as [HistoryRow];
	const deliverAll = async () => {
		const events = [eventOf(row), flatEventOf(row), { ...eventOf(row), id: 'evt_other' }];
		await Promise.all(events.map((event) => process.receive(event, SECRET, world.nowMs)));
	};
	await deliverAll();
	const begun = handles(await process.execute());
	await deliverAll();
	begun.push(...handles(await world.check(process)));
	await deliverAll();
	begun.push(...handles(await process.execute()));
	expect(begun).toEqual(ids);
});

test('n8n’s database records the ID before the first node: a kill right after it starts nothing twice', async () => {
	const begun = await play(world, 'publish; text m1..40; webhook m1..40; crash; again: nothing');
	expect(begun).toHaveLength(40);
});

test('n8n’s database keeps the IDs of eight days', async () => {
	const aDay = (day: number) =>
		`text day${day}.1..30; webhook day${day}.1..30: day${day}.1..30; check 24h: nothing`;
	const days = Array.from({ length: 8 }, (_, day) => aDay(day));
	await play(world, `publish; ${days.join('; ')}; kill; again: nothing`);
});

test('Retry in the list of executions starts with the same items once more', async () => {
	const process = await world.started();
	const ids = world.texts(1);
	await world.deliver(process, ids);
	await turns();
	const items = structuredClone(process.queue[0]?.items ?? []);
	expect(handles(await process.execute())).toEqual(ids);
	process.queue.push({ items, mode: 'retry' });
	expect(handles(await process.execute())).toEqual(ids);
});

test('where the database cannot record an ID, the event begins, and the log says so', async () => {
	const process = await world.started();
	jest
		.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord')
		.mockRejectedValue(new Error('database is locked'));
	const ids = world.texts(2);
	await world.deliver(process, ids);
	expectEach(await process.execute(), ids);
	expect(log.text()).toContain('database is locked');
});
