import type { SendRequest } from '../../contract';
import { refusal } from '../../fields/readField';
import { addProcessedNames, removeProcessedNames, TableTurns } from '../../n8n/processedData';
import { Queue } from '../../queue';
import { reasonOf } from '../../reasonOf';
import type { Outcome } from '../../service/outcome';
import { pause, stopIfCancelled } from '../../service/pause';
import type { Run } from '../../service/request';
import type { Delivery, Watch } from './deliver';
import { findLost } from './find';
import { Ledger, newEntry, printOf, type Entry } from './ledger';

/** Names of sent messages that a node keeps: about 27 bytes each, in one row of n8n's table. */
const MOST_SENT = 10_000;

/** Room beside them for what is only for moments in the list. */
const MOST_NAMES = MOST_SENT + 600;

/** A note is the time in eight digits and a print in twelve. */
const TIME_DIGITS = 8;
const NOTE_DIGITS = TIME_DIGITS + 12;
const DIGITS = '0123456789abcdef';

/** How long after it was begun a message may be open because somebody is at it: the time of an answer, and what its row takes to appear. */
const ENDS_WITHIN_MS = 40_000;
const LOOK_EVERY_MS = 5_000;

/** How much is read of the history to find a message that an earlier execution may have sent. */
const PAGES = { pageSize: 500, mostPages: 100 };

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
	send: (delivery: Delivery) => Promise<Outcome | undefined>,
): Promise<Outcome | 'sentBefore' | undefined> {
	const { entry, request } = delivery;
	const ledger = run.memory.part(Ledger);
	// Somebody who names a list, and not each customer in it, means a message for each.
	const name = `${request.number} ${words}`;
	const { context } = run;
	const key = `once ${context.getWorkflow().id} ${context.getNode().id} ${name}`;
	let standing: Standing | undefined;
	const watch: Watch = async (state) => {
		if (state === 'sent' || state === 'refused') {
			await endOnce(run, name, state === 'sent', entry.once?.note);
		}
		// A message that this execution has left open looks into the history by itself.
		if (state !== 'onItsWay' || entry.lost) return;
		const seconds = Math.floor(run.clock.nowMs() / 1_000).toString(16);
		const note = seconds.padStart(TIME_DIGITS, '0') + printOf(run, request);
		standing = await orExplain(run, beginOnce(run, name, note));
		if (standing !== 'begun') throw new Error(`The message is ${standing}`);
		entry.once = { name, note, key };
		ledger.file(key, entry);
	};
	return await run.memory.part(Queue).inTurn(key, async () => {
		for (;;) {
			if (ledger.find(key)?.state === 'sent') return 'sentBefore';
			standing = undefined;
			const result = await send({ ...delivery, watch }).catch((thrown: unknown) => {
				if (standing === undefined || standing === 'begun') throw thrown;
				return standing;
			});
			if (result !== 'open') return result;
			await orExplain(run, findOutOpen(run, name, key, request));
		}
	});
}

/** Forgets that a message was sent, as the service could not deliver it: the next execution may send another one. */
export async function forgetOnce(run: Run, entry: Entry): Promise<void> {
	if (!entry.once) return;
	const { name, note, key } = entry.once;
	// A second try of the node sees the failure again, when another execution may have sent the message since.
	entry.once = undefined;
	run.memory.part(Ledger).forget(key);
	await endOnce(run, name, false, note);
}

/**
 * Finds out what became of a message that another execution has left open: it then counts as sent, or can be begun again. Where
 * another process may still be at it, that is waited for.
 */
async function findOutOpen(
	run: Run,
	name: string,
	key: string,
	request: SendRequest,
): Promise<void> {
	const { clock } = run;
	const ledger = run.memory.part(Ledger);
	const noteNow = async () => await inTurn(run, async () => await askForNote(run, name));
	const note = await noteNow();
	if (note === undefined) return;
	const nowMs = clock.nowMs();
	const begunMs = note === '' ? nowMs : Math.min(nowMs, secondOf(note) * 1_000 + 1_000);
	const untilMs = begunMs + ENDS_WITHIN_MS;
	while (clock.nowMs() < untilMs) {
		await pause(run, LOOK_EVERY_MS);
		// It has ended, or somebody else has begun it.
		if ((await noteNow()) !== note) return;
	}
	const entry = newEntry();
	// Where nothing is noted, the whole history counts.
	const lost = { sinceMs: note === '' ? 0 : secondOf(note) * 1_000 };
	const print = note === '' ? undefined : note.slice(TIME_DIGITS);
	const found = await findLost(run, {
		request,
		entry,
		lost,
		print,
		pages: PAGES,
	});
	if (found === 'undated') {
		throw new Error(
			'it shows a message that may be this one or an earlier one, and does not say to the second when it was sent',
		);
	}
	if (found) {
		ledger.file(key, entry);
		return await endOnce(run, name, true, note);
	}
	await inTurn(run, async () => {
		// Unless another call has begun it since.
		if ((await askForNote(run, name)) === note) await remove(run, name, false);
	});
}

/** @throws NodeOperationError where the work throws */
async function orExplain<Result>(run: Run, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (thrown) {
		stopIfCancelled(run.context);
		throw refusal(run, {
			message: 'Whether the message was sent before cannot be found out',
			description: `The message was not sent now. Send Only Once Per needs n8n's database, and after an interruption the history of the service: ${reasonOf(thrown)}`,
		});
	}
}

/*
 * The list of the messages that a node sends only once. n8n's table keeps it, so that it holds across executions, restarts
 * and workers. A message that is begun is *taken* and *open*, and has a note. When it was sent, only the first is left: so a
 * process that is killed between the two leaves a message that is known to be open.
 *
 * The table can be asked about a name only by adding it, so each digit of a note is a name of its own. What a question adds is
 * marked as *asked*, as the process may be killed before it has taken it back: such a message was sent before or never begun.
 */

/** How a message stands in the list: begun by this call, sent before, or begun by somebody else and not ended. */
type Standing = 'begun' | 'sentBefore' | 'open';

const secondOf = (note: string) => parseInt(note.slice(0, TIME_DIGITS), 16);

const inTurn = async <Result>({ context, memory }: Run, work: () => Promise<Result>) =>
	await memory.part(TableTurns).take(context, work);

/** Begins a message in the list, unless it was begun before. Two notes that are the same were made by the same call. */
async function beginOnce(run: Run, name: string, note: string): Promise<Standing> {
	return await inTurn(run, async () => {
		const [taken, open, asked] = [`taken ${name}`, `open ${name}`, `asked ${name}`];
		const names = [taken, open, asked, ...noted(name, note)];
		const added = await addProcessedNames(run.context, names, MOST_NAMES);
		const isBegun = added.includes(taken);
		await removeProcessedNames(run.context, isBegun ? [asked] : added);
		if (isBegun) return 'begun';
		return added.includes(open) ? 'sentBefore' : 'open';
	});
}

/** Leaves a message in the list as sent, or takes it out. Where that fails it stays open, and the next process looks for it. */
async function endOnce(run: Run, name: string, isSent: boolean, note?: string): Promise<void> {
	const { context } = run;
	try {
		await inTurn(run, async () => await remove(run, name, isSent, note));
	} catch (thrown) {
		context.logger.warn(
			`${context.getNode().name}: could not write down how a message ended that is sent only once: ${reasonOf(thrown)}`,
		);
	}
}

/** The note of an open message: empty where it is not known what was begun; undefined where the message is not open. */
async function askForNote({ context }: Run, name: string): Promise<string | undefined> {
	const [open, asked] = [`open ${name}`, `asked ${name}`];
	const notes = noted(name);
	const added = new Set(await addProcessedNames(context, [open, asked, ...notes], MOST_NAMES));
	await removeProcessedNames(context, [...added]);
	if (added.has(open)) return undefined;
	const kept = notes.filter((digit) => !added.has(digit));
	const note = kept.map((digit) => digit.charAt(digit.indexOf('=') + 1)).join('');
	// Where a place has no digit or several, another process was killed while it asked.
	return added.has(asked) && kept.join() === noted(name, note).join() ? note : '';
}

async function remove({ context }: Run, name: string, isSent: boolean, note?: string) {
	const names = [`open ${name}`, `asked ${name}`, ...noted(name, note)];
	await removeProcessedNames(context, isSent ? names : [`taken ${name}`, ...names]);
}

/** The names of a note, place by place; of every note unless one is given. */
function noted(name: string, note?: string): string[] {
	const names: string[] = [];
	for (let place = 0; place < NOTE_DIGITS; place += 1) {
		for (const digit of note?.charAt(place) ?? DIGITS) names.push(`note ${place}=${digit} ${name}`);
	}
	return names;
}
