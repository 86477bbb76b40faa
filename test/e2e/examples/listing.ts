import { itemsOf } from '../../support/playground/executionData';
import * as shop from './shop';

const OPT_OUTS = 'twmOptOuts000001';
const OUTREACH = 'twmOutreach00001';
const EARLIER_OPT_OUTS = 'twmEarlierOptOut';
const PEOPLE = 'Outreach people';

/** The workflow with hours in which it sends at any time: a test may run at night. */
const withoutQuietHours = (workflow: shop.Copy): shop.Copy => {
	const text = JSON.stringify(workflow.nodes);
	const nodes = text
		.replace('"name":"from_hour","value":9', '"name":"from_hour","value":0')
		.replace('"name":"until_hour","value":20', '"name":"until_hour","value":24');
	return { ...workflow, nodes: JSON.parse(nodes) as shop.Copy['nodes'] };
};

/** The examples that keep a list, and that work through one. */
export const testListing = () => {
	test('Opt-outs to a list has one row for a customer, with what they said last and when, and texts nobody', async () => {
		const carla = shop.number('03');
		const id = await shop.copy(OPT_OUTS);
		const row = async () =>
			(await shop.tableRows('Text opt-outs')).filter((one) => one.number === carla);
		await shop.whilePublished(id, async () => {
			await shop.textTo(id, carla, 'Hello');
			expect(await row()).toEqual([]);
			await shop.textTo(id, carla, 'Please stop texting me');
			expect(await row()).toMatchObject([{ consent: 'out?' }]);
			await shop.textTo(id, carla, 'Stop.');
			const [out] = await row();
			expect(await row()).toMatchObject([{ consent: 'out' }]);
			await shop.textTo(id, carla, 'START');
			expect(await row()).toMatchObject([{ id: out?.id, consent: 'in' }]);
			expect(Date.parse(String((await row())[0]?.said_at))).toBeGreaterThan(
				Date.parse(String(out?.said_at)),
			);
		});
		expect(await shop.textsTo(carla)).toEqual([]);
	});

	test('Earlier opt-outs has one row for each customer who ever said STOP or START, with the last of them', async () => {
		const [dora, emil, fred] = [shop.number('11'), shop.number('12'), shop.number('13')];
		for (const [from, content] of [
			[dora, 'STOP'],
			[emil, 'Stop.'],
			[emil, 'START'],
			[fred, 'Do not stop'],
		] as const) {
			await shop.customer(from).text(content);
		}
		await shop.run(await shop.copy(EARLIER_OPT_OUTS), 'Start it by hand');
		const rows = await shop.tableRows('Text opt-outs');
		const said = [dora, emil, fred].map((one) =>
			rows.filter((row) => row.number === one).map(({ consent }) => consent),
		);
		expect(said).toEqual([['out'], ['in'], []]);
	});

	test('Outreach to a list texts everybody once who may be texted, however a number is written', async () => {
		const ben = shop.customer('+15551230002');
		await ben.text('STOP');
		const before = await shop.history();
		const workflowId = await shop.copy(OUTREACH, withoutQuietHours);
		const id = await shop.run(workflowId, 'Start it by hand');
		const sent = (await shop.history()).slice(before.length);
		const [spaced, plain] = ['+44 7700 900123', '+447700900123'];
		await shop.tables().change(PEOPLE, 'number', spaced, { number: plain });
		const again = await shop.run(workflowId, 'Start it by hand');
		await shop.tables().change(PEOPLE, 'number', plain, { number: spaced });
		const sentAgain = (await shop.history()).slice(before.length + sent.length);
		await ben.text('START');

		expect(sent.map(({ to, content }) => [to, content.split(',')[0]])).toEqual([
			['+15551230001', 'Hi Anna'],
			['+447700900123', 'Hi Carla'],
		]);
		const data = await shop.running().n8n.executionData(id);
		expect(itemsOf(data, 'Summary')).toEqual([
			{ accepted: 2, opted_out: 1, accepted_before: 0, refused: 1 },
		]);
		expect(sentAgain).toEqual([]);
		expect(itemsOf(await shop.running().n8n.executionData(again), 'Summary')).toEqual([
			{ accepted: 0, opted_out: 1, accepted_before: 2, refused: 1 },
		]);
		expect(itemsOf(data, 'All results')).toEqual([
			{
				name: 'Ben',
				number: '+15551230002',
				result: 'opted_out',
				reason: 'The customer has opted out of messages',
			},
			expect.objectContaining({ name: 'Anna', result: 'accepted', reason: '' }),
			expect.objectContaining({ name: 'Carla', result: 'accepted', reason: '' }),
			{
				name: 'Dora, whose country code is missing',
				number: '555 0104',
				result: 'refused',
				reason: expect.stringContaining('is not in international format') as string,
			},
		]);
	});
};
