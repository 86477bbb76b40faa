import { setImmediate as turn } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { handles, SECRET, type HistoryWorld } from '../historyWorld';
import { inbound, type HistoryRow } from '../triggerHistory';
import type { Process } from '../triggerProcess';
import { receiveEvent } from '../triggerWorkflow';

/** No check. */
export const NO_CHECKS = { checkEvery: 0 };

/** Customers text, each from a phone of their own and a second apart; returns the messages' IDs. Nothing is delivered yet. */
export const texts = (
	world: HistoryWorld,
	count: number,
	name = 'm',
	more: Partial<HistoryRow> = {},
): string[] =>
	Array.from({ length: count }, (_, at) => {
		world.nowMs += 1_000;
		const from = `+1555123${1_000 + (at % 9_000)}`;
		world.service.rows.push(inbound(`${name}${at}`, world.nowMs, { from, ...more }));
		return `${name}${at}`;
	});

/** The event that tells of a row of the history. */
export const eventOf = ({ message_handle: handle, ...row }: HistoryRow) => ({
	...receiveEvent(handle, { from: row.from, to: row.to, text: row.content }),
	created_at: row.date_sent,
});

/** The service delivers texts to n8n, all at once, and each is answered 2xx. */
export const deliver = async (world: HistoryWorld, process: Process, ids: string[]) => {
	const wanted = new Set(ids);
	const rows = world.service.rows.filter((row) => wanted.has(row.message_handle));
	const answers = rows.map(async (row) => await process.receive(eventOf(row), SECRET, world.nowMs));
	expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
};

/** Each of these messages has begun once, in whatever order. */
export const expectEach = (begun: IDataObject[], ids: string[]) =>
	expect(handles(begun).sort()).toEqual([...ids].sort());

/** Lets everything go on that waits for no time to pass. */
export const settle = async () => {
	for (let turns = 0; turns < 5; turns += 1) await turn();
};

/** The executions that wait in one process begin in another; returns their items. */
export const work = async (from: Process, worker: Process): Promise<IDataObject[]> => {
	const begun: IDataObject[] = [];
	for (let turns = 0; turns < 50; turns += 1) {
		worker.queue.push(...from.queue.splice(0));
		begun.push(...(await worker.execute()));
		await turn();
	}
	return begun;
};
