import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import {
	isAnswerTo,
	type CustomerText,
	type Question,
} from '../../nodes/TwoWayMessaging/waiting/question';
import { WaitingList, type OfferResult } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { MINUTE_MS } from '../support/times';

const NOW_MS = Date.UTC(2026, 0, 1);

const TEXT: CustomerText = { from: '+15551230001', to: '+15550100001', lineHandle: 'l1' };

let list: WaitingList;
let nowMs: number;

/** For which questions a text is. */
const meant = (text: CustomerText = TEXT) => ({
	isMeant: (question: Question) => isAnswerTo(question, text),
	isForAll: false,
});

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

const clock: Clock = { nowMs: () => nowMs, sleep: turn };

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
		list.markAsked(one, one.serviceOffsetMs);
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
	const isTaken = await list.offer('a', name, meant(text), async ({ token }) => {
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
});

describe('a text does not answer', () => {
	test('a question that another customer was asked', async () => {
		ask(question('one', { number: '+15551230002' }));
		expect(await offer('text')).toEqual({ isTaken: false, passedTo: [] });
	});

	test('a question of another account', async () => {
		ask(question('one', { account: 'b' }));
		expect(await offer('text')).toEqual({ isTaken: false, passedTo: [] });
	});

	test('a question whose time is over', async () => {
		ask(question('one', { askedAtMs: NOW_MS - 2 * MINUTE_MS, waitMs: MINUTE_MS }));
		expect(await offer('text')).toEqual({ isTaken: false, passedTo: [] });
	});

	test('a question that has not been sent yet', () => {
		list.add(question('one'));
		expect(list.isAwaited('a', 'text', meant())).toBe(false);
	});

	test('a question that was removed, as the service refused it', () => {
		ask(question('one'));
		list.remove(question('one'));
		expect(list.isAwaited('a', 'text', meant())).toBe(false);
	});
});

describe('a question that is sent', () => {
	test('may be answered from then on', () => {
		ask(question('one'));
		expect(list.isAwaited('a', 'text', meant())).toBe(true);
	});

	test('counts as asked at that time, by the service’s clock as it was then', () => {
		const sent = question('one', { askedAtMs: NOW_MS - MINUTE_MS });
		list.add(sent);
		list.markAsked(sent, -4 * MINUTE_MS);
		expect(list.questionsOf('a')).toEqual([
			{ ...sent, askedAtMs: NOW_MS, serviceOffsetMs: -4 * MINUTE_MS },
		]);
	});

	test('is not in the list again when it was removed meanwhile', () => {
		list.add(question('one'));
		list.remove(question('one'));
		list.markAsked(question('one'), 0);
		list.remove(question('one'));
		expect(list.questionsOf('a')).toEqual([]);
	});
});

describe('a question whose request goes out', () => {
	const before = { ...TEXT, saidAtMs: NOW_MS - 3_000 };

	test('can be answered by texts as old as the request of an earlier try, which may have sent it', () => {
		list.add(question('one'));
		list.markAsked(question('one'), 0, NOW_MS - 3_000);
		list.markAsked(question('one'), 0);
		expect(list.isAwaited('a', 'text', meant(before))).toBe(true);
		expect(list.isAwaited('a', 'text', meant({ ...TEXT, saidAtMs: NOW_MS - 6_000 }))).toBe(false);
	});

	test('is not answered by a text from before', () => {
		ask(question('one', { serviceOffsetMs: 0 }));
		expect(list.isAwaited('a', 'text', meant(before))).toBe(false);
	});

	test('leaves texts to an older question when the request is refused', async () => {
		ask(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));
		list.markNotAsked(question('new'));
		expect(await offer('text')).toEqual({ isTaken: true, passedTo: ['old'] });
	});
});

describe('a text that is being offered', () => {
	const text = (name: string) => list.isAwaited('a', name, meant());

	test('is awaited, as every trigger that receives it has to wait for what comes of that', async () => {
		ask(question('one'));
		let end: (result: OfferResult) => void = () => undefined;
		const offered = list.offer('a', 'text', meant(), async () => {
			return await new Promise<OfferResult>((resolve) => (end = resolve));
		});
		expect([text('text'), text('other')]).toEqual([true, true]);
		end('taken');
		await offered;
		expect([text('text'), text('other')]).toEqual([true, false]);
	});

	test('leaves its question open when the execution that passes it on is stopped', async () => {
		ask(question('one'));
		const stopped = list.offer('a', 'text', meant(), async () => {
			await Promise.resolve();
			throw new Error('The execution was cancelled');
		});
		await expect(stopped).rejects.toThrow('cancelled');
		expect(await offer('next')).toEqual({ isTaken: true, passedTo: ['one'] });
	});

	test('is awaited no more when no execution has taken it', async () => {
		ask(question('one'));
		await list.offer('a', 'text', meant(), async () => await Promise.resolve('gone'));
		expect(text('text')).toBe(false);
	});
});

describe('the questions of an account', () => {
	test('are those whose time is not over', () => {
		ask(question('one'), question('other', { account: 'b' }));
		ask(question('over', { askedAtMs: NOW_MS - 2 * MINUTE_MS, waitMs: MINUTE_MS }));
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
		expect(list.isAwaited('a', 'text', meant())).toBe(false);
		list.remove(question('one'));
		expect(list.questionsOf('a')).toEqual([next]);
	});
});

describe('a question to which a text is being passed', () => {
	/** Passes texts on until the test says what comes of it. */
	const slowly = () => {
		const results: Array<(result: OfferResult) => void> = [];
		const passed: string[] = [];
		const pass = async ({ token }: Question) => {
			passed.push(token);
			return await new Promise<OfferResult>((resolve) => results.push(resolve));
		};
		return { results, passed, pass };
	};
	test('lets the next text wait while one is read, and gets it then', async () => {
		ask(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));
		const { results, passed, pass } = slowly();

		const first = list.offer('a', 'first', meant(), pass);
		const second = list.offer('a', 'second', meant(), pass);
		await turn();
		expect(passed).toEqual(['new']);
		results[0]?.('read');
		await turn();
		expect(passed).toEqual(['new', 'new']);
		results[1]?.('taken');

		expect(await Promise.all([first, second])).toEqual([true, true]);
		expect(await offer('third')).toEqual({ isTaken: true, passedTo: ['old'] });
	});

	test('leaves the next text to an older question when the first text was its answer', async () => {
		ask(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));
		const { results, passed, pass } = slowly();
		const first = list.offer('a', 'first', meant(), pass);
		const second = list.offer('a', 'second', meant(), pass);
		results[0]?.('taken');
		await turn();
		results[1]?.('taken');

		expect(await Promise.all([first, second])).toEqual([true, true]);
		expect(passed).toEqual(['new', 'old']);
	});

	test('is the one that was asked last when the customer is asked again', async () => {
		ask(question('old'), question('new', { askedAtMs: NOW_MS + 1 }));
		nowMs = NOW_MS + MINUTE_MS;
		list.markAskedAgain('old', 'm1');

		expect(await offer('text')).toEqual({ isTaken: true, passedTo: ['old'] });
		expect(list.find('new')).toBeDefined();
	});
});

describe('a question by buttons', () => {
	const byButtons = (token: string) => question(token, { isByButtons: true });

	test('is answered by no text, is not saved, and can end', async () => {
		ask(byButtons('one'));

		expect(list.isAwaited('a', 'text', meant())).toBe(false);
		expect(list.questionsOf('a')).toEqual([]);
		expect(list.isAwaited('a', 'end', { isMeant: () => true, isForAll: true })).toBe(true);
	});

	test('is forgotten when thousands more were asked', async () => {
		for (let count = 0; count <= 5_000; count += 1) list.add(byButtons(String(count)));

		expect(list.find('0')).toBeUndefined();
		expect(list.find('1')).toBeDefined();
	});
});

describe('what ends questions', () => {
	const end = async (name: string, resultOf: (token: string) => OfferResult = () => 'taken') => {
		const passedTo: string[] = [];
		const isMeant = ({ number }: Question) => number === '+15551230001';
		await list.offer('a', name, { isMeant, isForAll: true }, async ({ token }) => {
			passedTo.push(token);
			return resultOf(token);
		});
		return passedTo;
	};

	test('is passed once to every question that is meant, and they wait no more', async () => {
		ask(question('one'), question('two'), question('other', { number: '+15551239999' }));

		const ends = await Promise.all([end('stop'), end('stop')]);

		expect(ends.flat()).toEqual(['one', 'two']);
		expect(list.questionsOf('a').map(({ token }) => token)).toEqual(['other']);
	});

	test('is passed again when an execution could not be reached, and not when it goes on waiting', async () => {
		ask(question('one'));
		expect(await end('failed', () => 'unreachable')).toEqual(['one']);
		expect(await end('failed', () => 'read')).toEqual(['one']);
		expect(await end('failed')).toEqual([]);
	});
});

test('a question follows its credential to another key pair, and no other question does', async () => {
	ask(question('one', { credential: 'c' }), question('two'));

	list.followKeyPair('b', 'other');
	list.followKeyPair('b', undefined);
	expect(list.questionsOf('b')).toEqual([]);
	list.followKeyPair('b2', 'c');

	expect(list.questionsOf('b2').map(({ token }) => token)).toEqual(['one']);
	expect(list.questionsOf('a').map(({ token }) => token)).toEqual(['two']);
});
