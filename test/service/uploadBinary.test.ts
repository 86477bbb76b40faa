import type { IExecuteFunctions } from 'n8n-workflow';
import { uploadBinary } from '../../nodes/TwoWayMessaging/fields/mediaFields';
import { startRun } from '../../nodes/TwoWayMessaging/service/request';
import { connectionTo, response, type Respond } from './context';

const FILE = { fileName: 'x.txt', mimeType: 'text/plain' };

const upload = async (respond: Respond) => {
	const { connection, asked } = await connectionTo(respond);
	const { context, memory } = connection;
	const helpers = {
		...context.helpers,
		assertBinaryData: () => FILE,
		getBinaryDataBuffer: async () => Buffer.from('x'),
	};
	const getNodeParameter = () => 'data';
	const execution = { ...context, getNodeParameter, helpers } as unknown as IExecuteFunctions;
	const item = { ...(await startRun(execution, memory)), itemIndex: 0 };
	const uploading = uploadBinary(item);
	const url = await uploading.catch((thrown: Error) => thrown.message);
	return { url, uploads: asked.length };
};

describe('§4.8 an upload', () => {
	test('does not take the address of a redirect for the file', async () => {
		const { url } = await upload(() => response(302, '', { location: 'https://login.example' }));
		expect(url).toContain('is not the messaging service');
	});

	test('takes the URL wherever the answer has it, and finds out the path', async () => {
		const answer = { ok: true, asset: { links: { download_url: '/files/1.jpg' } } };
		const { url, uploads } = await upload(({ url: asked }) =>
			asked.endsWith('/v1/media') ? response(201, answer) : response(404, {}),
		);
		expect([url, uploads]).toEqual(['https://service.example/files/1.jpg', 2]);
	});

	test('says so when the answer names what is no URL of a file', async () => {
		for (const mediaUrl of ['http://', 'https://[broken', 'javascript:alert(1)']) {
			const { url } = await upload(() => response(201, { media_url: mediaUrl }));
			expect(url).toBe('The answer of the service could not be understood');
		}
	});
});
