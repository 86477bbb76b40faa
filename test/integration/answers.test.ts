import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { startStub } from '../support/stub';
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
	const says: Record<string, Array<{ status: number; body?: object }>> = {};
	const got: Array<{ name: string; content: unknown; ends?: unknown }> = [];
	const stub = await startStub(({ path, body }) => {
		const name = path.slice(1);
		const { message, ends } = JSON.parse(body.toString()) as {
			message: IDataObject;
			ends?: string;
		};
		got.push({ name, content: message.content, ...(ends && { ends }) });
		return says[name]?.shift() ?? { status: 200, body: { answered: true } };
	});
	return { ...stub, says, got };
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
	const first = new Process(database, history.credential, parameters);
	await first.activate('activate');
	database.staticData.questions = JSON.parse(JSON.stringify(questions)) as IDataObject[];
	n8n = new Process(database, history.credential, parameters);
	await n8n.activate('init');
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

	test('answers once, however often it is delivered', async () => {
		await startWith([question('old', { askedAtMs: START_MS - 1_000 }), question('new')]);

		await receive('m1');
		await receive('m1');

		expect(waiting.got.map(({ name }) => name)).toEqual(['new']);
		expect(await receive('m2')).toEqual([]);
		expect(waiting.got.map(({ name }) => name)).toEqual(['new', 'old']);
	});

	test('goes to the execution even if the filters leave it out, as they are for what starts the workflow', async () => {
		await startWith([question('one')], { filters: { contains: 'price', from: '+19998887777' } });

		await receive('m1', { text: 'yes' });

		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
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
				['old', 'optedOut'],
				['on%20another%20line', 'optedOut'],
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

	test('does not start the workflow when the execution has read it and goes on waiting', async () => {
		await startWith([question('one')]);
		waiting.says.one = [{ status: 200, body: { answered: false, waits: true } }];

		expect(await receive('m1', { text: 'hm' })).toEqual([]);
		expect(await receive('m2', { text: 'yes' })).toEqual([]);
		expect(waiting.got.map(({ content }) => content)).toEqual(['hm', 'yes']);
	});

	test('is offered again while the execution is about to wait', async () => {
		await startWith([question('one')]);
		waiting.says.one = [{ status: 409, body: { code: 0, message: 'running already' } }];

		expect(await receive('m1')).toEqual([]);

		expect(waiting.got).toHaveLength(2);
	});
});

describe('a text that no execution takes starts the workflow as usual', () => {
	test.each([
		['was stopped', { status: 409, body: { code: 0, message: 'has finished' } }, -120_000],
		['was deleted', { status: 404, body: { code: 0, message: 'does not exist' } }, 0],
		['is over, for which n8n shows a page', { status: 200 }, 0],
		['asks something else by now', { status: 410, body: { answered: false } }, 0],
	])(
		'when the execution that waited %s; its question is then removed',
		async (_, answer, askedMs) => {
			await startWith([question('one', { askedAtMs: START_MS + askedMs })]);
			waiting.says.one = [answer];

			expect(await receive('m1', { text: 'hello' })).toEqual([
				expect.objectContaining({ content: 'hello' }),
			]);
			expect(await receive('m2')).toHaveLength(1);
			expect(waiting.got).toHaveLength(1);
		},
	);

	test('when n8n cannot be reached at its own URL; the next text is offered again', async () => {
		await startWith([question('one')]);
		waiting.says.one = [{ status: 502 }, { status: 502 }, { status: 502 }];

		expect(await receive('m1')).toHaveLength(1);
		expect(await receive('m2')).toEqual([]);
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

describe('a text that came while n8n was down', () => {
	test('goes to the execution by a check, even if the filters leave it out', async () => {
		const parameters = { filters: { contains: 'price' } };
		await startWith([], parameters);
		database.staticData.questions = [question('one')] as unknown as IDataObject[];
		history.rows.push(inbound('m1', START_MS + 1_000, { content: 'yes' }));

		n8n = new Process(database, history.credential, parameters);
		await n8n.activate('init');

		expect(await n8n.execute()).toEqual([]);
		expect(waiting.got).toEqual([{ name: 'one', content: 'yes' }]);
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

	test('makes n8n save that a question was answered, with an execution that ends without an item', async () => {
		await startWith([question('one')], POLLS);
		history.rows.push(inbound('m1', START_MS + 1_000, { content: 'yes' }));
		await n8n.check();
		await n8n.execute();

		await n8n.check();

		expect(database.staticData.questions).toEqual([]);
		expect(await n8n.execute()).toEqual([]);
		expect(await n8n.check()).toEqual([]);
	});
});

test('a check saves the questions that are open now, not those that it read when it began', async () => {
	const other = question('other', { number: '+15551239999' });
	await startWith([question('one'), other]);
	await receive('m1', { text: 'yes' });
	history.rows.push(inbound('m2', START_MS - 31_000, { content: 'missed' }));

	await n8n.check();

	expect(await n8n.execute()).toHaveLength(1);
	expect(database.staticData.questions).toEqual([expect.objectContaining({ token: other.token })]);
});
