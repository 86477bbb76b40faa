import type { ServiceEvent } from '../../../nodes/TwoWayMessaging/trigger/event';
import { endedBlock, ToldBlocks } from '../../../nodes/TwoWayMessaging/trigger/start/toldBlocks';
import { TestClock } from '../../support/testClock';
import { Memory } from '../../../nodes/TwoWayMessaging/processMemory';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
const unblocked = (createdAt?: string): ServiceEvent => ({
	kind: 'line_unblocked',
	line: { line_handle: 'l1' },
	body: {},
	...(createdAt && { createdAt }),
});

describe('the block that an event ends', () => {
	test('is the latest one before it, whichever process knows it', () => {
		expect(endedBlock(unblocked(at(9)), [at(1), undefined, at(8)])).toBe(at(8));
		expect(endedBlock(unblocked(at(9)), [at(8), at(1), null])).toBe(at(8));
	});

	test('is none that began after it', () => {
		expect(endedBlock(unblocked(at(5)), [at(8), at(1)])).toBe(at(1));
		expect(endedBlock(unblocked(at(5)), [at(8)])).toBeUndefined();
	});

	test('is the latest one where the event has no time (§6.3)', () => {
		expect(endedBlock(unblocked(), [at(1), at(8)])).toBe(at(8));
		for (const noTime of ['0001-01-01T00:00:00Z', 'now']) {
			expect(endedBlock(unblocked(noTime), [at(1), at(8)])).toBe(at(8));
		}
	});
});

test('the latest block of a line is remembered, in whichever order the blocks come', () => {
	const blocks = new Memory(new TestClock()).part(ToldBlocks);
	for (const hour of [3, 8, 5]) blocks.add('l1', at(hour));
	expect(blocks.latest('l1')).toBe(at(8));
	expect(blocks.latest('l2')).toBeUndefined();
});
