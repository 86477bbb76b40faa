import { CONTACT, FRONT_DESK, START_MS, SUPPORT, newService } from './service';

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

	test('finds those of one conversation: the one with the line that was to send, else the customer’s last one', async () => {
		const service = newService();
		const desk = await service.text('Hi', { to: '+15550100001' });
		const support = await service.text('Hi', { to: '+15550100002' });
		await service.call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
		await service.call('POST', `/sandbox/lines/${SUPPORT}/block`, {});
		await service.send({ content: 'From the desk', line_handle: FRONT_DESK });
		await service.send({ content: 'From any' });
		await service.send({ content: 'To another', number: '+15551239999' });
		const contents = async (handle: string) =>
			(await refusals(service, `?conversation_handle=${handle}`)).map(({ content }) => content);
		expect(await contents(desk.conversation_handle)).toEqual(['From the desk']);
		expect(await contents(support.conversation_handle)).toEqual(['From any']);
		expect(await refusals(service, '?limit=1')).toMatchObject([
			{ content: 'To another', conversation_handle: null },
		]);
	});

	test('is empty after a reset', async () => {
		const service = newService();
		await service.send({ line_handle: 'nowhere' });
		await service.call('POST', '/sandbox/reset');
		expect(await refusals(service)).toEqual([]);
	});
});
