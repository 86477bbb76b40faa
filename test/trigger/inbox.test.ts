import {
	Inbox,
	readHanded,
	toItem,
	type Arrival,
	type Handed,
} from '../../nodes/TwoWayMessaging/trigger/inbox';
import { TestClock } from '../support/testClock';
import { HOUR_MS } from '../support/times';

let nowMs: number;
let inbox: Inbox;

beforeEach(() => {
	nowMs = Date.UTC(2026, 0, 1);
	inbox = new Inbox(new TestClock(() => nowMs));
});

const arrival = (name: string, conversation?: string, isFound = false): Arrival => ({
	name,
	event: { kind: 'receive', message: { message_handle: name }, body: {} },
	isFound,
	...(conversation !== undefined && { conversation }),
});
const bring = (...names: string[]) => names.map((name) => inbox.put(arrival(name)));
const find = (...names: string[]) => names.map((name) => inbox.put(arrival(name, undefined, true)));
/** A text comes that waits ten seconds for others of the conversation. */
const text = (name: string, conversation: string) =>
	inbox.put(arrival(name, conversation), nowMs + 10_000);
const take = (mostGroups = 1, ...onlyLive: [boolean?]) =>
	inbox.take(mostGroups, ...onlyLive).map(({ name }) => name);
const states = (...names: string[]) => names.map((name) => inbox.stateOf(name));

describe('an event', () => {
	test('waits, is handed to n8n, and begins; whatever brings it again changes nothing', () => {
		const seen = [inbox.stateOf('a')];
		const comesAgain = () => expect([...bring('a'), ...find('a')]).toEqual([false, false]);
		expect([...bring('a'), inbox.isEmpty]).toEqual([true, false]);
		comesAgain();
		seen.push(inbox.stateOf('a'));
		expect([take(), take()]).toEqual([['a'], []]);
		comesAgain();
		seen.push(inbox.stateOf('a'));
		inbox.markBegun(['a']);
		comesAgain();
		expect([...seen, inbox.stateOf('a')]).toEqual(['unknown', 'waiting', 'handed', 'begun']);
		expect(inbox.isEmpty).toBe(true);
	});

	test('that begins in another process, or before its start failed, needs no execution any more', () => {
		bring('a', 'b', 'c');
		inbox.markBegun(['a']);
		const handed = inbox.take(9);
		inbox.markBegun(['b']);
		expect(inbox.putBack(handed, nowMs + 60_000)).toBe(true);
		expect(inbox.putBack(handed, nowMs)).toBe(false);
		expect([take(9), states('a', 'b', 'c')]).toEqual([[], ['begun', 'begun', 'waiting']]);
		nowMs += 60_000;
		expect(take(9)).toEqual(['c']);
	});

	test('waits again when n8n has said nothing of its execution for an hour', () => {
		bring('a');
		take();
		nowMs += HOUR_MS - 1;
		inbox.putBackLost();
		expect(take()).toEqual([]);
		nowMs += 1;
		inbox.putBackLost();
		expect(take()).toEqual(['a']);
	});

	test('that its request hands over itself is handed, and waits no more', () => {
		bring('a');
		inbox.hand(arrival('a'));
		expect([states('a'), inbox.isEmpty]).toEqual([['handed'], true]);
	});

	test('does not wait for longer because the clock was set back', () => {
		inbox.put(arrival('a'), nowMs + 30_000);
		expect(take()).toEqual([]);
		nowMs -= 24 * HOUR_MS;
		expect(take()).toEqual(['a']);
	});
});

describe('what a webhook brings', () => {
	test('starts before what a check has found, each in the order in which it came', () => {
		find('found 1', 'found 2');
		bring('live 1', 'live 2');
		expect(take(3)).toEqual(['live 1', 'live 2', 'found 1']);
		expect(take(3)).toEqual(['found 2']);
	});

	test('takes the place of the same event that a check has found and that still waits for its webhook', () => {
		inbox.put(arrival('a', undefined, true), nowMs + 30_000);
		expect(bring('a')).toEqual([true]);
		expect(inbox.take(9)).toEqual([arrival('a')]);
	});

	test('starts also after the workflow has stopped; what a check has found goes on waiting, or is forgotten', () => {
		find('found');
		bring('live');
		expect(take(9, true)).toEqual(['live']);
		expect(states('found')).toEqual(['waiting']);
		bring('live later');
		inbox.dropFound();
		expect([states('found'), take(9), inbox.isEmpty]).toEqual([['unknown'], ['live later'], true]);
	});
});

describe('texts of a conversation that are combined', () => {
	test('start together once no other has come for as long as they wait, without what has begun elsewhere', () => {
		for (const name of ['a1', 'begun elsewhere']) text(name, 'Anna');
		text('b1', 'Ben');
		inbox.markBegun(['begun elsewhere']);
		nowMs += 9_000;
		text('a2', 'Anna');
		nowMs += 1_000;
		expect(take(9)).toEqual(['b1']);
		nowMs += 9_000;
		expect(take(1)).toEqual(['a1', 'a2']);
	});

	test('start after two minutes at the latest, when the customer never pauses', () => {
		const started = Array.from({ length: 130 }, (_, at) => {
			text(`a${at}`, 'Anna');
			nowMs += 1_000;
			return take().length;
		});
		expect(started.findIndex((count) => count > 0)).toBe(119);
		expect(started[119]).toBe(120);
	});

	test('take along what a check finds of the conversation, also after the workflow has stopped', () => {
		inbox.put(arrival('found before', 'Anna', true), nowMs + 30_000);
		text('live', 'Anna');
		inbox.put(arrival('found later', 'Anna', true), nowMs + 30_000);
		nowMs += 10_000;
		expect(take(1, true)).toEqual(['found before', 'live', 'found later']);
	});
});

test('events that have begun are remembered by the ten thousands, and as long as a check asks for them', () => {
	inbox.markBegun(['asked', 'not asked']);
	const more = (part: number) => Array.from({ length: 25_000 }, (_, at) => `event ${part}.${at}`);
	for (const part of [1, 2, 3]) {
		inbox.markBegun(more(part));
		expect(inbox.stateOf('asked')).toBe('begun');
	}
	expect(states('not asked', 'event 3.0')).toEqual(['unknown', 'begun']);
});

test.each<[boolean, object]>([
	[true, arrival('a')],
	[true, { name: 'a', event: { line: {} } }],
	[true, { isForSaving: true }],
	[true, { failedCheck: 'No answer.', description: '' }],
	[false, {}],
	[false, { event: { message: {} } }],
	[false, { name: 'a', event: {} }],
	[false, { isForSaving: 'true', failedCheck: 1 }],
])(
	'an item is the trigger’s own (%s) only if it carries what the trigger has made: %j',
	(isOurs, json) => {
		expect(readHanded(toItem(json as Handed))).toEqual(isOurs ? json : undefined);
	},
);
