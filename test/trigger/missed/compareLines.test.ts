import fc from 'fast-check';
import {
	eventName,
	readEvent,
	type ServiceEvent,
} from '../../../nodes/TwoWayMessaging/trigger/event';
import { EventStandings } from '../../../nodes/TwoWayMessaging/trigger/eventStandings';
import {
	beginLines,
	compareLines,
} from '../../../nodes/TwoWayMessaging/trigger/missed/compareLines';
import type { LineStates } from '../../../nodes/TwoWayMessaging/trigger/savedState';
import { endedBlock, ToldBlocks } from '../../../nodes/TwoWayMessaging/trigger/start/toldBlocks';
import { TestClock } from '../../support/testClock';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const line = (blockedAt: string | null) => ({ line_handle: 'l1', blocked_at: blockedAt });

/** What happens to the webhook of a change: it is delivered at once, late, or never. */
type Fate = 'delivered' | 'late' | 'lost';

/** One line, and a workflow that listens to it; a test says when an event that was handed over begins. */
class World {
	readonly begun: string[] = [];

	readonly expected: string[] = [];

	private standings = new EventStandings(new TestClock(() => 0));

	private told = new ToldBlocks();

	private states: LineStates = beginLines([line(null)]);

	/** The names in n8n's table: they survive a kill. */
	private readonly recorded = new Set<string>();

	private blockedAt: string | null = null;

	private minute = 0;

	private handedOver: Array<{ kind: string; name: string }> = [];

	private readonly late: object[] = [];

	/** Changes the line, after the events of its last change have begun. */
	change(fate: Fate): void {
		this.begin();
		this.check();
		this.begin();
		this.minute += 1;
		const isBlock = this.blockedAt === null;
		this.blockedAt = isBlock ? at(this.minute) : null;
		const type = isBlock ? 'line_blocked' : 'line_unblocked';
		this.expected.push(`${type} ${this.minute}`);
		const data = { line: { line_handle: 'line_l1', blocked_at: this.blockedAt } };
		const body = { id: `evt_${this.minute}`, type, created_at: at(this.minute), data };
		if (fate === 'late') this.late.push(body);
		if (fate === 'delivered') this.deliver(body);
	}

	deliverLate(): void {
		for (const body of this.late) this.deliver(body);
	}

	check(): void {
		const { due, states } = compareLines([line(this.blockedAt)], this.states, {
			latestBlock: (handle) => this.told.latest(handle),
			standingOf: (name) => this.standings.standingOf(name),
			isWanted: () => true,
		});
		this.states = states;
		for (const { event, name } of due) this.handOver(event, name);
	}

	begin(): void {
		for (const { kind, name } of this.handedOver.splice(0)) {
			this.standings.markBegun(name);
			if (this.recorded.has(name)) continue;
			this.recorded.add(name);
			this.begun.push(`${kind} ${this.minute}`);
		}
	}

	/** Kills n8n, and starts it again with what it had saved. */
	kill(): void {
		this.standings = new EventStandings(new TestClock(() => 0));
		this.told = new ToldBlocks();
		this.handedOver = [];
	}

	private deliver(body: object): void {
		const event = readEvent(body) as ServiceEvent;
		const saved = this.states.l1;
		const blocks = [this.told.latest('l1'), saved?.handedOver, saved?.blockedAt];
		const ended = event.kind === 'line_unblocked' ? endedBlock(event, blocks) : undefined;
		const name = eventName(event, ended);
		const names = [name, String(event.eventId)];
		if (names.some((one) => this.standings.standingOf(one) !== 'new')) return;
		this.standings.markHandedOver(String(event.eventId));
		this.handOver(event, name);
	}

	private handOver(event: ServiceEvent, name: string): void {
		this.standings.markHandedOver(name);
		const block = 'line' in event && event.kind === 'line_blocked' && event.line.blocked_at;
		if (block) this.told.add('l1', block);
		this.handedOver.push({ kind: event.kind, name });
	}
}

const play = (fates: Fate[], withKills: boolean) => {
	const change = fc.constantFrom(...fates).map((fate) => (world: World) => world.change(fate));
	const others = ['check', 'begin', 'deliverLate', ...(withKills ? ['kill'] : [])] as const;
	const other = fc
		.constantFrom(...others)
		.map((does) => (world: World) => world[does as 'check']());
	return fc.array(fc.oneof(change, other), { maxLength: 30 }).map((steps) => {
		const world = new World();
		for (const step of steps) step(world);
		for (let rest = 0; rest < 3; rest += 1) {
			world.check();
			world.begin();
		}
		return world;
	});
};

test('§3.2 a block and its end begin once each, whether a webhook brings them or a check', () => {
	fc.assert(
		fc.property(play(['delivered', 'lost'], false), ({ begun, expected }) => {
			expect(begun.map((one) => one.split(' ')[0])).toEqual(
				expected.map((one) => one.split(' ')[0]),
			);
		}),
		{ numRuns: 2_000 },
	);
});

test('§3.2 a block and its end begin at least once, however late a webhook comes, and after a kill', () => {
	fc.assert(
		fc.property(play(['delivered', 'late', 'lost'], true), ({ begun, expected }) => {
			for (const kind of ['line_blocked', 'line_unblocked']) {
				const count = (list: string[]) => list.filter((one) => one.startsWith(kind)).length;
				expect(count(begun)).toBeGreaterThanOrEqual(count(expected));
			}
		}),
		{ numRuns: 2_000 },
	);
});

test('the states are the same in whichever order the service lists the lines', () => {
	const other = { line_handle: 'l0', blocked_at: at(3) };
	const states = beginLines([line(null), other]);
	expect(JSON.stringify(beginLines([other, line(null)]))).toBe(JSON.stringify(states));
});

describe('a check of lines', () => {
	const input = {
		latestBlock: () => undefined,
		standingOf: () => 'new' as const,
		isWanted: () => true,
	};

	test('brings the block of a line that was not there before', () => {
		expect(compareLines([line(null)], {}, input).due).toEqual([]);
		expect(compareLines([line(at(1))], {}, input).due).toMatchObject([
			{ event: { kind: 'line_blocked' }, name: `line_blocked:l1:${Date.parse(at(1))}` },
		]);
	});

	test('settles a change that the node does not listen to', () => {
		const plan = compareLines([line(at(1))], beginLines([line(null)]), {
			...input,
			isWanted: () => false,
		});
		expect(plan).toEqual({ due: [], states: { l1: { blockedAt: at(1) } } });
	});

	test('brings a block again that was handed over before a restart, and lasts', () => {
		const known = { l1: { blockedAt: null, handedOver: at(1) } };
		expect(compareLines([line(at(1))], known, input).due).toMatchObject([
			{ event: { kind: 'line_blocked' } },
		]);
	});

	test('brings the end of a block that was handed over before a restart, and has ended', () => {
		const known = { l1: { blockedAt: null, handedOver: at(1) } };
		expect(compareLines([line(null)], known, input).due).toMatchObject([
			{ event: { kind: 'line_unblocked' } },
		]);
	});
});
