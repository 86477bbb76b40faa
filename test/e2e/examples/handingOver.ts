import type { Row } from '../../support/playground/customer';
import * as shop from './shop';

const HAND_OVER = 'twmHandOver00001';
const TRIGGER = 'When somebody texts';
const AUTOMATIC = 'Thank you for your text. To talk with a person, text HUMAN.';
const SOON = 'A person will answer you soon.';
const NOBODY = 'Not sent, as you have no customer. Text NEXT for the next customer.';

/** The example in which a colleague takes over. The number of the staff is the colleague's. */
export const testHandingOver = () => {
	const [ana, bo] = [shop.number('31'), shop.number('32')];
	let id = '';

	beforeAll(async () => {
		id = await shop.copy(HAND_OVER);
	});

	const says = async (from: string, content: string): Promise<Row> =>
		await shop.textTo(id, from, content);
	const taken = async () =>
		(await shop.tableRows('Handovers'))
			.filter((row) => row.taken_at !== null)
			.map(({ customer }) => customer);

	test('Hand over to a person gives a colleague one customer at a time, and nobody another’s texts', async () => {
		const had = (await shop.textsTo(shop.STAFF)).length;
		const newToColleague = async () => (await shop.textsTo(shop.STAFF)).slice(had);
		let early: Row | undefined;
		await shop.whilePublished(id, async () => {
			await says(ana, 'Is my bike ready?');
			await says(shop.STAFF, 'Anybody there?');
			await says(ana, 'human');
			await says(bo, 'Human, please!');
			await says(shop.STAFF, 'Next');
			expect(await taken()).toEqual([ana]);
			early = await says(shop.STAFF, 'Hi, it is ready');
			await says(ana, 'Great');
			await says(bo, 'And mine?');
			await says(shop.STAFF, 'next');
			expect(await taken()).toEqual([ana]);
			await says(shop.STAFF, 'Done.');
			await says(shop.STAFF, 'Bye');
			await says(ana, 'Thanks');
			await says(shop.STAFF, 'NEXT');
			expect(await taken()).toEqual([bo]);
			await says(shop.STAFF, 'Yours too');
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
		expect(await shop.textsTo(ana)).toEqual([AUTOMATIC, SOON, 'Hi, it is ready', AUTOMATIC]);
		expect(await shop.textsTo(bo)).toEqual([SOON, 'Yours too']);

		// A text that was written to one customer, and is processed when the colleague has the next one.
		const late = await shop.copy(HAND_OVER, (workflow) => ({
			...workflow,
			id: `${workflow.id.slice(0, -3)}L${workflow.id.slice(-2)}`,
			pinData: { [TRIGGER]: [{ json: { ...early, event: 'receive' } }] },
		}));
		await shop.run(late, TRIGGER);
		expect(await shop.textsTo(bo)).toEqual([SOON, 'Yours too']);
		expect(await shop.textsTo(ana)).toHaveLength(4);
		expect((await newToColleague()).at(-1)).toBe(NOBODY);
	});

	test('Hand over to a person tells the colleague what could not be sent, and who is left', async () => {
		const had = (await shop.textsTo(shop.STAFF)).length;
		await shop.customer(bo).text('STOP');
		await shop.whilePublished(id, async () => {
			await says(shop.STAFF, 'Still there?');
			await says(shop.STAFF, 'done');
			await says(shop.STAFF, 'next');
		});
		expect((await shop.textsTo(shop.STAFF)).slice(had)).toEqual([
			'Not sent. The customer has opted out of messages.',
			`You no longer have ${bo}. Text NEXT for the next customer.`,
			'Nobody waits.',
		]);
		expect(await shop.textsTo(bo)).toEqual([SOON, 'Yours too']);
		expect(await shop.tableRows('Handovers')).toEqual([]);
	});
};
