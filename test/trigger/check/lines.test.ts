import {
	blocksOf,
	compareLines,
	tellBlock,
	withEndedBlock,
} from '../../../nodes/TwoWayMessaging/trigger/check/lines';
import { eventName } from '../../../nodes/TwoWayMessaging/trigger/event';

const BLOCK = '2026-01-01T00:01:00Z';
const LATER = '2026-01-01T00:02:00Z';

const line = (blockedAt: string | null) => ({ line_handle: 'line_l1', blocked_at: blockedAt });
const found = (blockedAt: string | null, told: string | null) =>
	compareLines(
		[line(blockedAt)],
		told === null ? {} : { l1: { blocks: [told], isOver: false } },
	).map(eventName);

const blocked = (at: string) => `line_blocked:l1:${Date.parse(at)}`;
const unblocked = (at: string) => `line_unblocked:l1:${Date.parse(at)}`;

test.each([
	['a block', LATER, null, [blocked(LATER)]],
	['a block after another one, whose end nobody saw', LATER, BLOCK, [blocked(LATER)]],
	['the end of the block that the workflow was told of', null, BLOCK, [unblocked(BLOCK)]],
	['nothing of a line that is not blocked', null, null, []],
	[
		'nothing of the block that was told, however it is written',
		BLOCK,
		'2026-01-01T01:01:00+01:00',
		[],
	],
])('§3.2 a check of lines finds %s', (_, now, told, events) => {
	expect(found(now, told)).toEqual(events);
});

test('a check finds the block of a line that was not there before, and none as a workflow begins', () => {
	expect(compareLines([line(BLOCK)], {})).toMatchObject([{ kind: 'line_blocked' }]);
	expect(compareLines([line(BLOCK)], undefined)).toEqual([]);
});

test('what a webhook or a check has told is not found again', () => {
	const told = blocksOf([line(BLOCK)]);
	expect(compareLines([line(BLOCK)], told)).toEqual([]);
	expect(compareLines([line(null)], told)).toMatchObject([{ kind: 'line_unblocked' }]);
	const facts = { line_handle: 'l1', blocked_at: BLOCK };
	const blocked = tellBlock({}, { kind: 'line_blocked', line: facts, body: {} });
	expect(compareLines([line(BLOCK)], blocked)).toEqual([]);
	const end = { kind: 'line_unblocked' as const, line: { line_handle: 'l1' }, body: {} };
	const unblocked = tellBlock(blocked, end);
	expect(compareLines([line(null)], unblocked)).toEqual([]);
	expect(compareLines([line(LATER)], unblocked)).toMatchObject([{ kind: 'line_blocked' }]);
	expect(tellBlock(blocked, { ...end, line: { number: '+15550100001' } })).toBe(blocked);
});

test('an event that does not say since when a line is blocked tells of the block that the lines show later', () => {
	const blocked = { kind: 'line_blocked' as const, line: { line_handle: 'l1' }, body: {} };
	const told = tellBlock({}, blocked);
	expect(compareLines([line(BLOCK)], told)).toEqual([]);
	expect(compareLines([line(null)], told)).toMatchObject([{ kind: 'line_unblocked' }]);
	const unblocked = tellBlock(told, { ...blocked, kind: 'line_unblocked' });
	expect(compareLines([line(null)], unblocked)).toEqual([]);
	expect(compareLines([line(LATER)], unblocked)).toMatchObject([{ kind: 'line_blocked' }]);
	expect(compareLines([line(LATER)], tellBlock(unblocked, blocked))).toEqual([]);
});

test('the end of a block has the name of its block, also when it is delivered again', () => {
	const end = { kind: 'line_unblocked' as const, line: { line_handle: 'l1' }, body: {} };
	const told = { l1: { blocks: [BLOCK, LATER], isOver: true } };
	const endedAt = (createdAt?: string) => withEndedBlock({ ...end, createdAt }, told).endedBlock;
	expect(endedAt('2026-01-01T00:01:30Z')).toBe(BLOCK);
	expect([endedAt('2026-01-01T00:03:00Z'), endedAt()]).toEqual([LATER, LATER]);
	expect(endedAt('2026-01-01T00:00:00Z')).toBeUndefined();
});

test('an event of a block that is known changes nothing, but for the end of the last one', () => {
	const known = { l1: { blocks: [BLOCK, LATER], isOver: false } };
	const over = { l1: { ...known.l1, isOver: true } };
	const blocked = (at: string, line_handle?: string) =>
		({ kind: 'line_blocked', line: { line_handle, blocked_at: at }, body: {} }) as const;
	const end = (endedBlock?: string) =>
		({ kind: 'line_unblocked', line: { line_handle: 'l1' }, body: {}, endedBlock }) as const;
	for (const event of [blocked(BLOCK, 'l1'), blocked(LATER, 'l1'), end(BLOCK), blocked(BLOCK)]) {
		expect(tellBlock(known, event)).toEqual(known);
		expect(tellBlock(over, event)).toEqual(over);
	}
	expect(tellBlock(known, end(LATER))).toEqual(over);
	expect(tellBlock({}, end())).toEqual({});
	expect(withEndedBlock(blocked(LATER, 'l1'), known)).toEqual(blocked(LATER, 'l1'));
});

test('the last twenty blocks of a line are remembered', () => {
	const blocks = Array.from({ length: 20 }, (_, at) => `${at}`);
	const line = { line_handle: 'l1', blocked_at: BLOCK };
	const told = tellBlock(
		{ l1: { blocks, isOver: true } },
		{ kind: 'line_blocked', line, body: {} },
	);
	expect(told).toEqual({ l1: { blocks: [...blocks.slice(1), BLOCK], isOver: false } });
});
