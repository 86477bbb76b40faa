import fc from 'fast-check';
import { readEvent, type KnownEvent } from '../../nodes/TwoWayMessaging/trigger/event';
import {
	beginLines,
	hear,
	keyAmong,
	nothingHeard,
	reconcileLines,
	type LineStates,
} from '../../nodes/TwoWayMessaging/trigger/lines';
import { SeenList } from '../../nodes/TwoWayMessaging/trigger/seen';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const line = (blockedAt: string | null) => ({ line_handle: 'l1', blocked_at: blockedAt });

/** One line, one process; the workflow begins when a test says so. */
class World {
	readonly begun: string[] = [];

	private readonly seen = new SeenList();

	private readonly heard = nothingHeard();

	private states: LineStates = beginLines([line(null)]);

	private blockedAt: string | null = null;

	private minute = 0;

	private readonly handed: Array<{ kind: string; key: string }> = [];

	private readonly undelivered: object[] = [];

	readonly expected: string[] = [];

	/** The line changes after what it did before has run, and is looked at before it changes again. */
	toggle(fate: string): void {
		this.begin();
		this.check();
		this.minute += 1;
		const isBlock = this.blockedAt === null;
		this.blockedAt = isBlock ? at(this.minute) : null;
		const type = isBlock ? 'line_blocked' : 'line_unblocked';
		this.expected.push(type);
		const data = { line: { line_handle: 'line_l1', blocked_at: this.blockedAt } };
		const body = { id: `evt_${this.minute}`, type, created_at: at(this.minute), data };
		if (fate !== 'lost') this.undelivered.push(body);
		if (fate === 'delivered') this.deliver(body);
		this.check();
	}

	deliverAll(): void {
		for (const body of this.undelivered) this.deliver(body);
	}

	check(): void {
		const { due, states } = reconcileLines([line(this.blockedAt)], this.states, {
			heard: this.heard,
			standing: (key) => this.seen.standing(key, 0),
			isWanted: () => true,
		});
		this.states = states;
		for (const { happening, key } of due) this.hand(happening.kind, key);
	}

	begin(): void {
		for (const { kind, key } of this.handed.splice(0)) {
			if (this.seen.standing(key, 0) === 'settled') continue;
			this.seen.begin(key, 0);
			this.begun.push(kind);
		}
	}

	private deliver(body: object): void {
		const event = readEvent(body) as KnownEvent;
		const key = keyAmong(event, this.heard, this.states);
		const names = [key, String(event.eventId)];
		if (names.some((name) => this.seen.standing(name, 0) !== 'new')) return;
		this.seen.hand(names[1] ?? '', 0);
		hear(this.heard, event, key);
		this.hand(event.kind, key);
	}

	private hand(kind: string, key: string): void {
		this.seen.hand(key, 0);
		this.handed.push({ kind, key });
	}
}

test('§3.2 every block and every end of one is told once, in whichever way and order it comes', () => {
	const steps = fc.oneof(
		fc
			.constantFrom('delivered', 'lost', 'later')
			.map((fate) => (world: World) => world.toggle(fate)),
		fc.constant((world: World) => world.check()),
		fc.constant((world: World) => world.begin()),
		fc.constant((world: World) => world.deliverAll()),
	);
	fc.assert(
		fc.property(fc.array(steps, { maxLength: 30 }), (taken) => {
			const world = new World();
			for (const step of taken) step(world);
			for (let rest = 0; rest < 3; rest += 1) {
				world.begin();
				world.check();
			}
			world.deliverAll();
			world.begin();
			expect([...world.begun].sort()).toEqual([...world.expected].sort());
		}),
		{ numRuns: 2_000 },
	);
});

test('the states are the same in whichever order the service lists the lines', () => {
	const other = { line_handle: 'l0', blocked_at: at(3) };
	const states = beginLines([line(null), other]);
	expect(JSON.stringify(beginLines([other, line(null)]))).toBe(JSON.stringify(states));
});

test('a line that nobody knew is told when it is blocked', () => {
	const input = { heard: nothingHeard(), standing: () => 'new' as const, isWanted: () => true };
	expect(reconcileLines([line(null)], {}, input).due).toEqual([]);
	expect(reconcileLines([line(at(1))], {}, input).due).toMatchObject([
		{ happening: { kind: 'line_blocked' } },
	]);
});

test('a change that nobody listens to is taken note of', () => {
	const input = { heard: nothingHeard(), standing: () => 'new' as const, isWanted: () => false };
	const plan = reconcileLines([line(at(1))], beginLines([line(null)]), input);
	expect(plan).toEqual({ due: [], states: { l1: { blockedAt: at(1), blocks: [at(1)] } } });
});

test('an end that overtook its block keeps its name when it is delivered again', () => {
	const heard = nothingHeard();
	const read = (type: string, blockedAt: string | null, created_at: string) =>
		readEvent({ type, created_at, data: { line: line(blockedAt) } }) as KnownEvent;
	const end = read('line_unblocked', null, at(5));
	const name = keyAmong(end, heard);
	hear(heard, end, name);
	const block = read('line_blocked', at(3), at(3));
	hear(heard, block, keyAmong(block, heard));
	expect(keyAmong(end, heard)).toBe(name);
	expect(keyAmong(read('line_unblocked', null, at(9)), heard)).toBe(
		`line_unblocked:l1:${Date.parse(at(3))}`,
	);
});
