import { NodeOperationError } from 'n8n-workflow';
import { reasonOf } from '../../reasonOf';
import { pause, stopIfCancelled } from '../../service/pause';
import type { Outcome } from '../../service/outcome';
import { inTurn, type Run } from '../../service/run';
import type { Delivery } from './deliver';
import { findLost, printOf } from './find';
import { Ledger, newEntry, type Entry } from './ledger';
import { OnceList, readNote, written, type OnceStanding } from './onceList';

/** How long a message may be open because another process is at it: the time of an answer, and what its row takes to appear. */
const OTHERS_END_WITHIN_MS = 40_000;
const LOOK_EVERY_MS = 5_000;

/** How much is read of the history to find a message that an earlier execution may have sent. */
const PAGES = { pageSize: 500, mostPages: 100 };

/** Ends a delivery, as the message was begun before. */
class BegunBefore extends Error {
	constructor(readonly standing: Exclude<OnceStanding, 'begun'>) {
		super();
	}
}

/** @throws every other reason why a delivery ended */
function whyNotBegun(thrown: unknown): BegunBefore['standing'] {
	if (thrown instanceof BegunBefore) return thrown.standing;
	throw thrown;
}

/**
 * Delivers a message unless one was sent to the same number for the same words before, by whatever execution of the node. It
 * is begun in n8n's table after the wait for the limit, and given back where the service has certainly not accepted it.
 *
 * @param words what the message is for: for the same words each number gets one message
 * @returns `'sentBefore'`, or what `send` returns
 * @throws NodeOperationError where it cannot be known, and what `send` throws
 */
export async function deliverOnce(
	run: Run,
	delivery: Delivery,
	words: string,
	send: (run: Run, delivery: Delivery) => Promise<Outcome | undefined>,
): Promise<Outcome | 'sentBefore' | undefined> {
	const { entry, request } = delivery;
	const ledger = run.memory.part(Ledger);
	const list = new OnceList(run.context, run.memory);
	// Somebody who names a list, and not each customer in it, means a message for each.
	const name = `${request.number} ${words}`;
	const key = keyOf(run, name);
	const begin = async () => {
		// A message that this execution has left open looks into the history by itself.
		if (entry.lost) return;
		const note = written(printOf(await run.connection(), request), run.clock.nowMs());
		const standing = await orExplain(run, delivery, async () => await list.begin(name, note));
		if (standing !== 'begun') throw new BegunBefore(standing);
		entry.once = { name, note };
		ledger.file(key, entry);
	};
	const end = async (state: Entry['state']) => {
		const { note } = entry.once ?? {};
		if (state === 'sent') await settle(run, async () => await list.markSent(name, note));
		if (state === 'refused') await settle(run, async () => await list.giveBack(name, note));
	};
	const deliverInTurn = async () => {
		for (;;) {
			if (ledger.find(key)?.state === 'sent') return 'sentBefore';
			const result = await send(run, { ...delivery, once: { begin, end } }).catch(whyNotBegun);
			if (result !== 'open') return result;
			await orExplain(run, delivery, async () => await findOutOpen(run, list, name, delivery));
		}
	};
	return await inTurn(run, key, deliverInTurn);
}

const keyOf = ({ context }: Run, name: string): string =>
	`once ${context.getWorkflow().id} ${context.getNode().id} ${name}`;

/** Forgets that a message was sent, as the service could not deliver it: the next execution may send another one. */
export async function forgetOnce(run: Run, entry: Entry): Promise<void> {
	if (!entry.once) return;
	const { name, note } = entry.once;
	// A second try of the node sees the failure again, when another execution may have sent the message since.
	entry.once = undefined;
	run.memory.part(Ledger).forget(keyOf(run, name));
	const list = new OnceList(run.context, run.memory);
	await settle(run, async () => await list.giveBack(name, note));
}

/**
 * Finds out what became of a message that another execution has left open: it then counts as sent, or can be begun again. Where
 * another process may still be at it, that is waited for.
 */
async function findOutOpen(
	run: Run,
	list: OnceList,
	name: string,
	{ request, itemIndex }: Delivery,
): Promise<void> {
	const { clock } = run;
	const ledger = run.memory.part(Ledger);
	const key = keyOf(run, name);
	const note = await list.noteOf(name);
	if (note === undefined) return;
	const isOurs = ledger.find(key)?.once?.note === note;
	for (
		let untilMs = clock.nowMs() + (isOurs ? 0 : OTHERS_END_WITHIN_MS);
		clock.nowMs() < untilMs;
	) {
		await pause(run, LOOK_EVERY_MS);
		// It has ended, or somebody else has begun it.
		if ((await list.noteOf(name)) !== note) return;
	}
	const { sinceMs, print } = readNote(note);
	const entry = newEntry();
	const lost = { sinceMs };
	const found = await findLost(run, { request, entry, lost, itemIndex, print, pages: PAGES });
	if (found === 'undated') {
		throw new Error(
			'it shows a message that may be this one or an earlier one, and does not say to the second when it was sent',
		);
	}
	if (found) {
		ledger.file(key, entry);
		await settle(run, async () => await list.markSent(name, note));
	} else {
		await list.reopen(name, note);
	}
}

/** @throws NodeOperationError with the item's number where the work throws */
async function orExplain<Result>(
	{ context }: Run,
	{ itemIndex }: Delivery,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (thrown) {
		stopIfCancelled(context);
		const message = `Whether the message was sent before cannot be found out`;
		throw new NodeOperationError(context.getNode(), message, {
			description: `The message was not sent now. Send Only Once Per needs n8n's database, and after an interruption the history of the service: ${reasonOf(thrown)}`,
			itemIndex,
		});
	}
}

/** Writes down how a message ended. Where that fails it stays open, and the next process looks into the history. */
async function settle({ context }: Run, write: () => Promise<void>): Promise<void> {
	try {
		await write();
	} catch (thrown) {
		context.logger.warn(
			`${context.getNode().name}: could not write down how a message ended that is sent only once: ${reasonOf(thrown)}`,
		);
	}
}
