import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import type { Fields } from '../../nodes/TwoWayMessaging/message';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { deliverOnce, forgetOnce } from '../../nodes/TwoWayMessaging/resources/message/deliverOnce';
import { OnceList } from '../../nodes/TwoWayMessaging/resources/message/onceList';
import { OpenNote } from '../../nodes/TwoWayMessaging/resources/message/openNote';
import type { Attempt } from '../../nodes/TwoWayMessaging/resources/message/sendAttempts';
import { startRun, type Run } from '../../nodes/TwoWayMessaging/resources/run';
import type { Outcome } from '../../nodes/TwoWayMessaging/transport/request';
import { SkippingClock } from '../support/testClock';
import { connectionTo, response } from '../transport/caller';
import { executionWithTable, Table } from './executionWithTable';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const REQUEST: SendRequest = { number: '+15551230001', content: 'hello' };
/** The name of the message in the list. */
const NAME = '+15551230001 order 1';
const REFUSAL = { kind: 'unanswered', code: 'ECONNREFUSED' } as const;
const CANNOT_KNOW = 'Whether the message was sent before cannot be found out [item 3]';

const clock = new SkippingClock();
let table: Table;
/** The pages of the history, newest first. */
let pages: Fields[][];
let historyStatus: number;
/** The queries of all looks into the history. */
let looks: unknown[];
let warnings: string[];

beforeEach(() => {
	clock.ms = NOW_MS;
	table = new Table();
	pages = [[]];
	historyStatus = 200;
	looks = [];
	warnings = [];
});

/** A run of the node, in a process of its own unless a memory is given. */
async function startedRun(
	memory = new ProcessMemory(clock),
	setUp: Parameters<typeof executionWithTable>[1] & { cancelling?: AbortController } = {},
): Promise<Run> {
	const { connection, warnings: warned } = await connectionTo(({ qs }) => {
		looks.push(qs);
		const place = Number(qs?.before ?? 0);
		const next = place + 1 < pages.length ? `${place + 1}` : null;
		const headers = { date: new Date(clock.ms).toUTCString() };
		return response(historyStatus, { messages: pages[place] ?? [], next }, headers);
	}, memory);
	warnings = warned;
	const execution = executionWithTable(table, setUp);
	const caller = {
		...connection.caller,
		...execution,
		helpers: { ...connection.caller.helpers, ...execution.helpers },
		getExecutionCancelSignal: () => setUp.cancelling?.signal,
	};
	return startRun(caller as unknown as IExecuteFunctions, memory);
}

/** Delivers a message, and says how often it was given to the service. */
async function send(
	run: Run,
	{
		words = 'order 1',
		request = REQUEST,
		attempt = { token: 't', sentAgain: false } as Attempt,
		deliver = async (): Promise<Outcome | undefined> => undefined,
	} = {},
) {
	let sends = 0;
	const counted = async () => {
		sends += 1;
		return await deliver();
	};
	const result = await deliverOnce(run, {
		words,
		request,
		attempt,
		itemIndex: 3,
		deliver: counted,
	}).catch((thrown: Error & { description?: string }) => thrown);
	return { result, sends };
}

const SENT = { result: undefined, sends: 1 };
const SENT_BEFORE = { result: 'sentBefore', sends: 0 };

/** What a process leaves behind that is killed in the middle of a send. */
const leaveOpen = async () =>
	await new OnceList(
		executionWithTable(table) as IExecuteFunctions,
		new ProcessMemory(clock),
	).begin(NAME, OpenNote.of(REQUEST, clock.ms));

const row = (more: Fields = {}): Fields => ({
	message_handle: 'm1',
	to: REQUEST.number,
	content: REQUEST.content,
	is_outbound: true,
	date_sent: new Date(NOW_MS).toISOString(),
	...more,
});

describe('a message that is sent only once', () => {
	test('is delivered the first time, and not again by any process', async () => {
		const memory = new ProcessMemory(clock);
		expect(await send(await startedRun(memory))).toEqual(SENT);
		expect(await send(await startedRun(memory))).toEqual(SENT_BEFORE);
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
		expect(looks).toEqual([]);
		expect(clock.ms).toBeLessThan(NOW_MS + SECOND_MS);
	});

	test('is delivered again where the service has refused it', async () => {
		const deliver = async () => REFUSAL;
		expect(await send(await startedRun(), { deliver })).toEqual({ result: REFUSAL, sends: 1 });
		expect(await table.size()).toBe(0);
		expect(await send(await startedRun())).toEqual(SENT);
	});

	test('is delivered again where it certainly did not leave', async () => {
		const deliver = async () => await Promise.reject(new Error('cancelled'));
		const { result } = await send(await startedRun(), { deliver });
		expect(result).toEqual(new Error('cancelled'));
		expect(await table.size()).toBe(0);
		expect(await send(await startedRun())).toEqual(SENT);
	});

	test('is known as sent, or as not sent, also when midnight has passed meanwhile', async () => {
		const overnight = async () => void (clock.ms += DAY_MS);
		await send(await startedRun(), { deliver: overnight });
		expect(await table.size()).toBe(1);
		const refused = async () => {
			await overnight();
			return REFUSAL;
		};
		await send(await startedRun(), { words: 'order 2', deliver: refused });
		expect(await table.size()).toBe(1);
		const failed = async () => {
			await overnight();
			throw new Error('cancelled');
		};
		await send(await startedRun(), { words: 'order 3', deliver: failed });
		expect(await table.size()).toBe(1);
	});

	test('is not delivered where n8n’s table cannot be written', async () => {
		table.isBroken = true;
		const { result, sends } = await send(await startedRun());
		expect(sends).toBe(0);
		expect(result).toMatchObject({
			message: CANNOT_KNOW,
			description: expect.stringContaining('The disk is full') as string,
			context: { itemIndex: 3 },
		});
	});

	test('counts as delivered where only its end cannot be written, which the log says', async () => {
		const deliver = async () => void (table.isBroken = true);
		expect(await send(await startedRun(), { deliver })).toEqual(SENT);
		expect(warnings).toEqual([
			'Node: could not write down how a message ended that is sent only once: The disk is full',
		]);
	});
});

describe('a message whose end could not be written', () => {
	test('is not sent again by the same process, which has taken its row already', async () => {
		const memory = new ProcessMemory(clock);
		await send(await startedRun(memory), { deliver: async () => void (table.isBroken = true) });
		expect(await send(await startedRun(memory))).toEqual(SENT_BEFORE);
		table.isBroken = false;
		expect(await send(await startedRun(memory))).toEqual(SENT_BEFORE);
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
		expect(looks).toEqual([]);
	});

	test('and that the history has shown is known as sent', async () => {
		await leaveOpen();
		pages = [[row()]];
		const memory = new ProcessMemory(clock);
		const run = await startedRun(memory);
		const looking = send(run);
		while (looks.length === 0) await clock.sleep(0);
		table.isBroken = true;
		expect(await looking).toEqual(SENT_BEFORE);
		table.isBroken = false;
		expect(await send(await startedRun(memory))).toEqual(SENT_BEFORE);
	});
});

describe('a message that could not be delivered', () => {
	test('is forgotten once: a second try does not forget what another execution has sent since', async () => {
		const attempt: Attempt = { token: 't', sentAgain: false };
		const run = await startedRun();
		await send(run, { attempt });
		await forgetOnce(run, attempt);
		expect(await send(await startedRun())).toEqual(SENT);
		await forgetOnce(run, attempt);
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
	});
});

describe('of two executions of a process at the same moment', () => {
	/** A message that is on its way until the test says that it has arrived. */
	const onTheWay = () => {
		let arrive = () => {};
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		return { arrive, deliver: async () => void (await arrived) };
	};

	test('the second waits for the first, and delivers nothing', async () => {
		const memory = new ProcessMemory(clock);
		const { arrive, deliver } = onTheWay();
		const first = send(await startedRun(memory), { deliver });
		const second = send(await startedRun(memory));
		const third = send(await startedRun(memory));
		await clock.sleep(200 * SECOND_MS);
		arrive();
		expect(await Promise.all([first, second, third])).toEqual([SENT, SENT_BEFORE, SENT_BEFORE]);
		expect(looks).toEqual([]);
	});

	test('the second delivers where the first could not', async () => {
		const memory = new ProcessMemory(clock);
		const first = send(await startedRun(memory), { deliver: async () => REFUSAL });
		const second = send(await startedRun(memory));
		expect(await Promise.all([first, second])).toEqual([{ result: REFUSAL, sends: 1 }, SENT]);
	});

	test('the second stops when it is cancelled', async () => {
		const memory = new ProcessMemory(clock);
		const cancelling = new AbortController();
		const { arrive, deliver } = onTheWay();
		const first = send(await startedRun(memory), { deliver });
		const second = send(await startedRun(memory, { cancelling }));
		cancelling.abort();
		const { result, sends } = await second;
		expect(sends).toBe(0);
		expect(String(result)).toMatch(/was canceled/);
		arrive();
		await first;
	});

	test('neither waits where the words, the number, the node or the workflow are others', async () => {
		const memory = new ProcessMemory(clock);
		const { arrive, deliver } = onTheWay();
		const first = send(await startedRun(memory), { deliver });
		expect(await send(await startedRun(memory), { words: 'order 2' })).toEqual(SENT);
		const request = { ...REQUEST, number: '+15551230002' };
		expect(await send(await startedRun(memory), { request })).toEqual(SENT);
		expect(await send(await startedRun(memory, { nodeId: 'n2' }))).toEqual(SENT);
		expect(await send(await startedRun(memory, { workflowId: 'w2' }))).toEqual(SENT);
		arrive();
		await first;
	});
});

describe('a message that another process has left open', () => {
	beforeEach(leaveOpen);

	test('is looked for when a minute and a half have passed, and delivered where the history does not show it', async () => {
		let waitedMs = 0;
		const deliver = async () => void (waitedMs = clock.ms - NOW_MS);
		expect(await send(await startedRun(), { deliver })).toEqual(SENT);
		expect(waitedMs).toBeGreaterThanOrEqual(100 * SECOND_MS);
		expect(waitedMs).toBeLessThan(120 * SECOND_MS);
		expect(looks.length).toBeGreaterThan(0);
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
	});

	test('is not delivered where the history shows it, which is known from then on', async () => {
		pages = [[row()]];
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
		const [foundMs, { length }] = [clock.ms, looks];
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
		expect(clock.ms - foundMs).toBeLessThan(SECOND_MS);
		expect(looks).toHaveLength(length);
	});

	test('is found where its text contains a secret, which no row of the history shows', async () => {
		const content = 'our key is k-1';
		const request = { ...REQUEST, content };
		const run = await startedRun();
		await new Promise<void>((begin) => {
			const neverEnd = async () => await new Promise<undefined>(() => begin());
			void send(run, { request, deliver: neverEnd });
		});
		pages = [[row({ content })]];

		expect(await send(await startedRun(), { request })).toEqual(SENT_BEFORE);
	});

	test.each<[string, Fields, object]>([
		['is found where rows say nothing of media', { media_url: undefined }, SENT_BEFORE],
		['is found where its row has media', { media_url: 'https://service.example/f' }, SENT_BEFORE],
		['is sent where the row says that it has no media', { media_url: null }, SENT],
	])('and that has media %s', async (_, more, outcome) => {
		const request = { ...REQUEST, media_url: 'https://ours.example/photo.jpg' };
		const killed = new OnceList(
			executionWithTable(table) as IExecuteFunctions,
			new ProcessMemory(clock),
		);
		await killed.giveBack(NAME);
		await killed.begin(NAME, OpenNote.of(request, clock.ms));
		pages = [[row(more)]];

		expect(await send(await startedRun(), { request })).toEqual(outcome);
	});

	test.each(['2026-01-01T12:00Z', '2026-01-01'])(
		'is not delivered where the history shows it with a date to the minute or the day: %s',
		async (dateSent) => {
			pages = [[row({ status: 'SENT', date_sent: dateSent })]];
			clock.ms += 50 * SECOND_MS;
			const { result, sends } = await send(await startedRun());
			expect(sends).toBe(0);
			expect(result).toMatchObject({ message: CANNOT_KNOW });
		},
	);

	test('is found days later, under the words that it had', async () => {
		pages = [[row()]];
		clock.ms += 3 * DAY_MS;
		const request = { ...REQUEST, content: 'hello again' };
		expect(await send(await startedRun(), { request })).toEqual(SENT_BEFORE);
		expect(await table.size()).toBe(1);
	});

	test('is not taken for an earlier message of the same words', async () => {
		const before = new Date(NOW_MS - 60 * SECOND_MS).toISOString();
		pages = [[row({ date_sent: before })]];
		expect(await send(await startedRun())).toEqual(SENT);
	});

	test('is not taken for a later message of other words that the new one has', async () => {
		const request = { ...REQUEST, content: 'another' };
		pages = [[row({ content: 'another' })]];
		expect(await send(await startedRun(), { request })).toEqual(SENT);
	});

	test('is found under its new words when it was begun again with them, and killed again', async () => {
		const request = { ...REQUEST, content: 'hello again' };
		await new Promise<void>((resolve) => {
			const deliver = async () => {
				resolve();
				return await new Promise<undefined>(() => {});
			};
			void startedRun().then(async (run) => await send(run, { request, deliver }));
		});
		const date = new Date(clock.ms).toISOString();
		pages = [[row({ content: 'hello again', date_sent: date })]];
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
	});

	test('is looked for in large pages, and not without end', async () => {
		pages = Array.from({ length: 200 }, (_, page) => [
			row({ message_handle: `m${page}`, content: 'another' }),
		]);
		await send(await startedRun());
		const first = looks.findIndex((look, at) => at > 0 && !(look as Fields).before);
		expect(first).toBe(100);
		expect(looks[0]).toMatchObject({ limit: 500 });
	});

	test('is not delivered where the history cannot be read, and stays open', async () => {
		historyStatus = 500;
		const { result, sends } = await send(await startedRun());
		expect(sends).toBe(0);
		expect(result).toMatchObject({ message: CANNOT_KNOW });
		historyStatus = 200;
		pages = [[row()]];
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
	});

	test.each([
		['sent', 'markSent', SENT_BEFORE],
		['given back', 'giveBack', SENT],
	] as const)('and is %s by it within that time needs no look', async (_, end, outcome) => {
		const other = new OnceList(
			executionWithTable(table) as IExecuteFunctions,
			new ProcessMemory(clock),
		);
		const waiting = send(await startedRun());
		while (clock.ms < NOW_MS + 30 * SECOND_MS) await clock.sleep(0);
		await other[end](NAME);
		expect(await waiting).toEqual(outcome);
		expect(looks).toEqual([]);
		expect(clock.ms - NOW_MS).toBeLessThan(50 * SECOND_MS);
	});

	test('is taken over by one of several processes that have waited for it', async () => {
		const runs = [await startedRun(), await startedRun(), await startedRun()];
		const outcomes = await Promise.all(runs.map(async (run) => await send(run)));
		expect(outcomes.filter(({ sends }) => sends > 0)).toEqual([SENT]);
		expect(outcomes.filter(({ sends }) => sends === 0)).toEqual([SENT_BEFORE, SENT_BEFORE]);
	});

	test('is taken over again when the process that did so has ended, too', async () => {
		void send(await startedRun(), { deliver: async () => await new Promise(() => {}) });
		while (looks.length === 0) await clock.sleep(0);
		expect(await send(await startedRun())).toEqual(SENT);
		expect(clock.ms - NOW_MS).toBeLessThan(400 * SECOND_MS);
	});

	test('is waited for no longer when the execution is cancelled', async () => {
		const cancelling = new AbortController();
		const waiting = send(await startedRun(undefined, { cancelling }));
		while (clock.ms < NOW_MS + 10 * SECOND_MS) await clock.sleep(0);
		cancelling.abort();
		const { result, sends } = await waiting;
		expect(sends).toBe(0);
		expect(String(result)).toMatch(/was canceled/);
		expect((result as Error).message).not.toBe(CANNOT_KNOW);
	});
});

describe('a message whose answer was lost', () => {
	/** Delivers a message and loses its answer, as an attempt does. */
	const lose = async (run: Run, attempt: Attempt) =>
		await send(run, {
			attempt,
			deliver: async () => {
				attempt.lost = { sinceMs: clock.ms, outcome: REFUSAL };
				throw new Error('not confirmed');
			},
		});

	test('is looked for at once by the same process, as no other is at it', async () => {
		const memory = new ProcessMemory(clock);
		await lose(await startedRun(memory), { token: 't', sentAgain: false });
		expect(await send(await startedRun(memory))).toEqual(SENT);
		expect(looks.length).toBeGreaterThan(0);
		expect(clock.ms - NOW_MS).toBeLessThan(50 * SECOND_MS);
	});

	test('is waited for where another process has taken it over since', async () => {
		const memory = new ProcessMemory(clock);
		await lose(await startedRun(memory), { token: 't', sentAgain: false });
		expect(await send(await startedRun(memory), { deliver: async () => REFUSAL })).toMatchObject({
			sends: 1,
		});
		await leaveOpen();
		const sinceMs = clock.ms;
		await send(await startedRun(memory));
		expect(clock.ms - sinceMs).toBeGreaterThanOrEqual(100 * SECOND_MS);
	});

	test('is waited for by another process', async () => {
		await lose(await startedRun(), { token: 't', sentAgain: false });
		pages = [[row()]];
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
		expect(clock.ms - NOW_MS).toBeGreaterThanOrEqual(100 * SECOND_MS);
	});

	test('is delivered by its own next try, which looks by itself, and is known as sent then', async () => {
		const memory = new ProcessMemory(clock);
		const attempt: Attempt = { token: 't', sentAgain: false };
		await lose(await startedRun(memory), attempt);
		expect(await send(await startedRun(memory), { attempt })).toEqual(SENT);
		expect(looks).toEqual([]);
		expect(await send(await startedRun())).toEqual(SENT_BEFORE);
	});
});
