import { waitUntil } from '../../support/waitUntil';
import * as shop from './shop';

const AUTO_REPLY = 'twmAutoReply0001';
const REMINDER = 'twmReminder00001';
const SURVEY = 'twmSurvey0000001';
const FOLLOW_UP = 'twmFollowUp00001';
const TABLE = 'Follow-ups';
const MORNING = 'Every morning at ten';
const BEGIN = 'Begin with new people';
/** The number of somebody on the list whose appointment is not tomorrow. */
const IN_THREE_DAYS = '+15551230007';

/** Two people on the lists of the examples. */
const [ANNA, BEN] = ['+15551230001', '+15551230006'] as const;

/** How many texts each had got when the example was started. */
const had = new Map<string, number>();

/** The texts that a number has got since then. */
const textsTo = async (to: string) => (await shop.textsTo(to)).slice(had.get(to));

/** Waits for so many texts to a number; returns the last of them. */
const waitForText = async (to: string, count: number) =>
	await waitUntil(`text ${count} to ${to}`, async () => (await textsTo(to))[count - 1]);

const text = async (from: string, content: string) =>
	void (await shop.customer(from).text(content));

/** Lets customers answer questions by text, as a published trigger passes the answers on. */
const answering = async (id: string, trigger: string, body: () => Promise<void>) => {
	for (const to of [ANNA, BEN, shop.STAFF]) had.set(to, (await shop.textsTo(to)).length);
	await shop.whilePublished(AUTO_REPLY, async () => {
		const ended = await shop.afterExecutions(id, 0, async () => {
			await shop.run(id, trigger);
			await body();
		});
		expect(ended.every((status) => status === 'success')).toBe(true);
	});
};

/** The examples that text customers on certain days, or ask them. */
export const testReminding = () => {
	test('Appointment reminder asks each customer of tomorrow once, understands them, and offers other times', async () => {
		await answering(REMINDER, 'Try it by hand', async () => {
			expect(await waitForText(ANNA, 1)).toBe(
				'Hi Anna, your appointment is tomorrow at 10:00. Will you come? Please answer yes or no.',
			);
			expect(await waitForText(BEN, 1)).toContain('tomorrow at 11:30. Will you come?');
			await text(ANNA, '👍🏽');
			await text(BEN, 'No, sorry');
			expect(await waitForText(ANNA, 2)).toBe('Thank you, Anna. See you tomorrow at 10:00.');
			expect(await waitForText(BEN, 2)).toBe(
				'Another day? We have time:\n\n1. Friday at 9:00\n2. Friday at 14:00\n3. Monday at 10:00',
			);
			await text(BEN, 'whenever you like');
			expect(await waitForText(BEN, 3)).toContain('we did not understand');
			await text(BEN, '2.');
			expect(await waitForText(BEN, 4)).toBe('Thank you, Ben. See you Friday at 14:00.');
			expect(await waitForText(shop.STAFF, 1)).toBe(
				`Ben (${BEN}) comes Friday at 14:00 instead of tomorrow at 11:30.`,
			);
			expect(await textsTo(ANNA)).toHaveLength(2);
			expect(await textsTo(BEN)).toHaveLength(4);
			expect(await textsTo(shop.STAFF)).toHaveLength(1);
			expect(await textsTo(IN_THREE_DAYS)).toEqual([]);
			const rows = (await shop.messagesTo(BEN)).slice(-4);
			expect(new Set(rows.map(({ conversation_handle }) => conversation_handle)).size).toBe(1);
		});
	});

	test('Appointment reminder tells a person whom it did not understand, and the customer of a call', async () => {
		await answering(REMINDER, 'Try it by hand', async () => {
			await waitForText(ANNA, 1);
			await waitForText(BEN, 1);
			await text(BEN, 'no');
			await waitForText(BEN, 2);
			await text(BEN, 'whenever you like');
			await waitForText(BEN, 3);
			await text(BEN, 'in the afternoon');
			expect(await waitForText(shop.STAFF, 1)).toBe(
				`Ben (${BEN}) cannot come tomorrow at 11:30. Asked for another time, they wrote “whenever you like” and “in the afternoon”. Please call them.`,
			);
			expect(await waitForText(BEN, 4)).toBe('Thank you, Ben. We will call you.');
			await text(ANNA, 'it depends');
			await waitForText(ANNA, 2);
			await text(ANNA, 'on the weather');
			expect(await waitForText(shop.STAFF, 2)).toBe(
				`Anna (${ANNA}) has not said clearly whether they come tomorrow at 10:00. They wrote “it depends” and “on the weather”. Please call them.`,
			);
			expect(await waitForText(ANNA, 3)).toBe('Thank you, Anna. We will call you.');
			expect(await textsTo(BEN)).toHaveLength(4);
		});
	});

	test('Survey asks two questions of each person on the list, and tells what they answered', async () => {
		await answering(SURVEY, 'Send the survey', async () => {
			expect(await waitForText(ANNA, 1)).toBe(
				'Hi Anna, thank you for your visit. How was it?\n\n1. Very good\n2. All right\n3. Not so good',
			);
			await waitForText(BEN, 1);
			await text(BEN, '3');
			await waitForText(BEN, 2);
			await text(BEN, 'STOP');
			expect(await waitForText(shop.STAFF, 1)).toBe(
				`Ben (${BEN}) answered “Not so good”, and then asked for no more texts.`,
			);
			await text(BEN, 'START');
			await text(ANNA, 'B)');
			expect(await waitForText(ANNA, 2)).toBe('Thank you. Would you come again?');
			await text(ANNA, 'Sure!');
			expect(await waitForText(shop.STAFF, 2)).toBe('Anna: All right, would come again.');
			expect(await waitForText(ANNA, 3)).toBe('Thank you, Anna. We are glad to know.');
		});
	});

	describe('Follow-up until they answer', () => {
		const people = ['Eva', 'Finn', 'Gil'] as const;
		const [eva, finn, gil] = [shop.number('21'), shop.number('22'), shop.number('23')];
		const numbers = [eva, finn, gil];

		const rows = async () =>
			(await shop.tableRows(TABLE)).filter((row) => numbers.includes(String(row.number)));
		/** Lets the days go by until the next text of everybody is due. */
		const letDaysPass = async () => {
			for (const one of numbers) {
				const next_text_at = '2026-01-01T00:00:00.000Z';
				const row = (await rows()).find((candidate) => candidate.number === one);
				if (row?.next_text_at !== null) {
					await shop.tables().change(TABLE, 'number', one, { next_text_at });
				}
			}
		};
		/** In how many mornings the next text is sent; null when none is. */
		const morningsUntilNext = async (of: string) => {
			const row = (await rows()).find((candidate) => candidate.number === of);
			if (row?.next_text_at === null) return null;
			// A time of the day would be passed a little later each morning, and cost a day each time.
			expect(Date.parse(String(row?.next_text_at)) % (60 * 60_000)).toBe(0);
			const leftMs = Date.parse(String(row?.next_text_at)) - Date.now();
			return Math.ceil(leftMs / (24 * 60 * 60_000));
		};
		const counts = async () =>
			await Promise.all(numbers.map(async (one) => (await shop.textsTo(one)).length));

		test('texts after 1, 3 and 7 days, each text once, and stops at an answer or an opt-out', async () => {
			const copyId = await shop.copy(FOLLOW_UP);
			const list = people.map((name, at) => ({ name, number: numbers[at] ?? '' }));
			// Eva stands in the table twice.
			await shop.tables().add(TABLE, [...list, ...list.slice(0, 1)]);
			await shop.run(copyId, BEGIN);
			expect((await rows()).map((row) => row.number)).toEqual([...numbers, eva]);
			expect(await morningsUntilNext(eva)).toBe(1);
			await shop.run(copyId, MORNING);
			expect(await counts()).toEqual([0, 0, 0]);

			await letDaysPass();
			// At the same moment, as when somebody executes it by hand at ten.
			const morning = async () => await shop.run(copyId, MORNING);
			await Promise.all([morning(), morning(), morning()]);
			expect(await counts()).toEqual([1, 1, 1]);
			await shop.run(copyId, BEGIN);
			expect(await morningsUntilNext(eva)).toBe(2);

			await shop.whilePublished(copyId, async () => {
				await shop.textTo(copyId, finn, 'Yes, please');
				await shop.textTo(copyId, gil, 'Stop');
			});
			await letDaysPass();
			await shop.run(copyId, MORNING);
			expect(await counts()).toEqual([2, 1, 1]);
			expect(await morningsUntilNext(eva)).toBe(4);

			await letDaysPass();
			await shop.run(copyId, MORNING);
			expect(await morningsUntilNext(eva)).toBeNull();
			await shop.run(copyId, MORNING);
			expect(await counts()).toEqual([3, 1, 1]);
			expect(await shop.textsTo(eva)).toEqual([
				'Hi Eva, thank you for your interest. Shall we make you an offer?',
				'Hi Eva, may we still make you an offer? We have time this week.',
				'Hi Eva, this is our last text. Write to us whenever you like.',
			]);
			expect((await rows()).map(({ state, texts_sent }) => [state, texts_sent])).toEqual([
				['waiting', 3],
				['answered', 1],
				['opted out', 1],
				['waiting', 3],
			]);
		});
	});
};
