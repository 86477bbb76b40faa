import {
	isAnswerTo,
	isOver,
	type CustomerText,
	type Question,
} from '../../nodes/TwoWayMessaging/waiting/question';
import { WaitingList, type OfferResult } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { MINUTE_MS, SECOND_MS } from '../support/times';
import { turns } from '../support/turns';

const NOW_MS = Date.UTC(2026, 0, 1);
const ANNA = '+15551230001';
const OWN_LINE = { handle: 'l1', number: '+1 555 010 0001' };
const TEXT: CustomerText = { from: ANNA, to: '+15550100001', line_handle: 'l1' };

const meant = (text: CustomerText = TEXT) => ({
	isMeant: (question: Question) => isAnswerTo(question, text),
});

let list: WaitingList;
let nowMs: number;

beforeEach(() => {
	nowMs = NOW_MS;
	list = new WaitingList({ nowMs: () => nowMs, sleep: async () => await turns(1) });
});

const question = (token: string, more: Partial<Question> = {}): Question => ({
	account: 'a',
	number: ANNA,
	resumeUrl: `https://n8n.example/${token}`,
	token,
	askedAtMs: NOW_MS,
	...more,
});

/** Adds questions to the list, each asked at its own time. */
const ask = (...questions: Question[]) => {
	for (const one of questions) {
		nowMs = one.askedAtMs;
		list.add(one);
		list.markAsked(one, one.serviceOffsetMs);
	}
	nowMs = NOW_MS;
};

const askOldAndNew = () => ask(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));

type ResultOf = (token: string) => OfferResult;

/** Offers a text; returns the tokens of the questions that the text was passed to. */
const offer = async (name: string, resultOf: ResultOf = () => 'taken') => {
	const passedTo: string[] = [];
	const isTaken = await list.offer('a', name, meant(), async ({ token }) => {
		passedTo.push(token);
		return resultOf(token);
	});
	return { isTaken, passedTo };
};
const takenBy = (...passedTo: string[]) => ({ isTaken: true, passedTo });

const isAwaited = (name = 'text', text = TEXT) => list.isAwaited('a', name, meant(text));
const tokens = (account = 'a') => list.questionsOf(account).map(({ token }) => token);

describe('a text answers', () => {
	test('the question that the customer was asked again, before one that was asked later', async () => {
		ask(question('old'), question('new', { askedAtMs: NOW_MS + 1 }));
		nowMs = NOW_MS + MINUTE_MS;
		list.markAskedAgain('old', { name: 'm1' });
		expect(await offer('text')).toEqual(takenBy('old'));
		expect(list.find('new')).toBeDefined();
	});

	test('an older question, when the request of the last one is refused', async () => {
		askOldAndNew();
		list.markNotAsked(question('new'));
		expect(await offer('text')).toEqual(takenBy('old'));
	});
});

describe('a text does not answer a question', () => {
	test('whose time is over', async () => {
		ask(question('one', { askedAtMs: NOW_MS - 2 * MINUTE_MS, waitMs: MINUTE_MS }));
		expect((await offer('text')).isTaken).toBe(false);
	});

	test('before its request goes out, nor from before that', () => {
		const before = { ...TEXT, saidAtMs: NOW_MS - 3_000 };
		list.add(question('one'));
		expect(isAwaited()).toBe(false);
		list.markAsked(question('one'), 0);
		expect([isAwaited(), isAwaited('text', before)]).toEqual([true, false]);
	});

	test('but may be as old as the request of an earlier try, which may have sent it', () => {
		list.add(question('one'));
		list.markAsked(question('one'), 0, NOW_MS - 3_000);
		list.markAsked(question('one'), 0);
		expect(isAwaited('text', { ...TEXT, saidAtMs: NOW_MS - 3_000 })).toBe(true);
		expect(isAwaited('text', { ...TEXT, saidAtMs: NOW_MS - 6_000 })).toBe(false);
	});

	test('that was removed, as the service refused it, nor when its answer comes after that', () => {
		ask(question('one'));
		list.remove(question('one'));
		list.markAsked(question('one'), 0);
		list.remove(question('one'));
		expect(isAwaited()).toBe(false);
		expect(tokens()).toEqual([]);
	});
});

describe('a text that is being offered', () => {
	const slowly = () => {
		const results: Array<(result: OfferResult) => void> = [];
		const passed: string[] = [];
		const offered = async (name: string) =>
			await list.offer('a', name, meant(), async ({ token }) => {
				passed.push(token);
				return await new Promise<OfferResult>((resolve) => results.push(resolve));
			});
		return { results, passed, offered };
	};

	test('leaves its question open when the execution that passes it on is stopped', async () => {
		ask(question('one'));
		const stopped = offer('text', () => {
			throw new Error('The execution was cancelled');
		});
		await expect(stopped).rejects.toThrow('cancelled');
		expect(await offer('next')).toEqual(takenBy('one'));
	});

	test.each<[string, OfferResult, string[]]>([
		['gets the same question, if that is only read', 'read', ['new', 'new']],
		['gets an older one, if that is the answer', 'taken', ['new', 'old']],
	])('lets the next text wait, which %s', async (_, result, passedTo) => {
		askOldAndNew();
		const { results, passed, offered } = slowly();
		const both = Promise.all([offered('first'), offered('second')]);
		await turns();
		expect(passed).toEqual(['new']);
		results[0]?.(result);
		await turns();
		results[1]?.('taken');
		expect(await both).toEqual([true, true]);
		expect(passed).toEqual(passedTo);
	});
});

describe('the questions of an account', () => {
	test('are those by text whose time is not over, with the time at which each was asked', () => {
		ask(question('other', { account: 'b' }), question('buttons', { isByButtons: true }));
		ask(question('over', { askedAtMs: NOW_MS - 2 * MINUTE_MS, waitMs: MINUTE_MS }));
		const sent = question('one', { askedAtMs: NOW_MS - MINUTE_MS });
		list.add(sent);
		list.markAsked(sent, -4 * MINUTE_MS);
		expect(list.questionsOf('a')).toEqual([
			{ ...sent, askedAtMs: NOW_MS, serviceOffsetMs: -4 * MINUTE_MS },
		]);
	});

	test('are not replaced by saved ones: its request may not have gone out yet', () => {
		list.add(question('one'));
		list.restore([question('one')]);
		expect(isAwaited()).toBe(false);
	});
});

test('a question by buttons can end, and is forgotten when thousands more were asked', () => {
	const byButtons = (token: string) => question(token, { isByButtons: true });
	ask(byButtons('0'));
	expect(list.isAwaited('a', 'end', { isMeant: () => true, ends: 'optedOut' })).toBe(true);
	for (let count = 1; count <= 5_000; count += 1) list.add(byButtons(String(count)));
	expect(list.find('0')).toBeUndefined();
	expect(list.find('1')).toBeDefined();
});

describe('what ends questions', () => {
	const end = async (name: string, resultOf: ResultOf = () => 'taken') => {
		const passedTo: string[] = [];
		const isMeant = ({ number }: Question) => number === ANNA;
		await list.offer('a', name, { isMeant, ends: 'optedOut' }, async ({ token }) => {
			passedTo.push(token);
			return resultOf(token);
		});
		return passedTo;
	};

	test('is passed again when an execution could not be reached, and not when it goes on waiting', async () => {
		ask(question('one'));
		expect(await end('failed', () => 'unreachable')).toEqual(['one']);
		expect(await end('failed', () => 'read')).toEqual(['one']);
		expect(await end('failed')).toEqual([]);
	});
});

test.each<[boolean, string, CustomerText, Question['line']?]>([
	[true, 'on any line where none was chosen', { line_handle: 'l9', to: '+15550100009' }],
	[true, 'from the number, however it is written', { from: '1 (555) 123-0001' }],
	[true, 'by the ID of its line', { line_handle: 'l1' }, OWN_LINE],
	[true, 'by the ID, whatever number that has', { line_handle: 'l1', to: '2' }, OWN_LINE],
	[true, 'by the number of its line', { to: '+15550100001' }, OWN_LINE],
	[true, 'where the text does not name its line', {}, OWN_LINE],
	[true, 'where the line’s number is not known', { to: '+15550100009' }, { handle: 'l1' }],
	[false, 'from another customer', { from: '+15551230002' }],
	[false, 'where nobody knows who wrote it', { from: undefined }],
	[false, 'on another line', { line_handle: 'l2' }, OWN_LINE],
	[false, 'on another line of that number', { line_handle: 'l2', to: OWN_LINE.number }, OWN_LINE],
	[false, 'on another line, by its number', { to: '+15550100002' }, OWN_LINE],
])('a text answers a question (%s), when it comes %s', (...row) => {
	const [isAnswer, , text, line] = row;
	expect(isAnswerTo(question('one', { line }), { from: ANNA, ...text })).toBe(isAnswer);
});

test.each<[string, number | undefined, number]>([
	['up to two minutes older, where nobody knows the service’s clock', undefined, -2 * MINUTE_MS],
	...[-4 * MINUTE_MS, 4 * MINUTE_MS, 0].map((offsetMs): [string, number, number] => [
		`up to two seconds older, where that clock is ${offsetMs} ms ahead`,
		offsetMs,
		offsetMs - 2 * SECOND_MS,
	]),
])('a text may seem older than its question: %s', (_, serviceOffsetMs, oldestMs) => {
	const isAnswer = (saidMs: number) =>
		isAnswerTo(question('one', { serviceOffsetMs }), { from: ANNA, saidAtMs: NOW_MS + saidMs });
	expect([isAnswer(oldestMs), isAnswer(oldestMs - 1)]).toEqual([true, false]);
});

test('a question is over when n8n has stopped waiting, which begins up to a minute after its request', () => {
	const limited = question('one', { waitMs: 60 * MINUTE_MS });
	expect(isOver(limited, NOW_MS + 61 * MINUTE_MS - 1)).toBe(false);
	expect(isOver(limited, NOW_MS + 61 * MINUTE_MS)).toBe(true);
	expect(isOver(question('one'), NOW_MS + 1e12)).toBe(false);
});
