import axios from 'axios';
import { PNG } from '../../support/picture';
import { ModelStub } from '../modelStub';
import * as shop from './shop';

const AI_AGENT = 'twmAiAgent000001';
const PICTURE_TO_TEXT = 'twmPictureText01';

/** The examples with an AI model, which get a stand-in for it. */
export const testModels = () => {
	const model = new ModelStub();
	const ids: Record<string, string> = {};

	beforeAll(async () => {
		await model.listen();
		const name = 'Stand-in model';
		const id = await shop.running().n8n.createCredential('openAiApi', name, {
			apiKey: 'key_of_the_stand_in',
			url: model.url,
		});
		for (const example of [AI_AGENT, PICTURE_TO_TEXT]) {
			// A person would do the same: add a key for the model to the example.
			ids[example] = await shop.copy(example, (workflow) => ({
				...workflow,
				nodes: workflow.nodes.map((node) =>
					node.type.endsWith('.lmChatOpenAi')
						? { ...node, credentials: { openAiApi: { id, name } } }
						: node,
				),
			}));
		}
	});

	beforeEach(() => {
		model.requests.length = 0;
	});

	afterAll(async () => await model.close());

	test('AI agent answers once with the text of the model, which gets this conversation and no other', async () => {
		const [dora, emil] = [shop.number('41'), shop.number('42')];
		const id = ids[AI_AGENT] ?? '';
		await shop.whilePublished(id, async () => {
			model.answer = 'Hello, how can I help?';
			const first = await shop.textTo(id, dora, 'Hi, my name is "Dora"\nand I like tulips.');
			// The conversation is in the order in which its messages left, and a person answers what arrived.
			await shop.customer(dora).waitForAnswer();
			await shop.textTo(id, emil, 'A secret of somebody else');
			model.answer = 'You are Dora.';
			await shop.textTo(id, dora, 'What is my name?');
			expect(await shop.messagesTo(dora)).toMatchObject([
				{ content: 'Hello, how can I help?' },
				{ content: 'You are Dora.', line_handle: first.line_handle },
			]);
			expect(await shop.textsTo(emil)).toHaveLength(1);
		});

		expect(model.requests).toHaveLength(3);
		const [system, prompt] = model.requests[2]?.messages ?? [];
		expect(system).toMatchObject({
			// n8n uses the one or the other, depending on the model's name.
			role: expect.stringMatching(/^(system|developer)$/) as string,
			content: expect.stringContaining('flower shop') as string,
		});
		const lines = String(prompt?.content).split('\n');
		expect(lines.map((line) => line.replace(/^(Customer|Us), [^:]+:\d\d:/, '$1:'))).toEqual([
			'What we and this customer have texted so far:',
			expect.stringMatching(/ \d{4}$/),
			'Customer: Hi, my name is "Dora"',
			expect.stringMatching(/^\s+and I like tulips\.$/),
			'Us: Hello, how can I help?',
			'Customer: What is my name?',
			'',
			'The customer has just written:',
			'What is my name?',
			'',
			'Write our answer.',
		]);
	});

	test('Picture to text shows the model picture and text, answers once, and leaves other texts alone', async () => {
		const fred = shop.number('43');
		const id = ids[PICTURE_TO_TEXT] ?? '';
		const form = new FormData();
		form.append('file', new Blob([PNG], { type: 'image/png' }), 'tyre.png');
		const upload = `${shop.running().sandboxUrl}/sandbox/media`;
		const { data } = await axios.post<{ media_url: string }>(upload, form, { proxy: false });
		model.answer = 'The tyre is flat. It takes a new tube.';
		await shop.whilePublished(id, async () => {
			await shop.textTo(id, fred, 'Hello');
			expect(model.requests).toEqual([]);
			const statuses = await shop.afterExecutions(id, 1, async () => {
				const picture = { from: fred, content: 'What is it?', media_url: data.media_url };
				await shop.control('/inbound', picture);
			});
			expect(statuses).toEqual(['success']);
		});
		expect(await shop.textsTo(fred)).toEqual([model.answer]);
		expect(model.requests).toHaveLength(1);
		const asked = JSON.stringify(model.requests[0]?.messages);
		expect(asked).toContain('What is it?');
		expect(asked).toContain(`data:image/png;base64,${PNG.toString('base64')}`);
	});
};
