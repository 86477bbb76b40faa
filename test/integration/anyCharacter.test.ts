import type { INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { CharacterWorld } from './characterWorld';

describe.each(CHARACTER_NAMES)('With a service that is %s', (character) => {
	let world: CharacterWorld;

	const published = async (parameters: INodeParameters = {}) => {
		world = await CharacterWorld.start(character, parameters);
		await world.text('before the workflow listened');
		await world.publish();
	};
	afterEach(async () => await world.stop());

	/** Whatever may bring an event again: redeliveries, checks, and a restart. */
	const AGAIN = 'redeliver; execute; checkAndExecute; checkAndExecute; restart; execute';

	const hello = { content: 'hello', recovered: false };

	const BLOCKS = `
		block; execute; pass 60000; unblock; execute; pass 60000; n8nIs booting; block; n8nIs listening; checkAndExecute;
		n8nIs booting; unblock; n8nIs listening; checkAndExecute`;
	const LINE_EVENTS = ['line_blocked', 'line_unblocked'];

	test.each<[rule: string, INodeParameters, scene: string, begun: object[]]>([
		[
			'a block of a line and its end, by webhook or check',
			{ events: LINE_EVENTS },
			BLOCKS,
			[false, true].flatMap((recovered) => LINE_EVENTS.map((event) => ({ event, recovered }))),
		],
		[
			'a text that a redelivery brings, where n8n lost the first and checks nothing',
			{ checkEvery: 0 },
			'text hello; restart; redeliver',
			[hello],
		],
		['a text where the node polls', { receiveBy: 'polling' }, 'text hello; check', [hello]],
		['a text after a stop and a publishing (§4.7)', {}, 'pause 600000; text hello', [hello]],
	])('one execution each is started for: %s', async (_, parameters, scene, begun) => {
		await published(parameters);
		await world.play(scene);
		await world.execute();
		expect(world.begun).toMatchObject(begun);
		await world.play(`${AGAIN}; ${AGAIN}`);
		expect(world.begun).toHaveLength(begun.length);
	});

	test('hundreds of texts that a check finds start an execution each', async () => {
		await published();
		const texts = Array.from({ length: 230 }, (_, at) => `text ${at}`);
		world.n8nIs('booting');
		for (const text of texts) {
			await world.text(text);
			await world.pass(1_000);
		}
		await world.play('n8nIs listening; checkAndExecute; checkAndExecute');
		expect(world.begun.map(({ content }) => content).sort()).toEqual(texts.sort());
	});

	describe('a message', () => {
		beforeEach(async () => await published());

		test('whose answer is lost is found, and arrives once', async () => {
			await world.send('something else');
			await world.service.fault(PATHS.sendMessage, 'status-500-after');
			const run = await world.send(' Cafe\u0301,\r\nat ten? ', { ifUnconfirmed: 'sendAgain' });
			expect(run.json('Node')).toMatchObject([{ message_handle: expect.any(String) as string }]);
			expect(await world.accepted()).toHaveLength(2);
		});

		test('whose answer is lost is found also when it has left meanwhile, and the service has dated it', async () => {
			await world.send('something else');
			await world.service.fault(PATHS.sendMessage, 'status-500-after');
			await world.service.fault(PATHS.messages, 'status-503', 2);
			const run = await world.send('hello');
			expect(run.json('Node')).toMatchObject([
				{ content: 'hello', date_sent: expect.any(String) as string },
			]);
			expect(await world.accepted()).toEqual(['something else', 'hello']);
		});
	});
});
