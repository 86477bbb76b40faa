import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/list';
import type { CustomerText, Question } from '../../nodes/TwoWayMessaging/waiting/question';

const NOW_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

const TEXT: CustomerText = { from: '+15551230001', to: '+15550100001', lineHandle: 'l1' };

let list: WaitingList;

beforeEach(() => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW_MS);
	list = new WaitingList();
});

afterEach(() => {
	jest.restoreAllMocks();
});

const question = (name: string, more: Partial<Question> = {}): Question => ({
	account: 'a',
	number: '+15551230001',
	resumeUrl: `https://n8n.example/${name}`,
	token: name,
	askedAtMs: NOW_MS,
	...more,
});

/** Puts questions into the list, each asked at its own time. */
const asked = (...questions: Question[]) => {
	for (const one of questions) {
		list.announce(one);
		list.ask(one, one.askedAtMs);
	}
};

/** Hands a text over; gives the names of the questions it was offered to. */
const offer = async (
	key: string,
	text: CustomerText = TEXT,
	outcome: (name: string) => 'taken' | 'gone' | 'unreachable' = () => 'taken',
) => {
	const offered: string[] = [];
	const isTaken = await list.handOver('a', key, text, async ({ token }) => {
		offered.push(token);
		return outcome(token);
	});
	return { isTaken, offered };
};

describe('a text answers', () => {
	test('the question that was asked last, and each text one question', async () => {
		asked(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));

		expect(await offer('first')).toEqual({ isTaken: true, offered: ['new'] });
		expect(await offer('second')).toEqual({ isTaken: true, offered: ['old'] });
		expect(await offer('third')).toEqual({ isTaken: false, offered: [] });
	});

	test('one question, however many triggers hear it', async () => {
		asked(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));

		const heard = await Promise.all([offer('text'), offer('text'), offer('text')]);

		expect(heard.map(({ isTaken }) => isTaken)).toEqual([true, true, true]);
		expect(heard.flatMap(({ offered }) => offered)).toEqual(['new']);
		expect(await offer('text')).toEqual({ isTaken: true, offered: [] });
	});

	test('the one before, when nobody waits for the last one any more', async () => {
		asked(question('old', { askedAtMs: NOW_MS - MINUTE_MS }), question('new'));

		const outcome = (name: string) => (name === 'new' ? 'gone' : 'taken');

		expect(await offer('text', TEXT, outcome)).toEqual({ isTaken: true, offered: ['new', 'old'] });
		expect(list.questionsOf('a', NOW_MS)).toEqual([]);
	});

	test('a question that could not be reached, the next time', async () => {
		asked(question('one'));

		expect((await offer('text', TEXT, () => 'unreachable')).isTaken).toBe(false);
		expect(await offer('text')).toEqual({ isTaken: true, offered: ['one'] });
	});

	test.each<[string, CustomerText, Partial<Question>]>([
		['by its line’s handle', { ...TEXT, to: undefined }, { line: { handle: 'l1' } }],
		[
			'by its line’s number',
			{ ...TEXT, lineHandle: undefined },
			{ line: { handle: 'l1', number: '+1 555 010 0001' } },
		],
		['from any line where none was chosen', { ...TEXT, lineHandle: 'l9' }, {}],
		['by a clock that is a minute behind', { ...TEXT, saidAtMs: NOW_MS - MINUTE_MS }, {}],
		['by an undated text', { ...TEXT, saidAtMs: undefined }, {}],
	])('a question %s', async (_, text, more) => {
		asked(question('one', more));
		expect(await offer('text', text)).toEqual({ isTaken: true, offered: ['one'] });
	});
});

describe('no text answers', () => {
	test.each<[string, CustomerText, Partial<Question>]>([
		['somebody else', { ...TEXT, from: '+15551230002' }, {}],
		['another line', TEXT, { line: { handle: 'l2', number: '+15550100002' } }],
		[
			'another line, told by its number',
			{ ...TEXT, lineHandle: undefined },
			{ line: { handle: 'l2', number: '+15550100002' } },
		],
		['what was asked long after', { ...TEXT, saidAtMs: NOW_MS - 3 * MINUTE_MS }, {}],
		['another account', TEXT, { account: 'b' }],
		['a question whose time is over', TEXT, { untilMs: NOW_MS }],
	])('%s', async (_, text, more) => {
		asked(question('one', more));
		expect(await offer('text', text)).toEqual({ isTaken: false, offered: [] });
	});

	test('a question that has not gone out yet', async () => {
		list.announce(question('one'));
		expect(list.isAwaited('a', TEXT, NOW_MS)).toBe(false);
	});

	test('a question that came to nothing', async () => {
		asked(question('one'));
		list.forget(question('one'));
		expect(list.isAwaited('a', TEXT, NOW_MS)).toBe(false);
	});
});

describe('what is kept', () => {
	test('is every question of the account whose time is not over', () => {
		asked(question('one'), question('other', { account: 'b' }));
		asked(question('over', { untilMs: NOW_MS - 1 }));
		expect(list.questionsOf('a', NOW_MS).map(({ token }) => token)).toEqual(['one']);
	});

	test('is found again in another process', async () => {
		list.restore([question('one')]);
		expect(await offer('text')).toEqual({ isTaken: true, offered: ['one'] });
	});

	test('does not replace what this process knows: the execution asks its next question', async () => {
		const next = { ...question('next'), resumeUrl: question('one').resumeUrl };
		list.announce(next);
		list.restore([question('one')]);
		expect(list.isAwaited('a', TEXT, NOW_MS)).toBe(false);
		list.forget(question('one'));
		expect(list.questionsOf('a', NOW_MS)).toEqual([next]);
	});
});

describe('who listens', () => {
	test('is whoever has an address, and whoever has polled within a day', () => {
		list.listen('webhook', { account: 'a', url: 'https://n8n.example/webhook', seenAtMs: 0 });
		list.listen('polls', { account: 'a', seenAtMs: NOW_MS - MINUTE_MS });
		list.listen('stopped', { account: 'a', seenAtMs: NOW_MS - 25 * 60 * MINUTE_MS });
		list.listen('other', { account: 'b', seenAtMs: NOW_MS });

		expect(list.listenersOf('a', NOW_MS)).toHaveLength(2);
		list.stopListening('webhook');
		expect(list.listenersOf('a', NOW_MS)).toHaveLength(1);
	});
});
