import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import type { Fields } from '../../nodes/TwoWayMessaging/message';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { deliver } from '../../nodes/TwoWayMessaging/action/sending/deliver';
import { newEntry } from '../../nodes/TwoWayMessaging/action/sending/ledger';
import { deliverOnce, forgetOnce } from '../../nodes/TwoWayMessaging/action/sending/once';
import { startRun, type Run } from '../../nodes/TwoWayMessaging/service/run';
import { SkippingClock } from '../support/testClock';
import { connectionTo, response, type Response } from '../service/context';
import { executionWithTable, Table } from './executionWithTable';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
/** How long another process may be at a message. */
const OTHERS_END_MS = 40 * SECOND_MS;
const REQUEST: SendRequest = { number: '+15551230001', content: 'hello' };
const CANNOT_KNOW = 'Whether the message was sent before cannot be found out';

const clock = new SkippingClock();
let table: Table;
/** The pages of the history, newest first. */
let pages: Fields[][];
let historyStatus: number;
/** The queries of all looks into the history. */
let looks: unknown[];
let warnings: string[];
/** What the service does with a request to send. */
let answer: () => Promise<Response> | Response;
let sends: number;

const accepted = () => response(201, { message_handle: `sent ${sends}`, to: REQUEST.number });
const refused = () => response(422, { message: 'Line is blocked' });
const lost = () => response(502, 'no gateway');

/** n8n is killed while the request is on its way: nothing comes after it. */
const killed = async () => await new Promise<never>(() => {});

beforeEach(() => {
	clock.ms = NOW_MS;
	table = new Table();
	pages = [[]];
	historyStatus = 200;
	looks = [];
	warnings = [];
	answer = accepted;
	sends = 0;
});

/** A run of the node, in a process of its own unless a memory is given. */
async function startedRun(
	memory = new ProcessMemory(clock),
	setUp: Parameters<typeof executionWithTable>[1] & { cancelling?: AbortController } = {},
): Promise<Run> {
	const { connection, warnings: warned } = await connectionTo(async ({ method, qs }) => {
		if (method === 'POST') {
			sends += 1;
			return await answer();
		}
		looks.push(qs);
		const place = Number(qs?.before ?? 0);
		const next = place + 1 < pages.length ? `${place + 1}` : null;
		const headers = { date: new Date(clock.ms).toUTCString() };
		return response(historyStatus, { messages: pages[place] ?? [], next }, headers);
	}, memory);
	warnings = warned;
	const execution = executionWithTable(table, setUp);
	const context = {
		...connection.context,
		...execution,
		helpers: { ...connection.context.helpers, ...execution.helpers },
		getExecutionCancelSignal: () => setUp.cancelling?.signal,
	};
	return startRun(context as unknown as IExecuteFunctions, memory);
}

/** Sends a message for some words: `sent`, `sentBefore`, `refused`, or the message of what was thrown. */
async function send(
	run: Run,
	{ words = 'order 1', request = REQUEST, entry = newEntry() } = {},
): Promise<string> {
	const delivery = { request, entry, sendsAgain: false, itemIndex: 3 };
	const result = await deliverOnce(run, delivery, words, deliver).catch((thrown: Error) => thrown);
	if (result instanceof Error) return result.message;
	return typeof result === 'object' ? 'refused' : (result ?? 'sent');
}

/** Lets a process be killed while its request is on its way; the service may have accepted the message. */
async function leaveOpen(request = REQUEST, run?: Run): Promise<void> {
	await new Promise<void>((onItsWay) => {
		answer = async () => {
			answer = accepted;
			onItsWay();
			return await killed();
		};
		void (async () => await send(run ?? (await startedRun()), { request }))();
	});
}

const row = (more: Fields = {}): Fields => ({
	message_handle: 'm1',
	to: REQUEST.number,
	content: REQUEST.content,
	is_outbound: true,
	date_sent: new Date(NOW_MS).toISOString(),
	...more,
});

describe('a message that is sent only once', () => {
	test('is sent again where the service has refused it, and leaves no name then', async () => {
		answer = refused;
		expect(await send(await startedRun())).toBe('refused');
		expect(await table.size()).toBe(0);
		answer = accepted;
		expect(await send(await startedRun())).toBe('sent');
	});

	test('leaves one name, whenever midnight passes', async () => {
		answer = () => {
			clock.ms += DAY_MS;
			return accepted();
		};
		await send(await startedRun());
		expect(await table.size()).toBe(1);
	});

	test('counts as sent where only its end cannot be written, which the log says', async () => {
		answer = () => {
			table.isBroken = true;
			return accepted();
		};
		const memory = new ProcessMemory(clock);
		expect(await send(await startedRun(memory))).toBe('sent');
		expect(warnings).toEqual([
			'Node: could not write down how a message ended that is sent only once: The disk is full',
		]);
		expect(await send(await startedRun(memory))).toBe('sentBefore');
		table.isBroken = false;
		pages = [[row()]];
		expect(await send(await startedRun())).toBe('sentBefore');
		expect(sends).toBe(1);
	});

	test('and could not be delivered is forgotten once: a second try does not forget what was sent since', async () => {
		const entry = newEntry();
		const run = await startedRun();
		await send(run, { entry });
		await forgetOnce(run, entry);
		expect(await send(await startedRun())).toBe('sent');
		await forgetOnce(run, entry);
		expect(await send(await startedRun())).toBe('sentBefore');
	});
});

describe('of two executions of a process at the same moment', () => {
	let memory: ProcessMemory;
	let arrive: () => void;

	beforeEach(() => {
		memory = new ProcessMemory(clock);
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		answer = async () => {
			answer = accepted;
			await arrived;
			return accepted();
		};
	});

	test('the second sends where the first could not', async () => {
		answer = () => {
			answer = accepted;
			return refused();
		};
		const all = [0, 1].map(async () => await send(await startedRun(memory)));
		expect(await Promise.all(all)).toEqual(['refused', 'sent']);
	});

	test('the second stops when it is cancelled', async () => {
		const cancelling = new AbortController();
		const first = send(await startedRun(memory));
		const second = send(await startedRun(memory, { cancelling }));
		cancelling.abort();
		expect(await second).toMatch(/was canceled/);
		arrive();
		expect([await first, sends]).toEqual(['sent', 1]);
	});
});

describe('a message that another process has left open', () => {
	beforeEach(async () => await leaveOpen());

	/** When the next request to send went out, counted from the beginning. */
	const sentAfterMs = async () => {
		let sentMs = 0;
		answer = () => {
			sentMs = clock.ms - NOW_MS;
			return accepted();
		};
		expect(await send(await startedRun())).toBe('sent');
		return sentMs;
	};

	test('is looked for when no other process can be at it, and sent where the history does not show it', async () => {
		const sentMs = await sentAfterMs();
		expect(sentMs).toBeGreaterThanOrEqual(OTHERS_END_MS);
		expect(sentMs).toBeLessThan(OTHERS_END_MS + 20 * SECOND_MS);
		expect(looks.length).toBeGreaterThan(0);
		expect(await send(await startedRun())).toBe('sentBefore');
	});

	test.each(['2026-01-01T12:00Z', '2026-01-01'])(
		'is not sent where the history shows it with a date to the minute or the day: %s',
		async (dateSent) => {
			pages = [[row({ status: 'SENT', date_sent: dateSent })]];
			clock.ms += 50 * SECOND_MS;
			expect(await send(await startedRun())).toBe(CANNOT_KNOW);
			expect(sends).toBe(1);
		},
	);

	test('is found where it still waits and the service lists what has no date behind everything else', async () => {
		const older = ['m2', 'm3', 'm4'].map((handle) =>
			row({ message_handle: handle, content: 'another', date_sent: '2025-12-01T00:00:00Z' }),
		);
		pages = [older, [row({ status: 'QUEUED', date_sent: null })]];
		expect(await send(await startedRun())).toBe('sentBefore');
		expect(sends).toBe(1);
	});

	test('is found days later, under the words that it had', async () => {
		pages = [[row()]];
		clock.ms += 3 * DAY_MS;
		const request = { ...REQUEST, content: 'hello again' };
		expect(await send(await startedRun(), { request })).toBe('sentBefore');
		expect(await table.size()).toBe(1);
	});

	test.each<[string, SendRequest, Fields]>([
		['an earlier message of the same words', REQUEST, { date_sent: '2026-01-01T11:59:00Z' }],
		[
			'a later message of other words that the new one has',
			{ ...REQUEST, content: 'another' },
			{ content: 'another' },
		],
		['a message to another number', REQUEST, { to: '+15551230002' }],
		['a message with media', REQUEST, { media_url: 'https://service.example/file' }],
	])('is not taken for %s', async (_, request, more) => {
		pages = [[row(more)]];
		expect(await send(await startedRun(), { request })).toBe('sent');
	});

	test('is found under its new words when it was sent again with them, and n8n was killed again', async () => {
		await leaveOpen({ ...REQUEST, content: 'hello again' });
		const date = new Date(clock.ms).toISOString();
		pages = [[row({ content: 'hello again', date_sent: date })]];
		expect(await send(await startedRun())).toBe('sentBefore');
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

	test('is sent by one of several processes that have waited for it', async () => {
		const runs = [await startedRun(), await startedRun(), await startedRun()];
		const all = await Promise.all(runs.map(async (run) => await send(run)));
		expect(all.sort()).toEqual(['sent', 'sentBefore', 'sentBefore']);
		expect(sends).toBe(2);
	});

	test('is waited for anew when another process has begun it again', async () => {
		const memory = new ProcessMemory(clock);
		await leaveOpen(REQUEST, await startedRun(memory));
		const againMs = clock.ms - NOW_MS;
		expect(await sentAfterMs()).toBeGreaterThanOrEqual(againMs + OTHERS_END_MS);
	});

	test('is waited for no longer when the execution is cancelled', async () => {
		const cancelling = new AbortController();
		const waiting = send(await startedRun(undefined, { cancelling }));
		while (clock.ms < NOW_MS + 10 * SECOND_MS) await clock.sleep(0);
		cancelling.abort();
		expect(await waiting).toMatch(/was canceled/);
		expect(sends).toBe(1);
	});
});

describe('a message that another process is sending', () => {
	test.each([
		['sent', accepted, 'sentBefore'],
		['refused', refused, 'sent'],
	])('and that is %s within its time needs no look', async (_, end, outcome) => {
		let arrive = () => {};
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		answer = async () => {
			answer = accepted;
			await arrived;
			return end();
		};
		const other = send(await startedRun());
		const waiting = send(await startedRun());
		while (clock.ms < NOW_MS + 20 * SECOND_MS) await clock.sleep(0);
		arrive();
		await other;
		expect(await waiting).toBe(outcome);
		expect(looks).toEqual([]);
		expect(clock.ms - NOW_MS).toBeLessThan(OTHERS_END_MS);
	});
});

describe('an open message of which the row of the history', () => {
	const MEDIA = { ...REQUEST, media_url: 'https://ours.example/photo.jpg' };

	test.each<[string, SendRequest, Fields, string]>([
		['says nothing of media is found', MEDIA, { media_url: undefined }, 'sentBefore'],
		['has media is found', MEDIA, { media_url: 'https://service.example/f' }, 'sentBefore'],
		['says that it has no media is not', MEDIA, { media_url: null }, 'sent'],
		[
			'hides a secret of the text is found',
			{ ...REQUEST, content: 'our key is k-1' },
			{ content: 'our key is k-1' },
			'sentBefore',
		],
	])('%s: the history decides', async (_, request, more, outcome) => {
		await leaveOpen(request);
		pages = [[row(more)]];
		expect(await send(await startedRun(), { request })).toBe(outcome);
	});
});

describe('a message whose answer was lost', () => {
	const UNCONFIRMED = /has not confirmed the message/;

	test('is looked for at once by the same process, as no other is at it', async () => {
		const memory = new ProcessMemory(clock);
		answer = lost;
		expect(await send(await startedRun(memory))).toMatch(UNCONFIRMED);
		answer = accepted;
		expect(await send(await startedRun(memory))).toBe('sent');
		expect(clock.ms - NOW_MS).toBeLessThan(OTHERS_END_MS);
	});

	test('is waited for where another process has begun it again since', async () => {
		const memory = new ProcessMemory(clock);
		answer = lost;
		await send(await startedRun(memory));
		await leaveOpen();
		const sinceMs = clock.ms;
		expect(await send(await startedRun(memory))).toBe('sent');
		expect(clock.ms - sinceMs).toBeGreaterThanOrEqual(OTHERS_END_MS);
	});
});

describe('where n8n is killed while it asks its table', () => {
	test('a message that was sent is not sent again', async () => {
		await send(await startedRun());
		table.stopAfter = 1;
		await send(await startedRun());
		table.stopAfter = undefined;
		pages = [[row({ date_sent: new Date(NOW_MS - DAY_MS).toISOString() })]];
		expect(await send(await startedRun())).toBe('sentBefore');
		expect(sends).toBe(1);
	});

	test('a message that was never sent is sent', async () => {
		table.stopAfter = 1;
		await send(await startedRun());
		table.stopAfter = undefined;
		expect(await send(await startedRun())).toBe('sent');
	});
});
