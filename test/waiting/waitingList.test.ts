import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import type { CustomerText, Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { WaitingList, type OfferResult } from '../../nodes/TwoWayMessaging/waiting/waitingList';

const NOW_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

const TEXT: CustomerText = { from: '+15551230001', to: '+15550100001', lineHandle: 'l1' };

let list: WaitingList;
let nowMs: number;

const clock: Clock = { nowMs: () => nowMs, sleep: async () => {} };

beforeEach(() => {
	nowMs = NOW_MS;
	list = new WaitingList(clock);
});

const question = (token: string, more: Partial<Question> = {}): Question => ({
	account: 'a',
	number: '+15551230001',
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
		list.markAsked(one);
	}
	nowMs = NOW_MS;
};

/** Offers a text; returns the tokens of the questions that the text was passed to. */
const offer = async (
	name: string,
	text: CustomerText = TEXT,
	resultOf: (token: string) => OfferResult = () => 'taken',
) => {
	const passedTo: string[] = [];
	const isTaken = await list.offer('a', name, text, async ({ token }) => {
		passedTo.push(token);
		return resultOf(token);
	});
	return { isTaken, passedTo };
};

describe('a text answers', () => {
	test('the question that was asked last, and each text answers one question', async () => {
		ask(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));

		expect(await offer('first')).toEqual({ isTaken: true, passedTo: ['new'] });
		expect(await offer('second')).toEqual({ isTaken: true, passedTo: ['old'] });
		expect(await offer('third')).toEqual({ isTaken: false, passedTo: [] });
	});

	test('one question, however many triggers receive the text', async () => {
		ask(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));

		const offers = await Promise.all([offer('text'), offer('text'), offer('text')]);

		expect(offers.map(({ isTaken }) => isTaken)).toEqual([true, true, true]);
		expect(offers.flatMap(({ passedTo }) => passedTo)).toEqual(['new']);
		expect(await offer('text')).toEqual({ isTaken: true, passedTo: [] });
	});

	test('the question before, when no execution waits for the answer to the last one any more', async () => {
		ask(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));

		const resultOf = (token: string) => (token === 'new' ? 'gone' : 'taken');

		expect(await offer('text', TEXT, resultOf)).toEqual({
			isTaken: true,
			passedTo: ['new', 'old'],
		});
		expect(list.questionsOf('a')).toEqual([]);
	});

	test('a question whose execution could not be reached before', async () => {
		ask(question('one'));

		expect((await offer('text', TEXT, () => 'unreachable')).isTaken).toBe(false);
		expect(await offer('text')).toEqual({ isTaken: true, passedTo: ['one'] });
	});

	test.each<[string, CustomerText, Partial<Question>]>([
		['by the ID of its line', { ...TEXT, to: undefined }, { line: { handle: 'l1' } }],
		[
			'by the number of its line',
			{ ...TEXT, lineHandle: undefined },
			{ line: { handle: 'l1', number: '+1 555 010 0001' } },
		],
		['on any line where no line was chosen', { ...TEXT, lineHandle: 'l9' }, {}],
		['by a clock that is a minute behind', { ...TEXT, saidAtMs: NOW_MS - MINUTE_MS }, {}],
		['without a date', { ...TEXT, saidAtMs: undefined }, {}],
	])('a question %s', async (_, text, more) => {
		ask(question('one', more));
		expect(await offer('text', text)).toEqual({ isTaken: true, passedTo: ['one'] });
	});
});

describe('a text does not answer', () => {
	test.each<[string, CustomerText, Partial<Question>]>([
		['a question to another customer', { ...TEXT, from: '+15551230002' }, {}],
		['a question from another line', TEXT, { line: { handle: 'l2', number: '+15550100002' } }],
		[
			'a question from another line, where the text names its line by number',
			{ ...TEXT, lineHandle: undefined },
			{ line: { handle: 'l2', number: '+15550100002' } },
		],
		['a question that was asked long after it', { ...TEXT, saidAtMs: NOW_MS - 3 * MINUTE_MS }, {}],
		['a question of another account', TEXT, { account: 'b' }],
		['a question whose time is over', TEXT, { untilMs: NOW_MS }],
	])('%s', async (_, text, more) => {
		ask(question('one', more));
		expect(await offer('text', text)).toEqual({ isTaken: false, passedTo: [] });
	});

	test('a question that has not been sent yet', () => {
		list.add(question('one'));
		expect(list.isAwaited('a', TEXT)).toBe(false);
	});

	test('a question that was removed, as the service refused it', () => {
		ask(question('one'));
		list.remove(question('one'));
		expect(list.isAwaited('a', TEXT)).toBe(false);
	});
});

describe('the questions of an account', () => {
	test('are those whose time is not over', () => {
		ask(question('one'), question('other', { account: 'b' }));
		ask(question('over', { untilMs: NOW_MS - 1 }));
		expect(list.questionsOf('a').map(({ token }) => token)).toEqual(['one']);
	});

	test('are there again after a restart', async () => {
		list.restore([question('one')]);
		expect(await offer('text')).toEqual({ isTaken: true, passedTo: ['one'] });
	});

	test('are not replaced by saved ones: the execution may be asking its next question', () => {
		const next = { ...question('next'), resumeUrl: question('one').resumeUrl };
		list.add(next);
		list.restore([question('one')]);
		expect(list.isAwaited('a', TEXT)).toBe(false);
		list.remove(question('one'));
		expect(list.questionsOf('a')).toEqual([next]);
	});
});

describe('a trigger listens', () => {
	const DAY_MS = 24 * 60 * MINUTE_MS;

	test('while it has a URL, or has polled within a day', () => {
		list.listen('webhook', { account: 'a', url: 'https://n8n.example/webhook' });
		list.listen('stopped', { account: 'a' });
		nowMs += DAY_MS;
		list.listen('polls', { account: 'a' });
		list.listen('other', { account: 'b' });

		expect(list.listenersOf('a')).toHaveLength(2);
		list.stopListening('webhook');
		expect(list.listenersOf('a')).toEqual([{ account: 'a', seenAtMs: nowMs }]);
	});

	test('for the first time in a process once, so that saved questions are read once', () => {
		expect(list.listen('webhook', { account: 'a' })).toBe(true);
		expect(list.listen('webhook', { account: 'a' })).toBe(false);
	});
});
