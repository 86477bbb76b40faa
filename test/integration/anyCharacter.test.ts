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

	/** What n8n is not there for, and two checks. */
	const missed = async (happens: () => Promise<unknown>) => {
		world.n8nIs('booting');
		await happens();
		world.n8nIs('listening');
		for (let checks = 0; checks < 2; checks += 1) await world.checkAndExecute();
	};
	/** Whatever may bring an event again, comes: redeliveries, checks, and both after a restart. */
	const everythingAgain = async (redeliver = 'redeliver;') => {
		const round = `${redeliver} execute; checkAndExecute; checkAndExecute; restart; execute`;
		await world.play(`${round}; ${round}`);
	};

	const hello = { content: 'hello', recovered: false };
	const SENT = (fails: string) => `
		${fails} send by_webhook; pass 5000; execute; n8nIs booting; ${fails} send by_check; pass 5000; n8nIs listening;
		checkAndExecute; checkAndExecute`;
	const ended = (status: string) => [
		{ event: 'outbound', content: 'by_webhook', status },
		{ event: 'outbound', content: 'by_check' },
	];

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
		['a text that its webhook brings', {}, 'text hello', [hello]],
		[
			'a text that a redelivery brings, where n8n lost the first and checks nothing',
			{ checkEvery: 0 },
			'text hello; restart; redeliver',
			[hello],
		],
		[
			'texts that checks find, where no webhook brought them',
			{},
			'n8nIs booting; text one; pass 1000; text two +15551230002; n8nIs listening; checkAndExecute; checkAndExecute',
			['one', 'two'].map((content) => ({ content, recovered: true })),
		],
		[
			'a text that a check finds after a restart, where n8n was killed before it began',
			{},
			'text hello; restart 60000',
			[{ content: 'hello' }],
		],
		['a text where the node polls', { receiveBy: 'polling' }, 'text hello; check', [hello]],
		['a text after a stop and a publishing (§4.7)', {}, 'pause 600000; text hello', [hello]],
		['messages that end in SENT', { events: ['outbound'] }, SENT(''), ended('SENT')],
		['messages that end in ERROR', { events: ['outbound'] }, SENT('failNextSend;'), ended('ERROR')],
	])('one execution each is started for: %s', async (_, parameters, scene, begun) => {
		await published(parameters);
		await world.play(scene);
		await world.execute();
		expect(world.begun).toMatchObject(begun);
		await everythingAgain();
		expect(world.begun).toHaveLength(begun.length);
	});

	test('a text that the filters leave out starts none, and no check brings it with other filters', async () => {
		await published({ filters: { contains: 'price' } });
		await world.text('hello');
		await missed(async () => await world.text('hello again'));
		await everythingAgain();
		await world.publishAgain({});
		await everythingAgain('');
		expect(world.begun).toEqual([]);
	});

	test('hundreds of texts that a check finds start an execution each', async () => {
		await published();
		const texts = Array.from({ length: 230 }, (_, at) => `text ${at}`);
		await missed(async () => {
			for (const text of texts) {
				await world.text(text);
				await world.pass(1_000);
			}
		});
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
