import { InFlight } from '../../nodes/TwoWayMessaging/resources/message/inFlight';

describe('what is under way', () => {
	let inFlight: InFlight;

	beforeEach(() => {
		inFlight = new InFlight();
	});

	test('is nothing before the first begins, and after the last has ended', () => {
		expect(inFlight.ended('a')).toBeUndefined();
		const endFirst = inFlight.begin('a');
		const endSecond = inFlight.begin('a');
		endFirst();
		expect(inFlight.ended('a')).toBeDefined();
		endSecond();
		expect(inFlight.ended('a')).toBeUndefined();
	});

	test('has ended when all of it has', async () => {
		const ends = [inFlight.begin('a'), inFlight.begin('a')];
		let areEnded = false;
		const waiting = inFlight.ended('a')?.then(() => {
			areEnded = true;
		});

		ends[1]?.();
		await new Promise((resolve) => setImmediate(resolve));
		expect(areEnded).toBe(false);

		ends[0]?.();
		await waiting;
		expect(areEnded).toBe(true);
	});

	test('is told apart by its keys', () => {
		inFlight.begin('a');
		expect(inFlight.ended('b')).toBeUndefined();
	});

	test('ends once, however often its end is told', () => {
		const end = inFlight.begin('a');
		end();
		inFlight.begin('a');
		end();
		expect(inFlight.ended('a')).toBeDefined();
	});
});
