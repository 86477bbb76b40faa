import type { Row } from '../../support/playground/customer';
import type { Given } from './examplesPlayground';
import { STAFF } from './examplesPlayground';

const HAND_OVER = 'twmHandOver00001';
const TRIGGER = 'When somebody texts';
const AUTOMATIC = 'Thank you for your text. To talk with a person, text HUMAN.';
const SOON = 'A person will answer you soon.';
const NOBODY = 'Not sent, as you have no customer. Text NEXT for the next customer.';

/** The example in which a colleague takes over. The number of the staff is the colleague's. */
export const testHandingOver = ({ playground, number, copy }: Given) => {
	const [ana, bo] = [number('31'), number('32')];
	let id = '';

	beforeAll(async () => {
		id = await copy(HAND_OVER);
	});

	const says = async (from: string, content: string): Promise<Row> =>
		await playground().textTo(id, from, content);
	const taken = async () =>
		(await playground().rows('Handovers'))
			.filter((row) => row.taken_at !== null)
			.map(({ customer }) => customer);

	test('Hand over to a person gives a colleague one customer at a time, and nobody another’s texts', async () => {
		const had = (await playground().textsTo(STAFF)).length;
		const newToColleague = async () => (await playground().textsTo(STAFF)).slice(had);
		let early: Row | undefined;
		await playground().whilePublished([id], async () => {
			await says(ana, 'Is my bike ready?');
			await says(STAFF, 'Anybody there?');
			await says(ana, 'human');
			await says(bo, 'Human, please!');
			await says(STAFF, 'Next');
			expect(await taken()).toEqual([ana]);
			early = await says(STAFF, 'Hi, it is ready');
			await says(ana, 'Great');
			await says(bo, 'And mine?');
			await says(STAFF, 'next');
			expect(await taken()).toEqual([ana]);
			await says(STAFF, 'Done.');
			await says(STAFF, 'Bye');
			await says(ana, 'Thanks');
			await says(STAFF, 'NEXT');
			expect(await taken()).toEqual([bo]);
			await says(STAFF, 'Yours too');
		});
		expect(await newToColleague()).toEqual([
			NOBODY,
			`${ana} asks for a person. Text NEXT when you have time.`,
			`${bo} asks for a person. Text NEXT when you have time.`,
			expect.stringMatching(
				new RegExp(`^You now have \\${ana}\\.[^]*: Is my bike ready\\?\n[^]*: human\n`),
			),
			`${ana}: Great`,
			`You still have ${ana}. Text DONE first.`,
			`You no longer have ${ana}. Text NEXT for the next customer.`,
			NOBODY,
			expect.stringMatching(
				new RegExp(`^You now have \\${bo}\\.[^]*: Human, please!\n[^]*: And mine\\?$`),
			),
		]);
		expect(await playground().textsTo(ana)).toEqual([
			AUTOMATIC,
			SOON,
			'Hi, it is ready',
			AUTOMATIC,
		]);
		expect(await playground().textsTo(bo)).toEqual([SOON, 'Yours too']);

		// A text that was written to one customer, and is processed when the colleague has the next one.
		const late = await copy(HAND_OVER, (workflow) => ({
			...workflow,
			id: `${workflow.id.slice(0, -3)}L${workflow.id.slice(-2)}`,
			pinData: { [TRIGGER]: [{ json: { ...early, event: 'receive' } }] },
		}));
		await playground().run(late, TRIGGER);
		expect(await playground().textsTo(bo)).toEqual([SOON, 'Yours too']);
		expect(await playground().textsTo(ana)).toHaveLength(4);
		expect((await newToColleague()).at(-1)).toBe(NOBODY);
	});

	test('Hand over to a person tells the colleague what could not be sent, and who is left', async () => {
		const had = (await playground().textsTo(STAFF)).length;
		await playground().customer(bo).text('STOP');
		await playground().whilePublished([id], async () => {
			await says(STAFF, 'Still there?');
			await says(STAFF, 'done');
			await says(STAFF, 'next');
		});
		expect((await playground().textsTo(STAFF)).slice(had)).toEqual([
			'Not sent. The customer has opted out of messages.',
			`You no longer have ${bo}. Text NEXT for the next customer.`,
			'Nobody waits.',
		]);
		expect(await playground().textsTo(bo)).toEqual([SOON, 'Yours too']);
		expect(await playground().rows('Handovers')).toEqual([]);
	});
};
