import {
	isAnswerTo,
	isOver,
	type CustomerText,
	type Question,
} from '../../nodes/TwoWayMessaging/waiting/question';
import { MINUTE_MS, SECOND_MS } from '../support/times';

const NOW_MS = Date.UTC(2026, 0, 1);

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

test.each<[boolean, string, CustomerText, Question['line']?]>([
	[true, 'on any line where none was chosen', { line_handle: 'l9', to: '+15550100009' }],
	[true, 'from the number, however it is written', { from: '1 (555) 123-0001' }],
	[true, 'by the ID of its line', { line_handle: 'l1' }, LINE],
	[true, 'by the ID, whatever number that has', { line_handle: 'l1', to: '2' }, LINE],
	[true, 'by the number of its line', { to: '+15550100001' }, LINE],
	[true, 'where the text does not name its line', {}, LINE],
	[true, 'where the line’s number is not known', { to: '+15550100009' }, { handle: 'l1' }],
	[false, 'from another customer', { from: '+15551230002' }],
	[false, 'where nobody knows who wrote it', { from: undefined }],
	[false, 'on another line', { line_handle: 'l2' }, LINE],
	[false, 'on another line of that number', { line_handle: 'l2', to: LINE.number }, LINE],
	[false, 'on another line, by its number', { to: '+15550100002' }, LINE],
])('a text answers a question (%s), when it comes %s', (...row) => {
	const [isAnswer, , text, line] = row;
	expect(isAnswerTo(question({ line }), { from: ANNA, ...text })).toBe(isAnswer);
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
		isAnswerTo(question({ serviceOffsetMs }), { from: ANNA, saidAtMs: NOW_MS + saidMs });
	expect([isAnswer(oldestMs), isAnswer(oldestMs - 1)]).toEqual([true, false]);
});

test('a question is over when n8n has stopped waiting, which begins up to a minute after its request', () => {
	const limited = question({ waitMs: 60 * MINUTE_MS });
	expect(isOver(limited, NOW_MS + 61 * MINUTE_MS - 1)).toBe(false);
	expect(isOver(limited, NOW_MS + 61 * MINUTE_MS)).toBe(true);
	expect(isOver(question(), NOW_MS + 1e12)).toBe(false);
});
