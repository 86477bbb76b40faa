import axios from 'axios';
import type { Row } from '../../support/playground/customer';
import { waitUntil } from '../../support/waitUntil';
import type { Given } from './examplesPlayground';
import { STAFF } from './examplesPlayground';

const REMINDER = 'twmReminder00001';
const FOLLOW_UP = 'twmFollowUp00001';
const TABLE = 'Follow-ups';
const MORNING = 'Every morning at ten';

/** Opens the link in a text, and answers on its page. */
const choose = async ({ content }: Row, decision: 'approve' | 'decline') => {
	const link = /https?:\S+/.exec(content)?.[0] ?? '';
	const page = await axios.get<string>(link, { proxy: false });
	expect(page.data).toContain('Yes, I will come');
	await axios.post(link, new URLSearchParams({ decision }), { proxy: false });
};

/** The examples that text customers on certain days. */
export const testReminding = ({ playground, number, copy }: Given) => {
	test('Appointment reminder asks each customer once, waits for each of them separately, and thanks them or tells a person', async () => {
		const [anna, ben] = ['+15551230001', '+15551230006'] as const;
		const had = {
			[anna]: (await playground().messagesTo(anna)).length,
			[ben]: (await playground().messagesTo(ben)).length,
			[STAFF]: (await playground().messagesTo(STAFF)).length,
		};
		const newTo = async (to: keyof typeof had) =>
			(await playground().messagesTo(to)).slice(had[to]);
		await playground().run(REMINDER, 'Try it by hand');
		await waitUntil('both to wait', async () => {
			const runs = await playground().running.n8n.executions(REMINDER);
			return runs.filter(({ status }) => status === 'waiting').length === 2 || undefined;
		});
		const [toAnna, toBen] = [(await newTo(anna))[0] as Row, (await newTo(ben))[0] as Row];
		expect(toAnna.content).toContain('Hi Anna, your appointment is tomorrow at 10:00.');
		expect(toBen.content).toContain('Hi Ben, your appointment is tomorrow at 11:30.');

		const ended = await playground().afterExecutions(REMINDER, 0, async () => {
			await choose(toBen, 'decline');
			await choose(toAnna, 'approve');
		});
		expect(ended).toEqual([]);
		expect(await newTo(STAFF)).toMatchObject([
			{ content: `Ben (${ben}) cannot come tomorrow at 11:30.` },
		]);
		expect(await newTo(ben)).toHaveLength(1);
		expect(await newTo(anna)).toMatchObject([
			{},
			{
				content: 'Thank you, Anna. See you tomorrow at 10:00.',
				line_handle: toAnna.line_handle,
			},
		]);
	});

	describe('Follow-up until they answer', () => {
		const people = ['Eva', 'Finn', 'Gil'] as const;
		const [eva, finn, gil] = [number('21'), number('22'), number('23')];
		const numbers = [eva, finn, gil];

		const rows = async () =>
			(await playground().rows(TABLE)).filter((row) => numbers.includes(String(row.number)));
		/** Lets the days go by until the next text of everybody is due. */
		const letDaysPass = async () => {
			for (const one of numbers) {
				const next_text_at = '2026-01-01T00:00:00.000Z';
				const row = (await rows()).find((candidate) => candidate.number === one);
				if (row?.next_text_at !== null) {
					await playground().changeRows(TABLE, ['number', one], { next_text_at });
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
			await Promise.all(numbers.map(async (one) => (await playground().textsTo(one)).length));

		test('texts after 1, 3 and 7 days, each text once, and stops at an answer or an opt-out', async () => {
			const copyId = await copy(FOLLOW_UP, (workflow) => ({
				...workflow,
				nodes: workflow.nodes.map((node) =>
					node.name === 'Your people' ? withPeople(node) : node,
				),
			}));
			await playground().run(copyId, 'Add people by hand');
			expect((await rows()).map((row) => row.number)).toEqual(numbers);
			expect(await morningsUntilNext(eva)).toBe(1);
			await playground().run(copyId, MORNING);
			expect(await counts()).toEqual([0, 0, 0]);

			await letDaysPass();
			// At the same moment, as when somebody executes it by hand at ten.
			const morning = async () => await playground().run(copyId, MORNING);
			await Promise.all([morning(), morning(), morning()]);
			expect(await counts()).toEqual([1, 1, 1]);
			await playground().run(copyId, 'Add people by hand');
			expect(await morningsUntilNext(eva)).toBe(2);

			await playground().whilePublished([copyId], async () => {
				await playground().textTo(copyId, finn, 'Yes, please');
				await playground().textTo(copyId, gil, 'Stop');
			});
			await letDaysPass();
			await playground().run(copyId, MORNING);
			expect(await counts()).toEqual([2, 1, 1]);
			expect(await morningsUntilNext(eva)).toBe(4);

			await letDaysPass();
			await playground().run(copyId, MORNING);
			expect(await morningsUntilNext(eva)).toBeNull();
			await playground().run(copyId, MORNING);
			expect(await counts()).toEqual([3, 1, 1]);
			expect(await playground().textsTo(eva)).toEqual([
				'Hi Eva, thank you for your interest. Shall we make you an offer?',
				'Hi Eva, may we still make you an offer? We have time this week.',
				'Hi Eva, this is our last text. Write to us whenever you like.',
			]);
			expect((await rows()).map(({ state, texts_sent }) => [state, texts_sent])).toEqual([
				['waiting', 3],
				['answered', 1],
				['opted out', 1],
			]);
		});

		const withPeople = (node: { parameters: Record<string, unknown> }) => {
			const list = people.map((name, at) => ({ name, number: numbers[at] }));
			const parameters = structuredClone(node.parameters) as {
				assignments: { assignments: Array<{ value: string }> };
			};
			for (const one of parameters.assignments.assignments) one.value = JSON.stringify(list);
			return { ...(node as typeof node & { type: string }), parameters };
		};
	});
};
