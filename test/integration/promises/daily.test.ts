import type { StubAnswer } from '../../support/stub';
import { systemClock } from '../../../nodes/TwoWayMessaging/clock';
import { waitUntil } from '../../support/waitUntil';
import { CharacterWorld } from '../characterWorld';
import { eventOf, expectEach, handles, historyWorld, MINUTE_MS, SECRET } from '../historyWorld';
import { playIn, type Scenes } from '../scenes';
import { inbound, type HistoryRow } from '../triggerHistory';
import { DAY_MS } from '../../support/times';

/* What an ordinary shop meets. */

const world = historyWorld();

const SCENES: Scenes = {
	'where n8n is at its limit of executions at the same time, checks start no second one for what waits': `
		publish; text brought1..5; webhook brought1..5; text missed1..3; ${'check; '.repeat(10)}
		begin: brought1..5 missed1..3; alone`,
	'what is older than the publishing starts nothing, where a new account’s history was empty at first': `
		publish; text old1..1500@-200d; check: nothing; text new; check: new; alone`,
	'what is older than the publishing starts nothing, where the node was switched off for a week': `
		publish; stop; text day1..3; wait 3d; text day4..6; wait 4d; text evening; wait 1h;
		change; webhook evening: nothing; text since; check: since`,
};

test.each(Object.entries(SCENES))('an ordinary shop: %s', playIn(world));

describe('executions without an item', () => {
	test('a kill in a flood costs few, however many events had begun, and no event', async () => {
		const killed = await world.started();
		const ids = world.texts(500);
		await world.deliver(killed, ids);
		const begun = await killed.execute();
		ids.push(...world.texts(20, 'missed'));
		world.nowMs += MINUTE_MS;
		const process = await world.restarted();
		begun.push(...(await process.execute()), ...(await world.check(process)));
		expectEach(begun, ids);
		expect(process.blanks).toBeLessThanOrEqual(60);
	});

	test('a quiet shop sees none in two weeks, and one or two after a kill', async () => {
		const killed = await world.started();
		for (let part = 0; part < 10 * 14; part += 1) {
			const ids = world.texts(2, `part ${part} `);
			await world.deliver(killed, ids);
			expectEach(await killed.execute(), ids);
			expect(await world.check(killed, DAY_MS / 10)).toEqual([]);
		}
		expect(killed.executions).toHaveLength(280);
		expect(killed.blanks).toBeLessThanOrEqual(2);
		const process = await world.restarted();
		expect(await process.execute()).toEqual([]);
		expect(await world.check(process)).toEqual([]);
		// Those that have begun since n8n last saved.
		expect(process.blanks).toBeLessThanOrEqual(2);
	});
});

describe('a message that is not whole yet', () => {
	it('is looked for again where it says nothing at all, as its picture comes a moment later', async () => {
		// A request takes real time, and so do the pauses between two.
		world.clock = systemClock;
		world.nowMs = Date.now();
		const process = await world.started({ options: { completeMessages: true } });
		world.texts(1, 'picture', { content: '' });
		const [row] = world.service.rows as [HistoryRow];
		const url = `${world.service.url}/cat.jpg`;
		const thereMs = Date.now() + 500;
		Object.defineProperty(row, 'media_url', {
			enumerable: true,
			get: () => (Date.now() < thereMs ? null : url),
		});
		await process.receive(eventOf(row), SECRET, world.nowMs);
		await waitUntil('the execution', async () => process.queue[0]);
		expect(await process.execute()).toMatchObject([{ media_url: url }]);
	});

	it('is kept back by a media server that says nothing for ten seconds at most', async () => {
		world.service.hang('/cat.jpg');
		const process = await world.started({ options: { downloadMedia: true } });
		world.texts(1);
		const event = eventOf(world.service.rows[0] as HistoryRow);
		Object.assign(event.data.message, { media_url: `${world.service.url}/cat.jpg` });
		await process.receive(event, SECRET, world.nowMs);
		// A deadline goes by the machine's time, which is a hundred times as fast here.
		const { timeout } = AbortSignal;
		const deadlines = jest.spyOn(AbortSignal, 'timeout');
		deadlines.mockImplementation((ms) => timeout.call(AbortSignal, ms / 100));
		expect(await process.execute()).toMatchObject([
			{ content: 'hello', media_error: 'The file did not arrive in ten seconds' },
		]);
		expect(deadlines).toHaveBeenCalledWith(10_000);
	});
});

describe('a filter understands what phones type:', () => {
	it.each([
		['a curly apostrophe', { contains: "I'm" }, 'I’m late'],
		['one sign for three dots', { textIs: 'menu' }, 'Menu…'],
		['a space that breaks no line in a word of the filter', { textIs: 'see\u00a0you' }, 'see you'],
	])('by what is meant, not by how it is written: %s', async (_, filters, content) => {
		const process = await world.started({ filters });
		const ids = world.texts(1, 'm', { content });
		world.texts(1, 'other', { content: 'something else' });
		await world.deliver(process, ids);
		await world.deliver(process, ['other0']);
		expect(handles(await process.execute())).toEqual(ids);
	});
});

describe('what is older than the publishing starts nothing', () => {
	it.each<[string, StubAnswer]>([
		['says nothing', { status: 204 }],
		['is no JSON', { status: 201, headers: { 'content-type': 'text/plain' }, body: 'Created' }],
	])('where the answer to the registration %s', async (_, said) => {
		world.service.answerRegistrations(said);
		world.service.tellTime(() => world.nowMs);
		// n8n's clock is slow, so that only the service can tell the moment.
		world.aheadMs = -4 * MINUTE_MS;
		const process = await world.started();
		const before = eventOf(inbound('before', world.nowMs - 2 * MINUTE_MS));
		expect(await process.receive(before, SECRET, world.nowMs)).toBe(200);
		expect(await process.execute()).toEqual([]);
	});
});

describe('a service that does not do its part', () => {
	it('gets another URL when it is registered again because nothing came: the same with a short query', async () => {
		const process = await world.started();
		world.texts(1);
		await world.check(process);
		const { registered } = world.service;
		await waitUntil('a second registration', async () => registered[1]);
		const [first, second] = registered.map(({ url }) => new URL(String(url)));
		expect(second?.href).not.toBe(first?.href);
		expect(`${second?.origin}${second?.pathname}`).toBe(`${first?.origin}${first?.pathname}`);
		expect(second?.search.length).toBeLessThan(20);
	});

	it('brings texts by polling while the list of lines cannot be read', async () => {
		const shop = await CharacterWorld.start('literal', {
			receiveBy: 'polling',
			events: ['receive', 'line_blocked', 'line_unblocked'],
		});
		try {
			await shop.publish();
			await shop.service.fault('/v1/lines', 'status-500', 100);
			await shop.text('hello');
			await shop.checkAndExecute().catch(() => {});
			expect(shop.begun).toMatchObject([{ content: 'hello' }]);
		} finally {
			await shop.stop();
		}
	});
});
