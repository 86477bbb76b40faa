import { AgingMap } from '../../nodes/TwoWayMessaging/resources/message/agingMap';

let nowMs = 0;
const clock = { nowMs: () => nowMs, sleep: async () => {} };

describe('a map that ages', () => {
	beforeEach(() => {
		nowMs = 0;
	});

	test('forgets what is too old', () => {
		const map = new AgingMap<string>(clock, { mostKept: 10, keptMs: 1_000 });
		map.set('a', 'first');
		nowMs = 999;
		expect(map.get('a')).toBe('first');
		nowMs = 1_000;
		expect(map.get('a')).toBeUndefined();
	});

	test('forgets the oldest when there are too many; a value that is set again is young', () => {
		const map = new AgingMap<number>(clock, { mostKept: 2, keptMs: 1_000 });
		map.set('a', 1);
		map.set('b', 2);
		map.set('a', 3);
		map.set('c', 4);
		expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4]);
	});

	test('forgets what is deleted', () => {
		const map = new AgingMap<number>(clock, { mostKept: 2, keptMs: 1_000 });
		map.set('a', 1);
		map.delete('a');
		expect(map.get('a')).toBeUndefined();
	});
});
