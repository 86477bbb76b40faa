import { BinaryDataService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { startStub, type StubAnswer } from '../support/stub';
import { historyWorld, SECRET } from './historyWorld';
import { receiveEvent, TRIGGER } from './triggerWorkflow';

const world = historyWorld();

let files: Awaited<ReturnType<typeof startStub>>;
let answer: StubAnswer;

beforeEach(async () => {
	answer = { headers: { 'content-type': 'image/png' }, body: 'a picture' };
	files = await startStub(() => answer);
});
afterEach(async () => await files.stop());

/** The item of a workflow that was sent a picture. */
const itemFor = async (options: INodeParameters, more: object = {}) => {
	const process = await world.started({ options });
	const event = receiveEvent('a', { media_url: `${files.url}/cat.png`, ...more });
	await process.receive(event, SECRET, world.nowMs);
	const [run] = await Promise.all(process.start());
	return run!.items(TRIGGER)[0]!;
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
		const text = { message_handle: 'msg_b', media_url: null };
		expect(await itemFor({ downloadMedia: true }, text)).not.toHaveProperty('binary');
		expect(files.requests).toEqual([]);
	});

	test.each<[string, StubAnswer, string]>([
		['is not there', { status: 404 }, 'not there any more'],
		['is too large', { headers: { 'content-length': '99000000' }, body: 'x' }, 'larger than 25 MB'],
		['cannot be kept by n8n', {}, 'no space left'],
	])('lets the message start the workflow when its file %s, and says why', async (_, said, why) => {
		answer = said;
		const store = jest.spyOn(BinaryDataService.prototype, 'store');
		store.mockRejectedValue(new Error('no space left on device'));
		const { json, binary } = await itemFor({ downloadMedia: true });
		expect(json).toMatchObject({
			content: 'hello',
			media_error: expect.stringContaining(why) as string,
		});
		expect(binary).toBeUndefined();
	});
});
