import type { Given } from './examplesPlayground';
import { STAFF } from './examplesPlayground';

const KEYWORD_MENU = 'twmKeywordMenu01';
const TWO_SHOPS = 'twmTwoShops00001';
const OPENING_HOURS = 'twmOpeningHours1';

const HOURS = 'We are open Monday to Friday from 9 am to 6 pm.';
const PRICES = 'A haircut is $30, with washing it is $38.';
const A_PERSON = expect.stringContaining('A person will answer you shortly') as string;

/** The examples that answer by themselves, but for Auto-reply: `round-trip` has that one. */
export const testAnswering = ({ playground, number, copy }: Given) => {
	test('Two shops on one n8n answer once each, from their own lines and in their own words', async () => {
		const dan = number('04');
		const id = await copy(TWO_SHOPS);
		const [flowers, bikes] = await playground().lines();
		await playground().whilePublished([id], async () => {
			for (const line of [flowers, bikes]) {
				await playground().afterExecutions(id, 1, async () => {
					await playground().control('/inbound', { from: dan, to: line?.number, content: 'Hi' });
				});
			}
		});
		expect(await playground().messagesTo(dan)).toMatchObject([
			{
				line_handle: flowers?.line_handle,
				content: 'Thank you for your text. Here is the flower shop, and we answer shortly.',
			},
			{
				line_handle: bikes?.line_handle,
				content: 'Thank you for your text. Here is the bike shop, and we answer shortly.',
			},
		]);
	});

	test('Opening hours answers every text while the shop is open, and one a day while it is closed', async () => {
		const [eve, finn] = [number('08'), number('09')];
		/** The example in a shop that is always open, or always closed. */
		const shop = async (isOpen: boolean) =>
			await copy(OPENING_HOURS, (workflow) => ({
				...workflow,
				id: `${workflow.id.slice(0, -3)}${isOpen ? 'o' : 'c'}${workflow.id.slice(-2)}`,
				nodes: JSON.parse(
					JSON.stringify(workflow.nodes).replace(/\{\{ \$now\.weekday.*?\}\}/, `{{ ${isOpen} }}`),
				) as typeof workflow.nodes,
			}));
		for (const [isOpen, customer, texts] of [
			[true, eve, Array(2).fill('Thanks, we will answer shortly.')],
			[false, finn, ['We are closed now, and answer when we open again.']],
		] as const) {
			const id = await shop(isOpen);
			await playground().whilePublished([id], async () => {
				await playground().textTo(id, customer, 'Hello');
				await playground().textTo(id, customer, 'Anybody there?');
			});
			expect(await playground().textsTo(customer)).toEqual(texts);
		}
	});

	test('Keyword menu answers what it has a keyword for, tells a person of any other text, and ignores staff', async () => {
		const ben = number('02');
		const id = await copy(KEYWORD_MENU);
		const told = (await playground().textsTo(STAFF)).length;
		const line = (await playground().lines()).at(-1);
		await playground().whilePublished([id], async () => {
			const ask = async (content: string) =>
				await playground().afterExecutions(id, 1, async () => {
					await playground().control('/inbound', { from: ben, to: line?.number, content });
				});
			await ask('What are your hours?');
			await ask('Price');
			await ask('Your prices and opening hours, please');
			expect(await playground().textsTo(STAFF)).toHaveLength(told);
			await ask('Can I come by at nine?');
			await playground().textTo(id, STAFF, 'On it');
		});
		const answers = await playground().messagesTo(ben);
		expect(answers.map(({ content }) => content)).toEqual([HOURS, PRICES, HOURS, PRICES, A_PERSON]);
		expect(new Set(answers.map(({ from }) => from))).toEqual(new Set([line?.number]));
		expect((await playground().textsTo(STAFF)).slice(told)).toEqual([
			`A customer needs you. ${ben} wrote: “Can I come by at nine?”`,
		]);
	});
};
