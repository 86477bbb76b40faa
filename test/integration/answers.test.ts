import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { writeInto } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import type { Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { Listeners } from '../../nodes/TwoWayMessaging/waiting/listeners';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { runWorkflow } from '../support/executions';
import { startStub, type StubAnswer } from '../support/stub';
import { log } from '../support/log';
import { waitUntil } from '../support/waitUntil';
import { askingInstance, askingWorkflow } from './askingWorkflow';
import { inbound, startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret, receiveEvent } from './triggerWorkflow';

const SECRET = derivedSecret('secret_abc');
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

const account = () => createHash('sha256').update(`${history.url}\npair_1`).digest('hex');

const question = (name: string, more: Partial<Question> = {}): Question => ({
	account: account(),
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
	writeInto(database.staticData, { questions });
	await restart(parameters);
};

/** n8n is killed and starts again with what it had saved; returns the items that the workflow then started with. */
const restart = async (parameters: INodeParameters = {}) => {
	n8n.kill();
	n8n = new Process(database, history.credential, parameters);
	await n8n.activate('init');
	return await n8n.execute();
};

/** An execution of this process asks a question by text, and waits. */
const ask = async (content: string) => {
	const asking = askingInstance(history.credential, waiting.url, n8n.memory);
	expect((await runWorkflow(asking, askingWorkflow({ content }))).status).toBe('waiting');
};

/** Receives a text by webhook, and returns the items that the workflow then started with. */
const receive = async (handle: string, message: object = {}) => {
	const event = { ...receiveEvent(handle, message), created_at: new Date(START_MS).toISOString() };
	expect(await n8n.receive(event, SECRET, START_MS)).toBe(200);
	return await n8n.execute();
};

describe('a text that an execution waits for', () => {
	test('goes to the execution, also after a restart, and does not start the workflow', async () => {
		await startWith([question('one')]);

		expect(await receive('m1', { text: 'yes' })).toEqual([]);

		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	describe('leaves an execution that says in a word why it ended', () => {
		test('where the text has answered a question', async () => {
			await startWith([question('one')]);
			await receive('m1', { text: 'yes' });
			expect(n8n.saidOfBlanks).toEqual([expect.stringContaining('answered a question')]);
		});

		test('where it has ended one', async () => {
			await startWith([question('one')]);
			await receive('m1', { text: 'STOP' });
			expect(n8n.saidOfBlanks).toEqual([expect.stringContaining('ended a question')]);
		});
	});

	test('answers once, however often it is delivered', async () => {
		await startWith([question('old', { askedAtMs: START_MS - 1_000 }), question('new')]);

		await receive('m1');
		await receive('m1');

		expect(waiting.got.map(({ name }) => name)).toEqual(['new']);
		expect(await receive('m2')).toEqual([]);
		expect(waiting.got.map(({ name }) => name)).toEqual(['new', 'old']);
	});

	test('starts no other workflow that receives it while it is passed on, or afterwards', async () => {
		await startWith([question('one')]);
		const staticData = structuredClone(database.staticData);
		const other = new Process(
			{ workflowId: `${database.workflowId}-other`, staticData },
			history.credential,
			{},
			undefined,
			n8n.memory,
		);
		await other.activate('init');
		const event = { ...receiveEvent('m1'), created_at: new Date(START_MS).toISOString() };
		let meanwhile: Promise<IDataObject[]> | undefined;
		waiting.before = async () => {
			await other.receive(event, SECRET, START_MS);
			meanwhile = other.execute();
		};

		expect(await receive('m1')).toEqual([]);
		expect(await meanwhile).toEqual([]);
		await other.receive({ ...event, id: 'evt_again' }, SECRET, START_MS);
		expect(await other.execute()).toEqual([]);
		expect(waiting.got).toHaveLength(1);
	});

	test('goes to the execution even if the filters leave it out, as they are for what starts the workflow', async () => {
		await startWith([question('one')], { filters: { contains: 'price', from: '+19998887777' } });

		await receive('m1', { text: 'yes' });

		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	test('goes to the execution with the picture that only the history names (§6.2)', async () => {
		await startWith([question('one')], { options: { completeMessages: true } });
		const media_url = 'https://service.example/media/1.jpg';
		history.rows.push(inbound('m1', START_MS, { content: '', media_url }));

		expect(await receive('m1', { text: '' })).toEqual([]);

		expect(waiting.got).toEqual([{ name: 'one', content: '', media_url }]);
	});

	test('goes to the execution at once, also where texts wait for more of their conversation', async () => {
		await startWith([question('one')], { options: { combineSeconds: 60 } });

		expect(await receive('m1', { text: 'yes' })).toEqual([]);

		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	test.each([
		['include', 1],
		['ignore', 0],
	])(
		'ends every question to the customer when it opts out, with opt-out words set to %s',
		async (optOutWords, started) => {
			await startWith(
				[
					question('old', { askedAtMs: START_MS - 1_000 }),
					question('on another line', { line: { handle: 'other' } }),
					question('other', { number: '+15551239999' }),
				],
				{ filters: { optOutWords } },
			);

			expect(await receive('m1', { text: ' Stop. ' })).toHaveLength(started);

			expect(waiting.got.map(({ name, ends }) => [name, ends])).toEqual([
				['on%20another%20line', 'optedOut'],
				['old', 'optedOut'],
			]);
			expect(await receive('m2', { text: 'yes' })).toHaveLength(1);
		},
	);

	test('goes on to the workflow when its execution does not end by it', async () => {
		await startWith([question('one')], { filters: { optOutWords: 'include' } });
		waiting.says.one = [{ status: 200, body: { answered: false, waits: true } }];

		expect(await receive('m1', { text: 'STOP' })).toHaveLength(1);
		expect(await receive('m2', { text: 'yes' })).toEqual([]);
		expect(waiting.got.map(({ content }) => content)).toEqual(['STOP', 'yes']);
	});

	test('is offered again while the execution is about to wait', async () => {
		await startWith([question('one')]);
		waiting.says.one = [{ status: 409, body: { code: 0, message: 'running already' } }];

		expect(await receive('m1')).toEqual([]);

		expect(waiting.got).toHaveLength(2);
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
	const TWO = () => [question('old', { askedAtMs: START_MS - 120_000 }), longAsked()];
	const longAsked = () => question('one', { askedAtMs: START_MS - 90_000 });
	const CUT_OFF: StubAnswer = { isCutOff: true };

	/** Goes on with the answer, as the node does that waits. */
	const goOn = (token: string) => {
		const waitingList = n8n.memory.part(WaitingList);
		const asked = waitingList.find(token);
		if (asked) waitingList.remove(asked);
	};

	const THEN: Array<[string, StubAnswer, StubAnswer]> = [
		['a proxy has given up', { status: 504 }, { status: 409, body: { message: 'has finished' } }],
		['the connection was cut', CUT_OFF, { status: 409, body: { message: 'has finished' } }],
		['n8n has failed', { status: 500 }, { status: 404, body: { message: 'does not exist' } }],
		['a proxy has given up', { status: 408 }, { status: 410, body: { answered: false } }],
		['n8n shows a page next', { status: 502 }, { status: 200 }],
	];

	test.each(THEN)(
		'has answered the question of an execution that has gone on, and nothing else: %s',
		async (_, unclear, then) => {
			await startWith(TWO());
			waiting.says.one = [unclear, then];
			waiting.before = async () => await Promise.resolve(goOn('token of one'));

			expect(await receive('m1', { text: 'yes' })).toEqual([]);
			expect(waiting.got.map(({ name }) => name)).toEqual(['one', 'one']);

			expect(await receive('m2', { text: 'yes' })).toEqual([]);
			expect(waiting.got.map(({ name }) => name)).toEqual(['one', 'one', 'old']);
		},
	);

	test.each(THEN)(
		'goes on to the next question where the execution was stopped before: %s',
		async (_, unclear, then) => {
			await startWith(TWO());
			waiting.says.one = [unclear, then];

			expect(await receive('m1', { text: 'yes' })).toEqual([]);
			expect(waiting.got.map(({ name }) => name)).toEqual(['one', 'one', 'old']);

			expect(await receive('m2', { text: 'hello' })).toHaveLength(1);
		},
	);

	test('is passed to the same execution again if that waits still', async () => {
		await startWith(TWO());
		waiting.says.one = [{ status: 504 }, CUT_OFF];

		expect(await receive('m1', { text: 'yes' })).toEqual([]);

		expect(waiting.got.map(({ name }) => name)).toEqual(['one', 'one', 'one']);
	});

	test('counts as passed when it never becomes clear, and the next text is offered to the execution', async () => {
		await startWith(TWO());
		waiting.says.one = Array.from({ length: 50 }, () => ({ status: 504 }));

		expect(await receive('m1', { text: 'yes' })).toEqual([]);
		expect(new Set(waiting.got.map(({ name }) => name))).toEqual(new Set(['one']));

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

	test('when another customer wrote it', async () => {
		await startWith([question('one')]);
		expect(await receive('m1', { from: '+15551230009' })).toHaveLength(1);
		expect(waiting.got).toEqual([]);
	});
});

describe('a text that answers no question, though one to its customer is in the list, starts the workflow', () => {
	const WHY: Array<[string, Partial<Question>]> = [
		['by the buttons', { isByButtons: true }],
		['to another line', { line: { handle: 'other' } }],
		['before the question', { askedAtMs: START_MS + 60_000, serviceOffsetMs: 0 }],
		['another key pair', { account: 'another' }],
	];

	test.each(WHY)('and the log says once that the reason is: %s', async (reason, more) => {
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

describe('a text that came while n8n was down', () => {
	test('goes to the execution by a check, even if the filters leave it out', async () => {
		const parameters = { filters: { contains: 'price' } };
		await startWith([], parameters);
		writeInto(database.staticData, { questions: [question('one')] });
		history.rows.push(inbound('m1', START_MS + 1_000, { content: 'yes' }));

		expect(await restart(parameters)).toEqual([]);
		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});
});

test('a question that was answered is not there again when the workflow of its trigger is published again', async () => {
	await startWith([question('one')]);
	expect(await receive('m1', { text: 'yes' })).toEqual([]);

	await n8n.release();
	await n8n.activate('update');

	expect(await receive('m2', { text: 'hello' })).toHaveLength(1);
	expect(waiting.got.map(({ content }) => content)).toEqual(['yes']);
});

describe('a rotated key pair', () => {
	const NEW_PAIR = { apiKey: 'pair_2', apiSecret: 'secret_new' };
	const newSecret = derivedSecret(NEW_PAIR.apiSecret);
	const credential = () => createHash('sha256').update(`${history.url}\n1`).digest('hex');

	test.each([[{}], [{ receiveBy: 'polling' }]])(
		'leaves the questions of the credential open: their answers arrive, with %j',
		async (parameters) => {
			const other = question('other', { number: '+15551239999', credential: 'another' });
			await startWith([question('one', { credential: credential() }), other], parameters);

			n8n = new Process(database, { ...history.credential, ...NEW_PAIR }, parameters);
			await n8n.activate('init');
			history.rows.push(inbound('m1', START_MS + 1_000, { content: 'yes' }));
			const theirs = { content: 'yes', from: other.number };
			history.rows.push(inbound('m2', START_MS + 1_000, theirs));
			if ('receiveBy' in parameters) {
				await n8n.check();
			} else {
				for (const [handle, from] of [
					['m1', '+15551230001'],
					['m2', other.number],
				] as const) {
					const event = receiveEvent(handle, { text: 'yes', from });
					const created_at = new Date(START_MS).toISOString();
					await n8n.receive({ ...event, created_at }, newSecret, START_MS);
				}
			}

			expect(await n8n.execute()).toEqual([expect.objectContaining({ from: other.number })]);
			expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
		},
	);

	test('is noticed by a check before that finds an answer, which goes to its execution', async () => {
		const asked = question('one', { askedAtMs: START_MS - 60_000, credential: credential() });
		// By this row the check knows that the history is the same one.
		history.rows.push(inbound('m0', START_MS - 120_000, { from: '+15551239999' }));
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
		const event = { ...receiveEvent('m1'), created_at: new Date(START_MS).toISOString() };
		expect(await n8n.receive(event, newSecret, START_MS)).toBe(200);

		expect(await n8n.execute()).toEqual([]);
	});
});

describe('a question that could not be sent', () => {
	const failed = (handle: string, more: object = {}) => ({
		...inbound(handle, null),
		is_outbound: true,
		status: 'ERROR',
		from: '+15550100001',
		to: '+15551230001',
		error_message: 'No such number',
		...more,
	});

	test('is told to its execution by a check, where the trigger listens to texts only', async () => {
		await startWith([question('one'), question('other', { number: '+15551239999' })]);
		history.rows.push(failed('q1') as never);

		await n8n.check();
		await waitUntil('the end', async () => waiting.got.length > 0 || undefined);

		expect(waiting.got).toEqual([expect.objectContaining({ name: 'one', ends: 'failed' })]);
		await n8n.check();
		expect(waiting.got).toHaveLength(1);
	});

	test('is told by a trigger that listens to outbound messages only, which goes on to its workflow', async () => {
		await startWith([], { events: ['outbound'] });
		const memory = n8n.memory;
		memory.part(WaitingList).restore([question('one')]);
		const event = { type: 'outbound', data: { message: failed('q1') } };

		expect(await n8n.receive(event, SECRET, START_MS)).toBe(200);

		expect(await n8n.execute()).toHaveLength(1);
		expect(waiting.got).toEqual([expect.objectContaining({ name: 'one', ends: 'failed' })]);
	});
});

describe('a trigger that polls', () => {
	const POLLS = { receiveBy: 'polling' };

	test('passes answers to executions, also after a restart', async () => {
		await startWith([question('one')], POLLS);
		history.rows.push(inbound('m1', START_MS + 1_000, { content: 'yes' }));

		await n8n.check();

		expect(await n8n.execute()).toEqual([]);
		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
	});

	test('listens for answers no more when it is published again with a webhook for other events', async () => {
		await startWith([], POLLS);
		expect(n8n.memory.part(Listeners).of(account())).toHaveLength(1);
		await n8n.release();
		n8n.parameters = { events: ['outbound'] };
		await n8n.activate('update');
		expect(n8n.memory.part(Listeners).of(account())).toEqual([]);
	});

	test('has a question saved when it is asked, so that its answer arrives after a kill before the next check', async () => {
		await startWith([], POLLS);
		await ask('Can we come at 10?');
		history.rows.push(inbound('m1', Date.now() + 1_000, { content: 'yes' }));

		expect(await restart(POLLS)).toEqual([]);

		expect(waiting.got.map(({ content }) => content)).toEqual(['yes']);
	});
});

test('a text that has started the workflow answers no question that it asks then, also after a kill', async () => {
	await startWith([]);
	history.rows.push(inbound('m1', START_MS, { content: 'hello' }));
	expect(await receive('m1')).toHaveLength(1);
	await ask('Can we come at 10?');

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
