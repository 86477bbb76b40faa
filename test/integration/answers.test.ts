import type { IDataObject } from 'n8n-workflow';
import type { Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { log } from '../support/log';
import type { StubAnswer } from '../support/stub';
import { waitUntil } from '../support/waitUntil';
import { AnswersWorld } from './answersWorld';
import { inEachTest, SECRET } from './historyWorld';
import { inbound, outbound } from './triggerHistory';
import { Process } from './triggerProcess';
import { derivedSecret } from './triggerWorkflow';

const BEN = '+15551239999';

const world = inEachTest(new AnswersWorld());
const question: AnswersWorld['question'] = (...asked) => world.question(...asked);

describe('a text that an execution waits for', () => {
	test.each([
		['yes', { name: 'one', content: 'yes' }, 'went to the execution that waits'],
		['STOP', { name: 'one', content: 'STOP', ends: 'optedOut' }, 'ended a question'],
	])('goes to it, and leaves one that says in a word why it ended: %s', async (text, got, said) => {
		await world.startWith([question('one')]);
		expect(await world.arrives('m1', { text })).toEqual([]);
		expect(world.got).toEqual([got]);
		expect(world.n8n.saidOfBlanks).toEqual([expect.stringContaining(said)]);
	});

	test.each([
		['the filters leave it out', { filters: { contains: 'price', from: '+19998887777' } }],
		['texts wait for more of their conversation', { options: { combineSeconds: 60 } }],
	])('goes to it at once, also where %s', async (_, parameters) => {
		await world.startWith([question('one')], parameters);
		expect(await world.arrives('m1', { text: 'yes' })).toEqual([]);
		expect(world.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	test('goes to it with the picture that only the history names (§6.2)', async () => {
		await world.startWith([question('one')], { options: { completeMessages: true } });
		const media_url = 'https://service.example/media/1.jpg';
		world.service.rows.push(inbound('m1', world.nowMs, { content: '', media_url }));
		expect(await world.arrives('m1', { text: '' })).toEqual([]);
		expect(world.got).toEqual([{ name: 'one', content: '', media_url }]);
	});

	test('answers the newest question, once, however often it is delivered', async () => {
		await world.startWith([question('old', { askedAtMs: world.nowMs - 1_000 }), question('new')]);
		await world.arrives('m1');
		await world.arrives('m1');
		expect(world.names).toEqual(['new']);
		expect(await world.arrives('m2')).toEqual([]);
		expect(world.names).toEqual(['new', 'old']);
	});

	test('starts no other workflow that receives it while it is passed on, or afterwards', async () => {
		await world.startWith([question('one')]);
		const staticData = structuredClone(world.database.staticData);
		const elsewhere = { workflowId: `${world.database.workflowId}-other`, staticData };
		const other = new Process(elsewhere, world.service.credential, {}, undefined, world.n8n.memory);
		await other.activate('init');
		let meanwhile: Promise<IDataObject[]> | undefined;
		world.before = async () => {
			await other.receive(world.eventOf('m1'), SECRET, world.nowMs);
			meanwhile = other.execute();
		};
		expect(await world.arrives('m1')).toEqual([]);
		expect(await meanwhile).toEqual([]);
		await other.receive({ ...world.eventOf('m1'), id: 'evt_again' }, SECRET, world.nowMs);
		expect(await other.execute()).toEqual([]);
		expect(world.got).toHaveLength(1);
	});

	test.each([
		['include', 1],
		['ignore', 0],
	])(
		'ends every question to the customer when it opts out, with opt-out words set to %s',
		async (optOutWords, started) => {
			const asked = [
				question('old', { askedAtMs: world.nowMs - 1_000 }),
				question('elsewhere', { line: { handle: 'other' } }),
				question('other', { number: BEN }),
			];
			await world.startWith(asked, { filters: { optOutWords } });
			expect(await world.arrives('m1', { text: ' Stop. ' })).toHaveLength(started);
			expect(world.got).toMatchObject([
				{ name: 'elsewhere', ends: 'optedOut' },
				{ name: 'old', ends: 'optedOut' },
			]);
			expect(await world.arrives('m2', { text: 'yes' })).toHaveLength(1);
		},
	);

	test('goes on to the workflow when its execution does not end by it', async () => {
		await world.startWith([question('one')], { filters: { optOutWords: 'include' } });
		world.says.one = [{ status: 200, body: { answered: false, waits: true } }];
		expect(await world.arrives('m1', { text: 'STOP' })).toHaveLength(1);
		expect(await world.arrives('m2', { text: 'yes' })).toEqual([]);
		expect(world.contents).toEqual(['STOP', 'yes']);
	});

	test('is offered again for a minute after the question, as n8n may take so long to save the execution', async () => {
		await world.startWith([question('one')]);
		const running: StubAnswer = { status: 409, body: { code: 0, message: 'running already' } };
		world.says.one = Array<StubAnswer>(7).fill(running);
		expect(await world.arrives('m1')).toEqual([]);
		expect(world.got).toHaveLength(8);
	});
});

describe('a text of which it is not clear whether its execution has taken it', () => {
	const CUT_OFF: StubAnswer = { isCutOff: true };
	const FINISHED: StubAnswer = { status: 409, body: { message: 'has finished' } };

	/** Starts an n8n with two questions to the customer, asked some time ago. */
	const startWithTwo = async () => {
		const askedAtMs = world.nowMs - 90_000;
		await world.startWith([
			question('old', { askedAtMs: askedAtMs - 30_000 }),
			question('one', { askedAtMs }),
		]);
	};

	test.each<[string, StubAnswer, StubAnswer]>([
		['a proxy has given up', { status: 504 }, FINISHED],
		['the connection was cut', CUT_OFF, FINISHED],
		['n8n has failed', { status: 500 }, { status: 404, body: { message: 'does not exist' } }],
		['a proxy waits no more', { status: 408 }, { status: 410, body: { answered: false } }],
		['n8n shows a page next', { status: 502 }, { status: 200 }],
	])(
		'answers the question of one that has gone on, and the next where it was stopped: %s',
		async (_, unclear, then) => {
			for (const handle of ['gone on', 'stopped']) {
				await startWithTwo();
				world.got.length = 0;
				world.says.one = [unclear, then];
				const { memory } = world.n8n;
				world.before = async () => {
					// As the node does that waits.
					const asked = memory.part(WaitingList).find('token of one');
					if (asked && handle === 'gone on') memory.part(WaitingList).remove(asked);
				};
				expect(await world.arrives(`1 ${handle}`, { text: 'yes' })).toEqual([]);
				const others = await world.arrives(`2 ${handle}`, { text: 'yes' });
				expect(world.names).toEqual(['one', 'one', 'old']);
				expect(others).toHaveLength(handle === 'gone on' ? 0 : 1);
			}
		},
	);
});

test('the answer to the service says that a text may be the answer to a question', async () => {
	await world.startWith([question('one')]);
	await world.arrives('m1', { text: 'yes' });
	expect(world.n8n.answer).toBe('it may be the answer to a question that waits');
});

describe('a text that no execution takes starts the workflow as usual', () => {
	test('while something in front of n8n refuses the request; the next text is offered again', async () => {
		await world.startWith([question('one')]);
		world.says.one = Array.from({ length: 3 }, () => ({ status: 429 }));
		expect(await world.arrives('m1')).toHaveLength(1);
		expect(await world.arrives('m2')).toEqual([]);
	});

	test.each([
		['was stopped', { status: 409, body: { code: 0, message: 'has finished already' } }],
		['was deleted', { status: 404, body: { code: 0, message: 'does not exist' } }],
		['is over, for which n8n shows a page', { status: 200 }],
		['asks something else by now', { status: 410, body: { answered: false } }],
	])('when the execution that waited %s; its question is then removed', async (_, answer) => {
		await world.startWith([question('one')]);
		world.says.one = [answer];
		expect(await world.arrives('m1', { text: 'hello' })).toMatchObject([{ content: 'hello' }]);
		expect(await world.arrives('m2')).toHaveLength(1);
		expect(world.got).toHaveLength(1);
	});

	test('unless the filters leave it out', async () => {
		await world.startWith([question('one')], { filters: { contains: 'price' } });
		world.says.one = [{ status: 404 }];
		expect(await world.arrives('m1', { text: 'hello' })).toEqual([]);
	});

	test.each<[string, Partial<Question>]>([
		['by the buttons', { isByButtons: true }],
		['to another line', { line: { handle: 'other' } }],
		['before the question', { askedAtMs: Date.now() + 60_000, serviceOffsetMs: 0 }],
		['another key pair', { account: 'another' }],
	])('and the log says once why no open question has taken it: %s', async (reason, more) => {
		await world.startWith([]);
		world.n8n.memory.part(WaitingList).restore([question('one', more)]);
		await world.n8n.check();
		expect(await world.arrives('m1')).toHaveLength(1);
		expect(await world.arrives('m2')).toHaveLength(1);
		expect(log.messages('info').filter((line) => line.includes('open question'))).toEqual([
			expect.stringMatching(`receive:m1.*${reason}`),
		]);
	});
});

test('a text that came while n8n was down goes to its execution, even if the filters leave it out', async () => {
	await world.startWith([question('one')], { filters: { contains: 'price' } });
	world.service.rows.push(inbound('m1', world.nowMs + 1_000, { content: 'yes' }));
	expect(await world.restart()).toEqual([]);
	expect(world.got).toEqual([{ name: 'one', content: 'yes' }]);
});

test('a question that was answered is not there again when the workflow of its trigger is published again', async () => {
	await world.startWith([question('one')]);
	expect(await world.arrives('m1', { text: 'yes' })).toEqual([]);
	await world.n8n.release();
	await world.n8n.activate('update');
	expect(await world.arrives('m2', { text: 'hello' })).toHaveLength(1);
	expect(world.contents).toEqual(['yes']);
});

test('a rotated key pair lets what was made before the publishing start nothing, delivered late', async () => {
	const NEW_PAIR = { apiKey: 'pair_2', apiSecret: 'secret_new' };
	world.service.tellTime(world.nowMs + 60_000);
	await world.startWith([]);
	await world.restart({ ...world.service.credential, ...NEW_PAIR });
	expect(await world.arrives('m1', {}, derivedSecret(NEW_PAIR.apiSecret))).toEqual([]);
});

test('a check tells an execution once that its question could not be sent, where no event would', async () => {
	await world.startWith([question('one'), question('other', { number: BEN })]);
	world.service.rows.push(outbound('q1', 'ERROR', null));
	await world.n8n.check();
	await waitUntil('the end', async () => world.got.length > 0 || undefined);
	expect(world.got).toEqual([expect.objectContaining({ name: 'one', ends: 'failed' })]);
	await world.n8n.check();
	expect(world.got).toHaveLength(1);
});

describe('a trigger that polls', () => {
	const POLLS = { receiveBy: 'polling' };

	test('listens for answers no more when it is published again with a webhook for other events', async () => {
		await world.startWith([], POLLS);
		await world.n8n.release();
		world.n8n.parameters = { events: ['outbound'] };
		await world.n8n.activate('update');
		expect((await world.ask()).error?.message).toBe('No trigger listens for the answer');
	});
});

test('a text that has started the workflow answers no question that it asks then, also after a kill', async () => {
	await world.startWith([]);
	world.service.rows.push(inbound('m1', world.nowMs, { content: 'hello' }));
	expect(await world.arrives('m1')).toHaveLength(1);
	expect((await world.ask()).status).toBe('waiting');
	expect(await world.restart()).toEqual([]);
	expect(world.got).toEqual([]);
});

test('a text from while the workflow was stopped answers its question when it is delivered later', async () => {
	await world.startWith([question('one', { askedAtMs: world.nowMs - 200_000 })]);
	await world.n8n.release();
	world.service.tellTime(world.nowMs + 60_000);
	await world.n8n.activate('activate');
	expect(await world.arrives('m1', { text: 'yes' })).toEqual([]);
	expect(world.got).toEqual([{ name: 'one', content: 'yes' }]);
	expect(await world.arrives('m2')).toEqual([]);
	expect(world.got).toHaveLength(1);
});
