import {
	isAnswerTo,
	isOver,
	type CustomerText,
	type Question,
} from '../../nodes/TwoWayMessaging/waiting/question';

const NOW_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const ANNA = '+15551230001';
const LINE = { handle: 'l1', number: '+1 555 010 0001' };

const question = (more: Partial<Question> = {}): Question => ({
	account: 'a',
	number: ANNA,
	resumeUrl: 'https://n8n.example/one',
	token: 'one',
	askedAtMs: NOW_MS,
	...more,
});

describe('a text answers a question', () => {
	test.each<[string, CustomerText, Partial<Question>]>([
		['on any line where no line was chosen', { lineHandle: 'l9', to: '+15550100009' }, {}],
		['by the number of the customer, however it is written', { from: '1 (555) 123-0001' }, {}],
		['by the ID of its line', { lineHandle: 'l1' }, { line: LINE }],
		[
			'by the ID of its line, whatever number it has',
			{ lineHandle: 'l1', to: '2' },
			{ line: LINE },
		],
		['by the number of its line', { to: '+15550100001' }, { line: LINE }],
		['where the text does not name its line', {}, { line: LINE }],
		[
			'where the number of the line is not known',
			{ to: '+15550100009' },
			{ line: { handle: 'l1' } },
		],
	])('%s', (_, text, more) => {
		expect(isAnswerTo(question(more), { from: ANNA, ...text })).toBe(true);
	});
});

describe('a text does not answer a question', () => {
	test.each<[string, CustomerText, Partial<Question>]>([
		['from another customer', { from: '+15551230002' }, {}],
		['where nobody knows who wrote it', { from: undefined }, {}],
		['on another line', { lineHandle: 'l2' }, { line: LINE }],
		[
			'on another line, although it has the same number',
			{ lineHandle: 'l2', to: LINE.number },
			{ line: LINE },
		],
		['on another line, which it names by number', { to: '+15550100002' }, { line: LINE }],
	])('%s', (_, text, more) => {
		expect(isAnswerTo(question(more), { from: ANNA, ...text })).toBe(false);
	});
});

describe('a text is as old as a question', () => {
	const isAnswer = (saidMs: number, more: Partial<Question> = {}) =>
		isAnswerTo(question(more), { from: ANNA, saidAtMs: NOW_MS + saidMs });

	test('up to two minutes before it, where nobody knows the service’s clock', () => {
		expect(isAnswer(-2 * MINUTE_MS)).toBe(true);
		expect(isAnswer(-2 * MINUTE_MS - 1)).toBe(false);
	});

	test.each([
		['behind', -4 * MINUTE_MS],
		['ahead', 4 * MINUTE_MS],
		['right', 0],
	])('up to two seconds before it, where the service’s clock is %s', (_, serviceOffsetMs) => {
		expect(isAnswer(serviceOffsetMs - 2 * SECOND_MS, { serviceOffsetMs })).toBe(true);
		expect(isAnswer(serviceOffsetMs - 2 * SECOND_MS - 1, { serviceOffsetMs })).toBe(false);
	});

	test('where the service does not say when it was sent', () => {
		expect(isAnswerTo(question(), { from: ANNA })).toBe(true);
	});
});

describe('the time of a question', () => {
	test('is over when n8n has stopped waiting, which begins up to a minute after its request', () => {
		const limited = question({ waitMs: 60 * MINUTE_MS });
		expect(isOver(limited, NOW_MS + 61 * MINUTE_MS - 1)).toBe(false);
		expect(isOver(limited, NOW_MS + 61 * MINUTE_MS)).toBe(true);
	});

	test('is never over where n8n waits without a limit', () => {
		expect(isOver(question(), NOW_MS)).toBe(false);
	});
});
