import fc from 'fast-check';
import { CHARACTER_NAMES, type CharacterName } from '../../sandbox/src';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { CharacterWorld, type StateOfN8n } from './characterWorld';
import { MINUTE_MS, SECOND_MS } from '../support/times';
import { step } from './scriptSteps';

/** Scripts for each character; a failing seed is printed by fast-check. */
const RUNS = Number(process.env.CHARACTER_RUNS ?? 6);

const PARAMETERS = { events: ['receive', 'outbound'], filters: { contains: 'please' } };

/** What becomes of the request that sends a message. */
const FATES = {
	answered: undefined,
	fails: undefined,
	limited: 'refuse-429',
	'accepted, and its answer lost': 'status-500-after',
	'accepted, and cut off': 'reset-after',
	'lost, and so is its answer': 'status-500',
} as const;
type Fate = keyof typeof FATES;

/** What n8n does when an event comes. */
const n8n = fc.constantFrom<StateOfN8n>('listening', 'listening', 'away', 'booting');

/** What a person writes, what the node sends, and, in the words of the world, whatever else happens. */
const steps = fc.oneof(
	step(6, 'text', { isWanted: fc.boolean(), n8n }),
	step(3, 'send', {
		fate: fc.constantFrom(...(Object.keys(FATES) as Fate[])),
		ifUnconfirmed: fc.constantFrom('fail', 'sendAgain'),
		n8n,
	}),
	...[
		{
			weight: 1,
			arbitrary: fc
				.constantFrom('same', 'same', 'broken-signature', 'old-timestamp')
				.map((as) => `redeliver ${as}`),
		},
		{ weight: 4, arbitrary: fc.nat({ max: 3 }).map((count) => `execute ${count}`) },
		{ weight: 3, arbitrary: fc.constant('check') },
		{ weight: 1, arbitrary: fc.constant('hideHistory; check; mend') },
		{
			weight: 2,
			arbitrary: fc.nat({ max: 20 }).map((minutes) => `restart ${minutes * MINUTE_MS}`),
		},
		{ weight: 1, arbitrary: fc.constant('publishAgain') },
		{ weight: 2, arbitrary: fc.nat({ max: 40 }).map((minutes) => `pass ${minutes * MINUTE_MS}`) },
	],
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Plays a script, and keeps account of what has to come of it. */
class Script {
	private readonly wanted: string[] = [];

	private messages = 0;

	constructor(private readonly world: CharacterWorld) {}

	async take(taken: Step): Promise<void> {
		const { world } = this;
		world.n8nIs('listening');
		await world.pass(SECOND_MS);
		if (typeof taken === 'string') return await world.play(taken);
		world.n8nIs(taken.n8n);
		if (taken.does === 'send') return await this.send(taken);
		const content = `${taken.isWanted ? 'please' : 'no'} ${(this.messages += 1)}`;
		if (taken.isWanted) this.wanted.push(`receive ${content}`);
		await world.text(content);
	}

	/** Lets everything end that is under way, and then brings everything once more. */
	async end(): Promise<void> {
		const { world } = this;
		world.n8nIs('listening');
		for (let round = 0; round < 3; round += 1) await world.checkAndExecute();
		this.expectOnceEach();
		await world.restart();
		await world.redeliver();
		await world.execute();
		for (let round = 0; round < 2; round += 1) await world.checkAndExecute();
		this.expectOnceEach();
	}

	private expectOnceEach(): void {
		const begun = this.world.begun.map(
			({ event, content }) => `${String(event)} ${String(content)}`,
		);
		expect(begun.sort()).toEqual(this.wanted.sort());
	}

	/** Sends a message: it arrives once, or the node tells that it may not have arrived. */
	private async send({ fate, ifUnconfirmed }: Extract<Step, { does: 'send' }>): Promise<void> {
		const { world } = this;
		const content = `sent ${(this.messages += 1)}`;
		const kind = FATES[fate];
		if (kind) await world.service.fault(PATHS.sendMessage, kind);
		if (fate === 'fails') await world.failNextSend();
		const run = await world.send(content, { ifUnconfirmed });
		const arrived = (await world.accepted()).filter((text) => text === content).length;
		const isLost = fate === 'lost, and so is its answer' && ifUnconfirmed === 'fail';
		expect({ isTold: run.nodeError('Node') !== undefined, arrived }).toEqual({
			isTold: isLost,
			arrived: isLost ? 0 : 1,
		});
		await world.pass(5 * SECOND_MS);
		if (arrived > 0) this.wanted.push(`outbound ${content}`);
	}
}

async function play(character: CharacterName, script: Step[], seed: number): Promise<void> {
	const world = await CharacterWorld.start(character, PARAMETERS, seed);
	try {
		await world.text('please, before the workflow listened');
		await world.publish();
		const played = new Script(world);
		for (const taken of script) await played.take(taken);
		await played.end();
	} finally {
		await world.stop();
	}
}

test.each(CHARACTER_NAMES)(
	'with a service that is %s, every event begins exactly once, every message arrives once or is told',
	async (character) => {
		const scripts = fc.array(steps, { minLength: 5, maxLength: 25, size: 'max' });
		await fc.assert(
			fc.asyncProperty(scripts, fc.nat({ max: 1_000 }), async (script, seed) => {
				await play(character, script, seed);
			}),
			{ numRuns: RUNS },
		);
	},
	300_000,
);
