import type { INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { CharacterWorld, SEND } from './characterWorld';

const UNCONFIRMED = 'The service has not confirmed the message, so it may or may not arrive';

describe.each(CHARACTER_NAMES)('With a service that is %s', (character) => {
	let world: CharacterWorld;

	const published = async (parameters: INodeParameters = {}) => {
		world = await CharacterWorld.start(character, parameters);
		await world.text('before the workflow listened');
		await world.publish();
	};
	afterEach(async () => await world.stop());

	const contents = () => world.begun.map(({ content }) => content);
	/** Whatever may bring an event again, comes: redeliveries, checks, and both after a restart. */
	const everythingAgain = async () => {
		for (let round = 0; round < 2; round += 1) {
			await world.redeliver();
			await world.execute();
			await world.checkAndExecute();
			await world.checkAndExecute();
			await world.restart();
			await world.execute();
		}
	};

	describe('a customer’s text starts one execution', () => {
		test('that its webhook brings', async () => {
			await published();
			await world.text('hello');
			await world.execute();
			expect(world.begun).toMatchObject([{ content: 'hello', recovered: false }]);
			await everythingAgain();
			expect(contents()).toEqual(['hello']);
		});

		test('that a redelivery brings, where n8n lost the first', async () => {
			await published({ checkEvery: 0 });
			await world.text('hello');
			await world.restart();
			await world.redeliver();
			await world.execute();
			expect(contents()).toEqual(['hello']);
			await world.redeliver();
			await world.execute();
			expect(contents()).toEqual(['hello']);
		});

		test('that a check finds, where no webhook brought it', async () => {
			await published();
			world.isBooting = true;
			await world.text('one');
			await world.pass(1_000);
			await world.text('two', '+15551230002');
			world.isBooting = false;
			await world.checkAndExecute();
			await world.checkAndExecute();
			expect(world.begun).toMatchObject([
				{ content: 'one', recovered: true },
				{ content: 'two', recovered: true },
			]);
			await everythingAgain();
			expect(contents()).toEqual(['one', 'two']);
		});

		test('that a check finds after a restart, where n8n was killed before it began', async () => {
			await published();
			await world.text('hello');
			await world.restart(60_000);
			await world.execute();
			expect(contents()).toEqual(['hello']);
			await everythingAgain();
			expect(contents()).toEqual(['hello']);
		});

		test('where the node polls', async () => {
			await published({ receiveBy: 'polling' });
			await world.text('hello');
			await world.checkAndExecute();
			expect(world.begun).toMatchObject([{ content: 'hello', recovered: false }]);
			await world.checkAndExecute();
			await world.restart();
			await world.execute();
			expect(contents()).toEqual(['hello']);
		});

		test('one each, where hundreds come that a check finds', async () => {
			await published();
			world.isBooting = true;
			const texts = Array.from({ length: 230 }, (_, at) => `text ${at}`);
			for (const text of texts) {
				await world.text(text);
				await world.pass(1_000);
			}
			world.isBooting = false;
			await world.checkAndExecute();
			await world.checkAndExecute();
			expect([...contents()].sort()).toEqual([...texts].sort());
		});
	});

	test('§4.7 a workflow that a person stops, and publishes after a while, listens again', async () => {
		await published();
		await world.pause(10 * 60_000);
		await world.text('hello');
		await world.execute();
		expect(world.begun).toMatchObject([{ content: 'hello', recovered: false }]);
		await everythingAgain();
		expect(contents()).toEqual(['hello']);
	});

	test('a text that the filters leave out starts none, and no check brings it with other filters', async () => {
		await published({ filters: { contains: 'price' } });
		await world.text('hello');
		world.isBooting = true;
		await world.text('hello again');
		world.isBooting = false;
		await world.checkAndExecute();
		await everythingAgain();
		await world.publishAgain({});
		for (let round = 0; round < 2; round += 1) {
			await world.checkAndExecute();
			await world.checkAndExecute();
			await world.restart();
			await world.execute();
		}
		expect(contents()).toEqual([]);
	});

	test.each([
		['SENT', false],
		['ERROR', true],
	])(
		'a message that ends in %s starts one execution, by webhook or check',
		async (status, fails) => {
			await published({ events: ['outbound'] });
			for (const content of ['by webhook', 'by check']) {
				world.isBooting = content === 'by check';
				if (fails) await world.failNextSend();
				await world.send({ content });
				await world.pass(5_000);
				world.isBooting = false;
				await world.execute();
			}
			await world.checkAndExecute();
			await world.checkAndExecute();
			expect(world.begun).toMatchObject([
				{ event: 'outbound', content: 'by webhook', status },
				{ event: 'outbound', content: 'by check' },
			]);
			await everythingAgain();
			expect(world.begun).toHaveLength(2);
		},
	);

	test('a block of a line and its end start one execution each, by webhook or check', async () => {
		await published({ events: ['line_blocked', 'line_unblocked'] });
		await world.block();
		await world.execute();
		await world.pass(60_000);
		await world.block(false);
		await world.execute();
		world.isBooting = true;
		await world.pass(60_000);
		await world.block();
		world.isBooting = false;
		await world.checkAndExecute();
		world.isBooting = true;
		await world.block(false);
		world.isBooting = false;
		await world.checkAndExecute();
		const blocks = [
			['line_blocked', false],
			['line_unblocked', false],
			['line_blocked', true],
			['line_unblocked', true],
		];
		const told = () => world.begun.map(({ event, recovered }) => [event, recovered]);
		expect(told()).toEqual(blocks);
		await world.redeliver();
		await world.execute();
		await world.checkAndExecute();
		expect(told()).toEqual(blocks);
	});

	describe('a message', () => {
		beforeEach(async () => await published());

		test('that is answered arrives once', async () => {
			const run = await world.send({ content: 'hello' });
			expect(run.json('Node')).toMatchObject([{ content: 'hello', status: 'QUEUED' }]);
			expect(await world.accepted()).toEqual(['hello']);
		});

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

		test('whose answer is lost and that is nowhere to be found is told', async () => {
			await world.fault(SEND, 'status-500');
			const run = await world.send({ content: 'hello' });
			expect(run.nodeError('Node')?.message).toBe(UNCONFIRMED);
			expect(await world.accepted()).toEqual([]);
		});

		test('whose answer is lost and that is nowhere to be found is sent once more where that is wanted', async () => {
			await world.send({ content: 'hello' });
			await world.pass(30 * 60_000);
			await world.fault(SEND, 'status-500');
			const run = await world.send({ content: 'hello', options: { ifUnconfirmed: 'sendAgain' } });
			expect(run.json('Node')).toHaveLength(1);
			expect(await world.accepted()).toEqual(['hello', 'hello']);
		});
	});

	test('a list that is limited in its middle arrives whole, each message once', async () => {
		await published();
		await world.fault(SEND, 'pass', { times: 2 });
		await world.fault(SEND, 'refuse-429', { times: 2, retry_after_seconds: 30 });
		const items = ['one', 'two', 'three', 'four'].map((content) => ({ content }));
		const run = await world.send({ content: '={{ $json.content }}' }, items);
		expect(run.json('Node')).toMatchObject(items);
		expect(await world.accepted()).toEqual(items.map(({ content }) => content));
	});

	test.each(['broken-signature', 'old-timestamp'])(
		'an event with a signature that does not count (%s) is refused, and starts nothing',
		async (as) => {
			await published();
			world.isAway = true;
			await world.text('hello');
			world.isAway = false;
			await world.redeliver(as);
			await world.execute();
			expect((await world.answers()).at(-1)).toBe(401);
			expect(contents()).toEqual([]);
		},
	);
});
