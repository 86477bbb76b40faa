import * as shop from './shop';

const KEYWORD_MENU = 'twmKeywordMenu01';
const TWO_SHOPS = 'twmTwoShops00001';
const OPENING_HOURS = 'twmOpeningHours1';

const HOURS = 'We are open Monday to Friday from 9 am to 6 pm.';
const PRICES = 'A haircut is $30, with washing it is $38.';
const A_PERSON = expect.stringContaining('A person will answer you shortly') as string;

/** The examples that answer by themselves, but for Auto-reply: `round-trip` has that one. */
export const testAnswering = () => {
	test('Two shops on one n8n answer once each, from their own lines and in their own words', async () => {
		const dan = shop.number('04');
		const id = await shop.copy(TWO_SHOPS);
		const [flowers, bikes] = await shop.lines();
		await shop.whilePublished(id, async () => {
			for (const line of [flowers, bikes]) {
				await shop.afterExecutions(id, 1, async () => {
					await shop.control('/inbound', { from: dan, to: line?.number, content: 'Hi' });
				});
			}
		});
		expect(await shop.messagesTo(dan)).toMatchObject([
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
		const [eve, finn] = [shop.number('08'), shop.number('09')];
		/** The example in a shop that is always open, or always closed. */
		const exampleWhere = async (isOpen: boolean) =>
			await shop.copy(OPENING_HOURS, (workflow) => ({
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
			const id = await exampleWhere(isOpen);
			await shop.whilePublished(id, async () => {
				await shop.textTo(id, customer, 'Hello');
				await shop.textTo(id, customer, 'Anybody there?');
			});
			expect(await shop.textsTo(customer)).toEqual(texts);
		}
	});

	test('Keyword menu answers what it has a keyword for, tells a person of any other text, and ignores staff', async () => {
		const ben = shop.number('02');
		const id = await shop.copy(KEYWORD_MENU);
		const told = (await shop.textsTo(shop.STAFF)).length;
		const line = (await shop.lines()).at(-1);
		await shop.whilePublished(id, async () => {
			const ask = async (content: string) =>
				await shop.afterExecutions(id, 1, async () => {
					await shop.control('/inbound', { from: ben, to: line?.number, content });
				});
			await ask('What are your hours?');
			await ask('Price');
			await ask('Your prices and opening hours, please');
			expect(await shop.textsTo(shop.STAFF)).toHaveLength(told);
			await ask('Can I come by at nine?');
			await shop.textTo(id, shop.STAFF, 'On it');
		});
		const answers = await shop.messagesTo(ben);
		expect(answers.map(({ content }) => content)).toEqual([HOURS, PRICES, HOURS, PRICES, A_PERSON]);
		expect(new Set(answers.map(({ from }) => from))).toEqual(new Set([line?.number]));
		expect((await shop.textsTo(shop.STAFF)).slice(told)).toEqual([
			`A customer needs you. ${ben} wrote: “Can I come by at nine?”`,
		]);
	});
};
