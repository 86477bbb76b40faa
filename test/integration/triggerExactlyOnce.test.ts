import fc from 'fast-check';
import { HOUR_MS } from '../support/times';
import { HistoryWorld } from './historyWorld';
import { play } from './scenes';
import { VirtualTime } from './virtualTime';
import { step } from './scriptSteps';

/** Runs of the property; a failing seed is printed by fast-check. */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 60);

/** What happens to the webhook of an event. */
const fate = fc.constantFrom('delivered', 'lost', 'twice');

const steps = fc.oneof(
	step(6, 'text', {
		fate,
		from: fc.constantFrom('anna', 'ben'),
		time: fc.constantFrom('+0s', '+0s', 'late', 'none', 'minute'),
		says: fc.constantFrom('please', 'no'),
	}),
	step(1, 'send'),
	step(1, 'settle', { fate, status: fc.constantFrom('SENT', 'ERROR', 'DELIVERED') }),
	step(2, 'again'),
	step(3, 'begin', { count: fc.nat({ max: 3 }) }),
	step(3, 'check'),
	step(2, 'kill'),
	step(1, 'crash'),
	step(1, 'change'),
	step(2, 'wait', { seconds: fc.nat({ max: 12 }) }),
	step(2, 'wait', { seconds: fc.nat({ max: 90 * 60 }) }),
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** The scene of a script, and which events have to begin in it. */
function write(script: Step[], combineSeconds: number) {
	const fields = 'events=["receive","outbound"] filters.contains=please';
	const scene = [
		'text before=please undated=please@none',
		`publish ${fields} options.combineSeconds=${combineSeconds}`,
	];
	const wanted: string[] = [];
	const queued: string[] = [];
	const times = { lost: 0, delivered: 1, twice: 2 };
	for (const [at, taken] of script.entries()) {
		scene.push('wait 1s');
		if (taken.does === 'text') {
			const name = `${taken.from}.${at}`;
			scene.push(`text ${name}=${taken.says}@${taken.time}`);
			scene.push(`webhook ${Array(times[taken.fate]).fill(name).join(' ')}`);
			if (taken.says === 'please') wanted.push(`receive ${name}`);
		} else if (taken.does === 'send') {
			queued.push(`out${at}`);
			scene.push(`ours out${at}@none QUEUED`);
		} else if (taken.does === 'settle') {
			const name = queued.shift();
			if (name === undefined) continue;
			scene.push(`ours ${name} ${taken.status}`);
			scene.push(...Array<string>(times[taken.fate]).fill(`told ${name} ${taken.status}`));
			wanted.push(`outbound ${name}`);
		} else if (taken.does === 'wait') scene.push(`wait ${taken.seconds}s`);
		else scene.push(taken.does === 'begin' ? `begin ${taken.count}` : taken.does);
	}
	const rest = 'check; begin; check; begin; again; wait 1m; begin';
	return { scene: [...scene, rest].join('; '), wanted };
}

test('every event begins exactly once, whatever is lost, late, delivered twice or killed', async () => {
	const scripts = fc.array(steps, { minLength: 5, maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(scripts, fc.constantFrom(0, 5), async (script, combineSeconds) => {
			const world = new HistoryWorld();
			await world.begin();
			world.clock = new VirtualTime(world);
			try {
				const { scene, wanted } = write(script, combineSeconds);
				expect((await play(world, scene)).sort()).toEqual(wanted.sort());
			} finally {
				// What still waits in a process that was killed would wait for ever.
				await world.pass(HOUR_MS);
				await world.stop();
			}
		}),
		{ numRuns: RUNS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: false },
	);
}, 300_000);
