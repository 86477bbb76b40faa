import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { runWorkflow } from '../support/executions';
import { startStub, type StubAnswer } from '../support/stub';
import { log } from '../support/log';
import { waitUntil } from '../support/waitUntil';
import { askingInstance, askingWorkflow } from './askingWorkflow';
import { inbound, outbound, startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret, receiveEvent } from './triggerWorkflow';

const SECRET = derivedSecret('secret_abc');
const BEN = '+15551239999';
/** The machine's time, as the tests take only moments. */
const START_MS = Date.now();

let workflows = 0;
let history: Awaited<ReturnType<typeof startHistory>>;
let waiting: Awaited<ReturnType<typeof startWaiting>>;
let database: Database;
let n8n: Process;

/** The URLs of executions that wait. A test says what each answers; without that, it takes the text. */
async function startWaiting() {
	const says: Record<string, Array<StubAnswer | 'nothing'>> = {};
	const got: Array<{ name: string; content: unknown; ends?: unknown; media_url?: unknown }> = [];
	const waiting = { says, got, before: async () => await Promise.resolve() };
	const stub = await startStub(async ({ path, body, method }) => {
		// The node looks whether n8n can be reached.
		if (method === 'GET') return { status: 409 };
		const name = path.slice(1);
		const { message, ends } = JSON.parse(body.toString()) as {
			message: IDataObject;
			ends?: string;
		};
		await waiting.before();
		const { content, media_url } = message;
		got.push({ name, content, ...(ends && { ends }), ...(media_url ? { media_url } : undefined) });
		const said = says[name]?.shift() ?? { status: 200, body: { answered: true } };
		return said === 'nothing' ? await new Promise(() => {}) : said;
	});
	return Object.assign(waiting, stub);
}

beforeEach(async () => {
	history = await startHistory();
	waiting = await startWaiting();
	database = { workflowId: `answers-${(workflows += 1)}`, staticData: {} };
});

afterEach(async () => {
	await history.stop();
	await waiting.stop();
});

const hashOf = (words: string) => createHash('sha256').update(words).digest('hex');

const question = (name: string, more: Partial<Question> = {}): Question => ({
	account: hashOf(`${history.url}\npair_1`),
	number: '+15551230001',
	resumeUrl: `${waiting.url}/${name}`,
	token: `token of ${name}`,
	askedAtMs: START_MS,
	...more,
});

/** Starts an n8n that knows these questions from its database only. */
const startWith = async (questions: Question[], parameters: INodeParameters = {}) => {
	database.staticData = {};
	n8n = new Process(database, history.credential, parameters);
	await n8n.activate('activate');
	database.staticData.questions = JSON.stringify(questions);
	await restart(parameters);
};

/** n8n is killed and starts again with what it had saved; returns the items that the workflow then started with. */
const restart = async (parameters: INodeParameters = {}) => {
	n8n.kill();
	n8n = new Process(database, history.credential, parameters);
	await n8n.activate('init');
	return await n8n.execute();
};

/** An execution of this process asks a question by text. */
const ask = async () =>
	await runWorkflow(
		askingInstance(history.credential, waiting.url, n8n.memory),
		askingWorkflow({ content: 'Can we come at 10?' }),
	);

/** An event of this time. */
const eventOf = (handle: string, message: object = {}) => ({
	...receiveEvent(handle, message),
	created_at: new Date(START_MS).toISOString(),
});

/** Receives a text by webhook, and returns the items that the workflow then started with. */
const receive = async (handle: string, message: object = {}, secret = SECRET) => {
	expect(await n8n.receive(eventOf(handle, message), secret, START_MS)).toBe(200);
	return await n8n.execute();
};

/** Which executions were passed something, in order, and what. */
const names = () => waiting.got.map(({ name }) => name);
const contents = () => waiting.got.map(({ content }) => content);

describe('a text that an execution waits for', () => {
	test.each([
		['yes', { name: 'one', content: 'yes' }, 'answered a question'],
		['STOP', { name: 'one', content: 'STOP', ends: 'optedOut' }, 'ended a question'],
	])('goes to it, and leaves one that says in a word why it ended: %s', async (text, got, said) => {
		await startWith([question('one')]);

		expect(await receive('m1', { text })).toEqual([]);

		expect(waiting.got).toEqual([got]);
		expect(n8n.saidOfBlanks).toEqual([expect.stringContaining(said)]);
	});

	test.each([
		['the filters leave it out', { filters: { contains: 'price', from: '+19998887777' } }],
		['texts wait for more of their conversation', { options: { combineSeconds: 60 } }],
	])('goes to it at once, also where %s', async (_, parameters) => {
		await startWith([question('one')], parameters);

		expect(await receive('m1', { text: 'yes' })).toEqual([]);

		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	test('goes to it with the picture that only the history names (§6.2)', async () => {
		await startWith([question('one')], { options: { completeMessages: true } });
		const media_url = 'https://service.example/media/1.jpg';
		history.rows.push(inbound('m1', START_MS, { content: '', media_url }));

		expect(await receive('m1', { text: '' })).toEqual([]);

		expect(waiting.got).toEqual([{ name: 'one', content: '', media_url }]);
	});

	test('answers the newest question, once, however often it is delivered', async () => {
		await startWith([question('old', { askedAtMs: START_MS - 1_000 }), question('new')]);

		await receive('m1');
		await receive('m1');

		expect(names()).toEqual(['new']);
		expect(await receive('m2')).toEqual([]);
		expect(names()).toEqual(['new', 'old']);
	});

	test('starts no other workflow that receives it while it is passed on, or afterwards', async () => {
		await startWith([question('one')]);
		const staticData = structuredClone(database.staticData);
		const elsewhere = { workflowId: `${database.workflowId}-other`, staticData };
		const other = new Process(elsewhere, history.credential, {}, undefined, n8n.memory);
		await other.activate('init');
		let meanwhile: Promise<IDataObject[]> | undefined;
		waiting.before = async () => {
			await other.receive(eventOf('m1'), SECRET, START_MS);
			meanwhile = other.execute();
		};

		expect(await receive('m1')).toEqual([]);
		expect(await meanwhile).toEqual([]);
		await other.receive({ ...eventOf('m1'), id: 'evt_again' }, SECRET, START_MS);
		expect(await other.execute()).toEqual([]);
		expect(waiting.got).toHaveLength(1);
	});

	test.each([
		['include', 1],
		['ignore', 0],
	])(
		'ends every question to the customer when it opts out, with opt-out words set to %s',
		async (optOutWords, started) => {
			const asked = [
				question('old', { askedAtMs: START_MS - 1_000 }),
				question('elsewhere', { line: { handle: 'other' } }),
				question('other', { number: BEN }),
			];
			await startWith(asked, { filters: { optOutWords } });

			expect(await receive('m1', { text: ' Stop. ' })).toHaveLength(started);

			expect(waiting.got).toMatchObject([
				{ name: 'elsewhere', ends: 'optedOut' },
				{ name: 'old', ends: 'optedOut' },
			]);
			expect(await receive('m2', { text: 'yes' })).toHaveLength(1);
		},
	);

	test('goes on to the workflow when its execution does not end by it', async () => {
		await startWith([question('one')], { filters: { optOutWords: 'include' } });
		waiting.says.one = [{ status: 200, body: { answered: false, waits: true } }];

		expect(await receive('m1', { text: 'STOP' })).toHaveLength(1);
		expect(await receive('m2', { text: 'yes' })).toEqual([]);
		expect(contents()).toEqual(['STOP', 'yes']);
	});

	test('is offered again for a minute after the question, as n8n may take so long to save the execution', async () => {
		await startWith([question('one')]);
		const running: StubAnswer = { status: 409, body: { code: 0, message: 'running already' } };
		waiting.says.one = Array<StubAnswer>(7).fill(running);

		expect(await receive('m1')).toEqual([]);

		expect(waiting.got).toHaveLength(8);
	});
});

describe('a text of which it is not clear whether its execution has taken it', () => {
	const CUT_OFF: StubAnswer = { isCutOff: true };
	const FINISHED: StubAnswer = { status: 409, body: { message: 'has finished' } };

	/** Starts an n8n with two questions to the customer, asked some time ago. */
	const startWithTwo = async () => {
		const askedAtMs = START_MS - 90_000;
		await startWith([
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
				waiting.got.length = 0;
				waiting.says.one = [unclear, then];
				const { memory } = n8n;
				waiting.before = async () => {
					// As the node does that waits.
					const asked = memory.part(WaitingList).find('token of one');
					if (asked && handle === 'gone on') memory.part(WaitingList).remove(asked);
				};

				expect(await receive(`1 ${handle}`, { text: 'yes' })).toEqual([]);
				const others = await receive(`2 ${handle}`, { text: 'yes' });
				expect(names()).toEqual(['one', 'one', 'old']);
				expect(others).toHaveLength(handle === 'gone on' ? 0 : 1);
			}
		},
	);

	test('is passed to the same execution again if that waits still', async () => {
		await startWithTwo();
		waiting.says.one = [{ status: 504 }, CUT_OFF];

		expect(await receive('m1', { text: 'yes' })).toEqual([]);

		expect(names()).toEqual(['one', 'one', 'one']);
	});

	test('counts as passed when it never becomes clear, and the next text is offered to the execution', async () => {
		await startWithTwo();
		waiting.says.one = Array.from({ length: 50 }, () => ({ status: 504 }));

		expect(await receive('m1', { text: 'yes' })).toEqual([]);
		expect(new Set(names())).toEqual(new Set(['one']));

		waiting.got.length = 0;
		waiting.says.one = [];
		expect(await receive('m2', { text: 'Hello? Yes.' })).toEqual([]);
		expect(waiting.got).toEqual([{ name: 'one', content: 'Hello? Yes.' }]);
	});
});

describe('a text that no execution takes starts the workflow as usual', () => {
	test('while something in front of n8n refuses the request; the next text is offered again', async () => {
		await startWith([question('one')]);
		waiting.says.one = Array.from({ length: 3 }, () => ({ status: 429 }));

		expect(await receive('m1')).toHaveLength(1);
		expect(await receive('m2')).toEqual([]);
	});

	test.each([
		['was stopped', { status: 409, body: { code: 0, message: 'has finished already' } }],
		['was deleted', { status: 404, body: { code: 0, message: 'does not exist' } }],
		['is over, for which n8n shows a page', { status: 200 }],
		['asks something else by now', { status: 410, body: { answered: false } }],
	])('when the execution that waited %s; its question is then removed', async (_, answer) => {
		await startWith([question('one')]);
		waiting.says.one = [answer];

		expect(await receive('m1', { text: 'hello' })).toMatchObject([{ content: 'hello' }]);
		expect(await receive('m2')).toHaveLength(1);
		expect(waiting.got).toHaveLength(1);
	});

	test('unless the filters leave it out', async () => {
		await startWith([question('one')], { filters: { contains: 'price' } });
		waiting.says.one = [{ status: 404 }];

		expect(await receive('m1', { text: 'hello' })).toEqual([]);
	});

	test.each<[string, Partial<Question>]>([
		['by the buttons', { isByButtons: true }],
		['to another line', { line: { handle: 'other' } }],
		['before the question', { askedAtMs: START_MS + 60_000, serviceOffsetMs: 0 }],
		['another key pair', { account: 'another' }],
	])('and the log says once why no open question has taken it: %s', async (reason, more) => {
		log.clear();
		await startWith([]);
		n8n.memory.part(WaitingList).restore([question('one', more)]);
		await n8n.check();

		expect(await receive('m1')).toHaveLength(1);
		expect(await receive('m2')).toHaveLength(1);

		expect(log.messages('info').filter((line) => line.includes('open question'))).toEqual([
			expect.stringMatching(`receive:m1.*${reason}`),
		]);
	});
});

test('a text that came while n8n was down goes to its execution, even if the filters leave it out', async () => {
	const parameters = { filters: { contains: 'price' } };
	await startWith([question('one')], parameters);
	history.rows.push(inbound('m1', START_MS + 1_000, { content: 'yes' }));

	expect(await restart(parameters)).toEqual([]);
	expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
});

test('a question that was answered is not there again when the workflow of its trigger is published again', async () => {
	await startWith([question('one')]);
	expect(await receive('m1', { text: 'yes' })).toEqual([]);

	await n8n.release();
	await n8n.activate('update');

	expect(await receive('m2', { text: 'hello' })).toHaveLength(1);
	expect(contents()).toEqual(['yes']);
});

describe('a rotated key pair', () => {
	const NEW_PAIR = { apiKey: 'pair_2', apiSecret: 'secret_new' };
	const credential = () => hashOf(`${history.url}\n1`);

	test('leaves the questions of the credential open, and no others, also where the trigger polls', async () => {
		const parameters = { receiveBy: 'polling' };
		const other = question('other', { number: BEN, credential: 'another' });
		await startWith([question('one', { credential: credential() }), other], parameters);

		n8n = new Process(database, { ...history.credential, ...NEW_PAIR }, parameters);
		await n8n.activate('init');
		history.rows.push(inbound('m1', START_MS + 1_000, { content: 'yes' }));
		history.rows.push(inbound('m2', START_MS + 1_000, { content: 'yes', from: BEN }));
		await n8n.check();

		expect(await n8n.execute()).toEqual([expect.objectContaining({ from: BEN })]);
		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	test('is noticed by a check before that finds an answer, which goes to its execution', async () => {
		const asked = question('one', { askedAtMs: START_MS - 60_000, credential: credential() });
		// By this row the check knows that the history is the same one.
		history.rows.push(inbound('m0', START_MS - 120_000, { from: BEN }));
		await startWith([asked]);
		Object.assign(history.credential, NEW_PAIR);
		history.rows.push(inbound('m1', START_MS - 31_000, { content: 'yes' }));

		await n8n.check();

		expect(await n8n.execute()).toEqual([]);
		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	test('lets what was made before the publishing start nothing still, when it is delivered late', async () => {
		history.tellTime(Date.now() + 60_000);
		await startWith([]);

		n8n = new Process(database, { ...history.credential, ...NEW_PAIR });
		await n8n.activate('init');

		expect(await receive('m1', {}, derivedSecret(NEW_PAIR.apiSecret))).toEqual([]);
	});
});

test('a check tells an execution once that its question could not be sent, where no event would', async () => {
	await startWith([question('one'), question('other', { number: BEN })]);
	history.rows.push(outbound('q1', 'ERROR', null));

	await n8n.check();
	await waitUntil('the end', async () => waiting.got.length > 0 || undefined);

	expect(waiting.got).toEqual([expect.objectContaining({ name: 'one', ends: 'failed' })]);
	await n8n.check();
	expect(waiting.got).toHaveLength(1);
});

describe('a trigger that polls', () => {
	const POLLS = { receiveBy: 'polling' };

	test('listens for answers no more when it is published again with a webhook for other events', async () => {
		await startWith([], POLLS);
		await n8n.release();
		n8n.parameters = { events: ['outbound'] };
		await n8n.activate('update');

		expect((await ask()).error?.message).toBe('No trigger listens for the answer');
	});

	test('has a question saved when it is asked, so that its answer arrives after a kill before the next check', async () => {
		await startWith([], POLLS);
		await ask();
		history.rows.push(inbound('m1', Date.now() + 1_000, { content: 'yes' }));

		expect(await restart(POLLS)).toEqual([]);

		expect(contents()).toEqual(['yes']);
	});
});

test('a text that has started the workflow answers no question that it asks then, also after a kill', async () => {
	await startWith([]);
	history.rows.push(inbound('m1', START_MS, { content: 'hello' }));
	expect(await receive('m1')).toHaveLength(1);
	expect((await ask()).status).toBe('waiting');

	expect(await restart()).toEqual([]);

	expect(waiting.got).toEqual([]);
});

test('a text from while the workflow was stopped answers its question when it is delivered later', async () => {
	await startWith([question('one', { askedAtMs: START_MS - 200_000 })]);
	await n8n.release();
	history.tellTime(Date.now() + 60_000);
	await n8n.activate('activate');
	expect(await receive('m1', { text: 'yes' })).toEqual([]);
	expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	expect(await receive('m2')).toEqual([]);
	expect(waiting.got).toHaveLength(1);
});
