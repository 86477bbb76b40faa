import { BinaryDataService } from 'n8n-core';
import { startStub, type StubAnswer } from '../support/stub';
import { waitUntil } from '../support/waitUntil';
import { receiveEvent, TRIGGER, TriggerService } from './triggerWorkflow';

let trigger: TriggerService;
let files: Awaited<ReturnType<typeof startStub>>;
let answer: StubAnswer;
let events = 0;

beforeEach(async () => {
	answer = { headers: { 'content-type': 'image/png' }, body: 'a picture' };
	files = await startStub(() => answer);
	trigger = await TriggerService.start();
});
afterEach(async () => {
	await trigger.stop();
	await files.stop();
});

/** The first item of a workflow that was sent a picture. */
const itemFor = async (options: object, more: object = {}) => {
	const live = await trigger.serve({ options: { completeMessages: false, ...options } });
	await live.activate();
	const event = receiveEvent(`a${(events += 1)}`, { media_url: `${files.url}/cat.png`, ...more });
	await trigger.send(live, event);
	return await waitUntil('the item', async () => live.runs.flatMap((run) => run.items(TRIGGER))[0]);
};

describe('Download Media', () => {
	test('puts the picture into the item, with its name and kind', async () => {
		const { json, binary } = await itemFor({ downloadMedia: true });
		expect(json).toMatchObject({ content: 'hello', media_url: `${files.url}/cat.png` });
		expect(binary).toMatchObject({ data: { fileName: 'cat.png', mimeType: 'image/png' } });
		expect(Buffer.from(binary?.data?.data ?? '', 'base64').toString()).toBe('a picture');
	});

	test('also where the item is the body of the service', async () => {
		const { binary } = await itemFor({ downloadMedia: true, simplify: false });
		expect(binary).toMatchObject({ data: { fileName: 'cat.png' } });
	});

	test('fetches nothing without the option, and nothing for a text', async () => {
		expect(await itemFor({})).not.toHaveProperty('binary');
		expect(await itemFor({ downloadMedia: true }, { media_url: null })).not.toHaveProperty(
			'binary',
		);
		expect(files.requests).toEqual([]);
	});

	test.each<[string, StubAnswer, RegExp]>([
		['is not there', { status: 404 }, /not there any more/],
		['is too large', { headers: { 'content-length': '99000000' }, body: 'x' }, /larger than 25 MB/],
	])('lets the message start the workflow when its file %s, and says why', async (_, said, why) => {
		answer = said;
		const { json, binary } = await itemFor({ downloadMedia: true });
		expect(json).toMatchObject({
			content: 'hello',
			media_error: expect.stringMatching(why) as string,
		});
		expect(binary).toBeUndefined();
	});

	test('lets the message start the workflow when n8n cannot keep its file, and says why', async () => {
		const store = jest.spyOn(BinaryDataService.prototype, 'store');
		store.mockRejectedValue(new Error('no space left on device'));
		const { json } = await itemFor({ downloadMedia: true });
		expect(store).toHaveBeenCalled();
		expect(json).toMatchObject({
			content: 'hello',
			media_error: expect.stringContaining('no space left') as string,
		});
	});
});
