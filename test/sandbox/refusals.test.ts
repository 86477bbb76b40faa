import { CONTACT, FRONT_DESK, START_MS, newService } from './service';

type Refusal = { id: string; conversation_handle: string | null; content: string; reason: string };

const refusals = async ({ call }: ReturnType<typeof newService>, query = '') =>
	(await call('GET', `/sandbox/refusals${query}`)).body['refusals'] as Refusal[];

describe('GET /sandbox/refusals', () => {
	test('§7 has each message that the service refused to send, with its sentence, and the history has none', async () => {
		const service = newService();
		const { conversation_handle: handle } = await service.text('Hi');
		await service.call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
		await service.send({ content: 'From a blocked line', line_handle: FRONT_DESK });
		await service.text('STOP');
		await service.send({ content: 'After STOP', media_url: 'https://shop.example/a.png' });
		await service.send({ content: 'From nowhere', line_handle: 'nowhere' });
		const common = {
			conversation_handle: handle,
			to: CONTACT,
			at: new Date(START_MS).toISOString(),
		};
		expect(await refusals(service)).toMatchObject([
			{
				...common,
				content: 'From nowhere',
				line_handle: 'nowhere',
				line_label: null,
				reason: 'Unknown or inactive line',
			},
			{
				...common,
				content: 'After STOP',
				line_handle: null,
				media_url: 'https://shop.example/a.png',
				reason: 'Contact has opted out of messages',
			},
			{
				...common,
				content: 'From a blocked line',
				line_handle: FRONT_DESK,
				line_label: 'Front desk',
				media_url: null,
				reason: 'Line is blocked',
			},
		]);
		expect((await service.rows()).filter((row) => row.is_outbound)).toEqual([]);
	});
});
