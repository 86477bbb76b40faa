import type { INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { MINUTE_MS } from '../support/times';
import { CharacterWorld, SEND } from './characterWorld';

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
		await world.while('boots', happens);
		for (let checks = 0; checks < 2; checks += 1) await world.checkAndExecute();
	};
	/** Whatever may bring an event again, comes: redeliveries, checks, and both after a restart. */
	const everythingAgain = async (isRedelivered = true) => {
		for (let round = 0; round < 2; round += 1) {
			if (isRedelivered) await world.redeliver();
			await world.execute();
			for (let checks = 0; checks < 2; checks += 1) await world.checkAndExecute();
			await world.restart();
			await world.execute();
		}
	};

	type Scene = [rule: string, INodeParameters, happens: () => Promise<unknown>, begun: object[]];
	const hello = { content: 'hello', recovered: false };
	const sending = (fails: boolean) => async () => {
		for (const content of ['by webhook', 'by check']) {
			await world.while(content === 'by check' ? 'boots' : 'listens', async () => {
				if (fails) await world.failNextSend();
				await world.send({ content });
				await world.pass(5_000);
			});
			await world.execute();
		}
		await missed(async () => {});
	};

	const ended = (status: string) => [
		{ event: 'outbound', content: 'by webhook', status },
		{ event: 'outbound', content: 'by check' },
	];

	test.each<Scene>([
		['a text that its webhook brings', {}, async () => await world.text('hello'), [hello]],
		[
			'a text that a redelivery brings, where n8n lost the first and checks nothing',
			{ checkEvery: 0 },
			async () => {
				await world.text('hello');
				await world.restart();
				await world.redeliver();
			},
			[hello],
		],
		[
			'texts that checks find, where no webhook brought them',
			{},
			async () =>
				await missed(async () => {
					await world.text('one');
					await world.pass(1_000);
					await world.text('two', '+15551230002');
				}),
			[
				{ content: 'one', recovered: true },
				{ content: 'two', recovered: true },
			],
		],
		[
			'a text that a check finds after a restart, where n8n was killed before it began',
			{},
			async () => {
				await world.text('hello');
				await world.restart(MINUTE_MS);
			},
			[{ content: 'hello' }],
		],
		[
			'a text where the node polls',
			{ receiveBy: 'polling' },
			async () => {
				await world.text('hello');
				await world.checkAndExecute();
			},
			[hello],
		],
		[
			'a text after a person stopped the workflow and published it (§4.7)',
			{},
			async () => {
				await world.pause(10 * MINUTE_MS);
				await world.text('hello');
			},
			[hello],
		],
		['messages that end in SENT', { events: ['outbound'] }, sending(false), ended('SENT')],
		['messages that end in ERROR', { events: ['outbound'] }, sending(true), ended('ERROR')],
	])('one execution each is started for: %s', async (_, parameters, happens, begun) => {
		await published(parameters);
		await happens();
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
		await everythingAgain(false);
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

	test('a block of a line and its end start one execution each, by webhook or check', async () => {
		await published({ events: ['line_blocked', 'line_unblocked'] });
		for (const state of ['listens', 'boots'] as const) {
			for (const isBlocked of [true, false]) {
				await world.while(state, async () => await world.block(isBlocked));
				if (state === 'listens') await world.execute();
				else await world.checkAndExecute();
				await world.pass(MINUTE_MS);
			}
		}
		const told = () => world.begun.map(({ event, recovered }) => [event, recovered]);
		const blocks = [
			['line_blocked', false],
			['line_unblocked', false],
			['line_blocked', true],
			['line_unblocked', true],
		];
		expect(told()).toEqual(blocks);
		await world.redeliver();
		await world.execute();
		await world.checkAndExecute();
		expect(told()).toEqual(blocks);
	});

	describe('a message', () => {
		beforeEach(async () => await published());

		test.each(['status-500-after', 'html-after', 'truncated-after', 'reset-after'] as const)(
			'whose answer is lost (%s) is found, and arrives once',
			async (kind) => {
				const content = ' Cafe\u0301,\r\nat ten? ';
				await world.send({ content: 'something else' });
				await world.fault(SEND, kind);
				const run = await world.send({ content, options: { ifUnconfirmed: 'sendAgain' } });
				expect(run.json('Node')).toEqual([
					expect.objectContaining({ message_handle: expect.any(String) as string }),
				]);
				expect(await world.accepted()).toHaveLength(2);
			},
		);

		test('whose answer is lost is found also when it has left meanwhile, and the service has dated it', async () => {
			await world.send({ content: 'something else' });
			await world.fault(SEND, 'status-500-after');
			await world.fault(PATHS.messages, 'status-503', { times: 2 });
			const run = await world.send({ content: 'hello' });
			expect(run.json('Node')).toMatchObject([
				{ content: 'hello', date_sent: expect.any(String) as string },
			]);
			expect(await world.accepted()).toEqual(['something else', 'hello']);
		});
	});

	test.each(['broken-signature', 'old-timestamp'])(
		'an event with a signature that does not count (%s) is refused, and starts nothing',
		async (as) => {
			await published();
			await world.while('is away', async () => await world.text('hello'));
			await world.redeliver(as);
			await world.execute();
			expect((await world.answers()).at(-1)).toBe(401);
			expect(world.begun).toEqual([]);
		},
	);
});
