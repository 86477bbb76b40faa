import { setTimeout as pause } from 'node:timers/promises';
import { checkAgain } from '../../support/playground/checks';
import { EXACTLY_ONCE } from '../../support/playground/reckoning';
import { requestedWorkflow } from '../../support/playground/requestedWorkflow';
import { waitUntil } from '../../support/waitUntil';
import { SeededChance } from './seededChance';
import type { Station } from './station';

const KILLS = Number(process.env.SURVIVAL_KILLS ?? 3);

/** How many customers are asked before each kill. */
const ASKED = 8;

/** Within this time all of them text, and n8n is killed. */
const TEXTING_MS = 300;
const LATEST_KILL_MS = 900;

/** How long the last start may take, and the check that then finds the texts of the half minute before. */
const FOUND_WITHIN_MS = 120_000;

const ASKING = 'survivalAsking00';
const QUESTION = 'Can we come at 10?';
const ASK_AGAIN = 'Please answer with yes or no.';

/** Questions by text, while n8n is killed. */
export const testAnswerKills = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
		// Every text that answers no question starts this workflow.
		await station.publishReporting({ id: 'survivalTexts000' });
		await station.publish(
			requestedWorkflow({
				id: ASKING,
				reportTo: station.effects.url,
				parameters: {
					...{ resource: 'message', operation: 'sendAndWait', responseType: 'reply' },
					...{ number: '={{ $json.body.number }}', content: QUESTION },
					...{ expected: 'yesOrNo', askAgainText: ASK_AGAIN },
				},
				outputs: 2,
				reports: {
					event: "$json.answered ? 'answered' : 'ended'",
					handle: "$json.message_handle ?? ''",
				},
			}),
		);
	});

	/** Asks customers, and waits until the executions wait for their answers. */
	const ask = async (numbers: string[]): Promise<void> => {
		for (const number of numbers) await station.request(ASKING, { number });
		await waitUntil('executions that wait', async () => {
			const statuses = (await station.n8n.executions(ASKING)).map(({ status }) => status);
			const asked = new Set((await station.accepted()).map(({ to }) => to));
			const isOver = !statuses.some((status) => status === 'new' || status === 'running');
			return isOver && numbers.every((number) => asked.has(number)) ? true : undefined;
		});
	};

	test(`each of ${KILLS * ASKED} questions goes on once, although ${KILLS} kills come as answers arrive`, async () =>
		await station.showingLog(async () => {
			const chance = SeededChance.ofTest('answer kills');
			/** The number of the customer who has sent each answer, by the name of its effect. */
			const answers = new Map<string, string>();
			const unclear: string[] = [];
			let openAtKills = 0;

			const text = async (number: string, content: string) => {
				const event = await station.text(content, number);
				if (content === 'yes') answers.set(event.replace('receive', 'answered'), number);
			};
			const isAnswered = (name: string) => station.effects.counts().has(name);

			for (let kill = 0; kill < KILLS; kill += 1) {
				await station.waitUntilListening();
				await station.waitUntilActivated(ASKING);
				const customers = Array.from({ length: ASKED }, (_, at) => ({
					// Nobody whom another test texts.
					number: `+1555124${String(kill * ASKED + at).padStart(4, '0')}`,
					isClear: chance.fraction() < 0.7,
					afterMs: chance.between(0, TEXTING_MS),
				}));
				await ask(customers.map(({ number }) => number));
				const texting = customers.map(async ({ number, isClear, afterMs }) => {
					await pause(afterMs);
					if (!isClear) unclear.push(number);
					await text(number, isClear ? 'yes' : 'perhaps');
				});
				await pause(chance.between(0, LATEST_KILL_MS));
				await station.kill();
				await Promise.all(texting);
				openAtKills += [...answers.keys()].filter((name) => !isAnswered(name)).length;
				await station.boot();
			}
			await station.waitUntilListening();

			// Whoever was not understood is asked again, and answers then.
			await waitUntil(
				'the second tries',
				async () => {
					const texts = await Promise.all(unclear.map(async (one) => await station.textsTo(one)));
					return texts.every((got) => got.length > 1) ? true : undefined;
				},
				FOUND_WITHIN_MS,
			);
			for (const number of unclear) await text(number, 'yes');

			const reckonAnswers = async (quietMs?: number) =>
				await station.reckon(
					ASKING,
					[...answers.keys()],
					(name) => answers.get(name) ?? '-',
					quietMs,
				);
			const reckoning = await reckonAnswers();
			// A check would bring a text once more.
			await checkAgain(station.sandboxUrl, station);
			const later = await reckonAnswers(0);

			process.stderr.write(
				`answer kills: ${reckoning.once} answers once, ${openAtKills} of them not answered yet at a kill; ` +
					`${unclear.length} customers were asked again; ${reckoning.cutOff.length} cut off by n8n as they went on\n`,
			);
			// No text has started the other workflow, and no question has ended in another way: these would be unknown.
			const { once, cutOff, ...others } = later;
			expect({ ...others, cutOff: [] }).toEqual(EXACTLY_ONCE);
			expect(once + cutOff.length).toBe(KILLS * ASKED);
			expect(cutOff).toEqual(reckoning.cutOff);
			for (const number of answers.values()) {
				const wanted = unclear.includes(number) ? [QUESTION, ASK_AGAIN] : [QUESTION];
				expect([number, ...(await station.textsTo(number))]).toEqual([number, ...wanted]);
			}
			expect(openAtKills).toBeGreaterThan(0);
			expect(unclear.length).toBeGreaterThan(0);
		}));
};
