import { checkAgain } from '../../support/playground/checks';
import { waitUntil } from '../../support/waitUntil';
import { SeededChance } from './seededChance';
import type { Station } from './station';

const WORKFLOW = 'survivalSideBySi';
const COPY = 'survivalSideCopy';
const TRIGGERS = ['Event', 'Second'];

/** Every trigger, as the effects name it. */
const ALL = [WORKFLOW, COPY].flatMap((id) => TRIGGERS.map((trigger) => `${id} ${trigger}`));

/** Several triggers, in one workflow and in a copy of it. */
export const testSideBySide = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
		await station.publishReporting({ id: WORKFLOW, triggers: TRIGGERS });
		await station.publishReporting({ id: COPY, triggers: TRIGGERS, copyOf: WORKFLOW });
	});

	const chance = SeededChance.ofTest('side by side');

	/** Lets customers text; returns the handles of their messages. */
	async function text(count: number): Promise<string[]> {
		const handles: string[] = [];
		for (let at = 0; at < count; at += 1) {
			const from = `+1555123${String(chance.between(0, 9)).padStart(4, '0')}`;
			handles.push((await station.text(`message ${at}`, from)).message_handle);
		}
		return handles;
	}

	/** What has started each trigger's executions, and whether a check had found it. */
	const effects = () =>
		station.effects.all
			.map(({ trigger, handle, recovered }) => ({ trigger, handle, recovered }))
			.sort(byText);

	const wanted = (handles: string[], recovered: boolean) =>
		ALL.flatMap((trigger) => handles.map((handle) => ({ trigger, handle, recovered }))).sort(
			byText,
		);

	const byText = (one: object, other: object) =>
		JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

	/** Waits until so many effects are there and no more come. */
	async function settled(count: number): Promise<void> {
		await waitUntil(
			'every effect',
			async () => await Promise.resolve(station.effects.all.length >= count || undefined),
		);
		// A check would bring an event once more.
		await checkAgain(station.sandboxUrl, station, ALL.length);
	}

	describe('two triggers in one workflow, and a copy of the workflow', () => {
		beforeEach(() => station.effects.clear());

		test('each start once with each event that webhooks bring', async () =>
			await station.showingLog(async () => {
				await station.waitUntilListening();
				const handles = await text(chance.between(5, 15));

				await settled(handles.length * ALL.length);

				expect(effects()).toEqual(wanted(handles, false));
			}));

		test('each start once with each event that the checks find after a downtime', async () =>
			await station.showingLog(async () => {
				await station.stop();
				const handles = await text(chance.between(10, 40));
				await station.start();

				await settled(handles.length * ALL.length);

				expect(effects()).toEqual(wanted(handles, true));
			}));
	});
};
