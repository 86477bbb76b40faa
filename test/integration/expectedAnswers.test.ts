import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as pause } from 'node:timers/promises';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import type { Instance } from '../support/instance';
import { savedField } from '../support/savedFields';
import { startStub } from '../support/stub';
import { visit } from '../support/waits';
import { ANNA, ASK, askingInstance, askingWorkflow } from './askingWorkflow';
import { itemsOf, TriggerService } from './triggerWorkflow';

const TIMES = 'Friday at 10\nMonday at 2';
const YES_OR_NO = { expected: 'yesOrNo' };
const CHOICE = { expected: 'choice', content: 'When shall we come?', choices: TIMES };

let trigger: TriggerService;
let instance: Instance;
let live: Awaited<ReturnType<TriggerService['serve']>>;
/** The server at which executions wait. It lets them go on as n8n does. */
let address: Awaited<ReturnType<typeof startStub>>;
/** The execution that waits, what it was started with, and how it went on. */
let waiting: Run;
let request: RunRequest;
let continued: Run | undefined;
/** What executions were passed. */
let passed: Array<{ ends?: string; message: { content: string } }>;

beforeEach(async () => {
	trigger = await TriggerService.start();
	passed = [];
	continued = undefined;
	address = await startStub(async ({ body, path, query }) => {
		const posted = JSON.parse(body.toString()) as (typeof passed)[number];
		passed.push(posted);
		if (!path.includes(`/${waiting.executionId}/`)) return { status: 404 };
		if (continued) return { status: 409, body: { message: 'has finished' } };
		const url = `${address.url}${path}?${query.toString()}`;
		const { response, run } = await visit(instance, request, waiting, {
			method: 'POST',
			body: posted,
			url,
		});
		continued = run;
		return { status: response.status, body: response.body };
	});
	instance = askingInstance(trigger.credential, address.url);
	live = await trigger.serve({ filters: { optOutWords: 'include' } });
	await live.activate();
});

afterEach(async () => {
	await trigger.stop();
	await address.stop();
});

const ask = async (parameters: INodeParameters = {}, node: object = {}): Promise<Run> => {
	request = askingWorkflow(parameters, node);
	waiting = await runWorkflow(instance, request);
	return waiting;
};

/** A customer texts; resolves when the execution that receives the text has ended. */
const text = async (content: string, more: object = {}) => {
	const before = live.runs.length;
	await trigger.text(content, more);
	await live.waitForRuns(before + 1);
};

const sent = async () => (await trigger.service.accepted()).map(({ content }) => content);

/** The request that was passed to the execution last. */
const lastPassed = () => {
	const { path, query } = address.requests.at(-1) ?? {};
	const url = `${address.url}${path}?${String(query)}`;
	return { method: 'POST', body: passed.at(-1), url } as const;
};

/** Stops the service from delivering to the customer's phone. */
const failNext = async () =>
	await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { fail_next: 'No such number' });

describe('a yes or a no by text', () => {
	test.each([
		['Yes, please', true],
		['👍🏽', true],
		['Yeah!', true],
		['Okay', true],
		['No, sorry', false],
		['Nope', false],
	])(
		'%j lets the workflow go on with approved %s, and with the text',
		async (content, approved) => {
			await ask(YES_OR_NO);

			await text(content);

			expect(continued?.json(ASK)).toEqual([
				expect.objectContaining({ answered: true, approved, content, from: ANNA }),
			]);
			expect(continued?.items(ASK, 1)).toEqual([]);
			expect(itemsOf(live)).toEqual([]);
		},
	);

	test('is understood by the words that the node was given', async () => {
		await ask({ ...YES_OR_NO, yesWords: 'claro, sí', noWords: ['nunca'] });

		await text('¡Sí!');

		expect(continued?.json(ASK)).toEqual([expect.objectContaining({ approved: true })]);
	});
});

describe('one of a list by text', () => {
	test.each([['friday at 10, please'], ['1.'], ['a']])(
		'%j lets the workflow go on with the choice and its index',
		async (content) => {
			await ask(CHOICE);

			await text(content);

			expect(continued?.json(ASK)).toEqual([
				expect.objectContaining({ choice: 'Friday at 10', choice_index: 0, content }),
			]);
		},
	);

	test('goes out with the choices and their numbers, unless the text names all of them', async () => {
		await ask(CHOICE);
		await ask({ ...CHOICE, choices: 'Friday, Monday', content: 'Friday, or Monday?' });

		expect(await sent()).toEqual([
			'When shall we come?\n\n1. Friday at 10\n2. Monday at 2',
			'Friday, or Monday?',
		]);
	});

	test.each([
		['a number', 'Friday at 2, Monday at 10', '1. Friday at 2\n2. Monday at 10'],
		['a letter', 'Room B, Room A', '1. Room B\n2. Room A'],
	])(
		'goes out with the numbers also then where a name has %s in it that could be the place of another',
		async (_, choices, list) => {
			await ask({ ...CHOICE, choices, content: `${choices}?` });
			expect(await sent()).toEqual([`${choices}?\n\n${list}`]);
		},
	);

	test('goes out without numbers where choices are numbers, of which only the name counts', async () => {
		await ask({ ...CHOICE, choices: '2, 4, 6' });
		expect(await sent()).toEqual(['When shall we come?\n\n- 2\n- 4\n- 6']);

		await text('2');

		expect(continued?.json(ASK)).toEqual([
			expect.objectContaining({ choice: '2', choice_index: 0 }),
		]);
	});

	test('takes the choices of a list that an expression gives, or with commas between them', async () => {
		await ask({ ...CHOICE, choices: '={{ ["Tea, black", "Coffee"] }}' });
		await ask({ ...CHOICE, choices: 'Tea, Coffee' });

		expect(await sent()).toEqual([
			'When shall we come?\n\n1. Tea, black\n2. Coffee',
			'When shall we come?\n\n1. Tea\n2. Coffee',
		]);
	});
});

describe('a text that is not understood', () => {
	test('is answered with a text of its own, and the execution goes on waiting', async () => {
		await ask({ ...YES_OR_NO, askAgainText: 'Yes or no, please?' });

		await text('Who are you?');

		expect(await sent()).toEqual(['Can we come at 10?', 'Yes or no, please?']);
		expect(continued).toBeUndefined();
		expect(itemsOf(live)).toEqual([]);
		await text('yes');
		expect(continued?.json(ASK)).toEqual([
			expect.objectContaining({ approved: true, content: 'yes' }),
		]);
	});

	test('is answered in the same conversation, on the line that the customer texted', async () => {
		await ask(YES_OR_NO);

		await text('hm', { to: '+15550100002' });

		const rows = await trigger.service.rows();
		const lines = rows.filter(({ content }) => content !== 'Can we come at 10?');
		expect(lines).toHaveLength(2);
		expect(new Set(lines.map(({ line_handle }) => line_handle)).size).toBe(1);
		expect(new Set(lines.map(({ conversation_handle }) => conversation_handle)).size).toBe(1);
	});

	test.each([
		['its number', { to: '+15550100002' }],
		['its ID', {}],
	])('is answered from the line that the text names by %s', async (_, named) => {
		await ask(YES_OR_NO);
		const questions = savedField(live.staticData['node:Trigger'], 'questions') ?? [];
		const { token = '', resumeUrl: url = '' } = questions.at(-1) ?? {};
		const { data } = await trigger.service.control.get('/sandbox/state');
		const { lines } = data as { lines: Array<{ line_handle: string; number: string }> };
		const second = lines.find(({ number }) => number === '+15550100002');
		const line = 'to' in named ? named : { line_handle: second?.line_handle };
		const message = { message_handle: 'm1', from: ANNA, content: 'hm', ...line };

		await visit(instance, request, waiting, { method: 'POST', body: { token, message }, url });

		const [again] = (await trigger.service.rows()).filter(({ content }) => /Sorry/.test(content));
		expect(again?.from).toBe('+15550100002');
	});

	test('is answered from the line that was chosen to ask', async () => {
		await ask({ ...YES_OR_NO, line: { __rl: true, mode: 'number', value: '+15550100002' } });

		await text('hm', { to: '+15550100002' });

		const rows = await trigger.service.rows();
		expect(rows).toHaveLength(3);
		expect(new Set(rows.map(({ conversation_handle }) => conversation_handle)).size).toBe(1);
	});

	test('names the choices again', async () => {
		await ask({ ...CHOICE, askAgainText: 'Please choose:' });

		await text('hm');

		expect((await sent()).at(-1)).toBe('Please choose:\n\n1. Friday at 10\n2. Monday at 2');
	});

	test.each([
		[0, 1],
		[2, 3],
	])(
		'ends the question at the second output after asking again %i times',
		async (askAgainTimes, texts) => {
			await ask({ ...YES_OR_NO, askAgainTimes });

			for (let count = 1; count <= texts; count += 1) await text(`hm ${count}`);

			expect(await sent()).toHaveLength(askAgainTimes + 1);
			expect(continued?.items(ASK, 0)).toEqual([]);
			expect(continued?.json(ASK, 1)).toEqual([
				expect.objectContaining({
					answered: false,
					reason: 'notUnderstood',
					content: `hm ${texts}`,
					question: expect.objectContaining({ content: 'Can we come at 10?' }) as object,
				}),
			]);
			expect(itemsOf(live)).toEqual([]);
		},
	);

	test('is taken as it is where the node says so', async () => {
		await ask({ ...YES_OR_NO, ifNotUnderstood: 'take' });

		await text('maybe');

		const [item = {}] = continued?.json(ASK) ?? [];
		expect(item).toMatchObject({ answered: true, content: 'maybe' });
		expect(item).not.toHaveProperty('approved');
		expect(await sent()).toHaveLength(1);
	});

	test('asks again once, however often it is passed', async () => {
		await ask({ ...YES_OR_NO, askAgainTimes: 2 });
		await text('hm');

		const again = await visit(instance, request, waiting, lastPassed());
		const atOnce = await Promise.all([
			visit(instance, request, waiting, lastPassed()),
			visit(instance, request, waiting, lastPassed()),
		]);

		for (const { response, run } of [again, ...atOnce]) {
			expect(response.body).toEqual({ answered: false, waits: true });
			expect(run).toBeUndefined();
		}
		expect(await sent()).toHaveLength(2);
	});

	test.each([
		['before the customer was asked again', 1],
		['after the customer was asked again', 0],
	])('asks again once when n8n was killed %s', async (_, more) => {
		await ask({ ...YES_OR_NO, askAgainTimes: 1 });
		await text('hm');
		const memory = new ProcessMemory();
		const questions = savedField(live.staticData['node:Trigger'], 'questions') ?? [];
		memory.part(WaitingList).restore(questions);
		const next = askingInstance(trigger.credential, address.url, memory);
		if (more > 0) await trigger.service.control.post('/sandbox/reset', {});
		const before = (await sent()).length;

		const { response, run } = await visit(next, request, waiting, lastPassed());

		expect(response.body).toEqual({ answered: false, waits: true });
		expect(run).toBeUndefined();
		expect(await sent()).toHaveLength(before + more);
	});

	test('does not count against the next text that comes while it is answered', async () => {
		await ask(YES_OR_NO);
		await trigger.service.fault('/v1/send-message', 'slow');

		await Promise.all([
			trigger.text('oops'),
			pause(50).then(async () => await trigger.text('yes')),
		]);
		await live.waitForRuns(2);

		expect(continued?.json(ASK)).toEqual([expect.objectContaining({ content: 'yes' })]);
		expect(itemsOf(live)).toEqual([]);
	});

	test('is saved with the trigger before the customer is asked again', async () => {
		await ask(YES_OR_NO);

		await text('hm');

		const questions = savedField(live.staticData['node:Trigger'], 'questions') ?? [];
		expect(questions.map(({ askedAgain }) => askedAgain?.texts.length)).toEqual([1]);
	});

	test('ends the question when the service says that the customer has opted out', async () => {
		await ask(YES_OR_NO);
		await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: true });

		await text('hm');

		expect(continued?.json(ASK, 1)).toEqual([
			expect.objectContaining({ answered: false, reason: 'optedOut', content: 'hm' }),
		]);
	});
});

describe('a question that cannot be answered so is refused before it is sent:', () => {
	test.each([
		['no word for yes', { ...YES_OR_NO, yesWords: ' , ' }, 'Words for Yes is empty'],
		['no word for no', { ...YES_OR_NO, noWords: '?!' }, 'Words for No is empty'],
		['a word for both', { ...YES_OR_NO, noWords: 'no, OK' }, '“ok” means both yes and no'],
		[
			'one choice',
			{ ...CHOICE, choices: 'Friday' },
			'Choices needs at least two entries, and has one',
		],
		[
			'more choices than letters',
			{ ...CHOICE, choices: Array.from({ length: 27 }, (_, at) => `Day ${at}`) },
			'Choices has 27 entries, and takes at most 26',
		],
		[
			'two choices of one name',
			{ ...CHOICE, choices: 'Friday, friday!' },
			'“friday!” cannot be chosen by its name',
		],
		[
			'a choice without a name',
			{ ...CHOICE, choices: 'Friday, ?' },
			'“?” cannot be chosen by its name',
		],
		['nothing to ask again', { ...YES_OR_NO, askAgainText: ' ' }, 'Ask Again With is empty'],
		[
			'an object to ask again',
			{ ...YES_OR_NO, askAgainText: '={{ {a: 1} }}' },
			'Ask Again With is an object, and not a text',
		],
		[
			'a part of a time',
			{ ...YES_OR_NO, askAgainTimes: 1.5 },
			'Ask Again (Times) is not a number of times',
		],
	])('%s', async (_, parameters, message) => {
		const run = await ask(parameters as INodeParameters);

		expect(run.error?.message).toBe(`${message}`);
		expect(await sent()).toEqual([]);
	});
});

describe('a customer who opts out while a question waits', () => {
	test.each([
		['text', {}],
		['text, of which some are understood', YES_OR_NO],
		['buttons', { responseType: 'approval' }],
	])('ends it at once, by %s', async (_, parameters) => {
		await ask({ ...parameters, limitWaitTime: true });

		await text('STOP');

		expect(continued?.items(ASK, 0)).toEqual([]);
		expect(continued?.json(ASK, 1)).toEqual([
			expect.objectContaining({
				answered: false,
				reason: 'optedOut',
				content: 'STOP',
				question: expect.objectContaining({ content: 'Can we come at 10?' }) as object,
			}),
		]);
		expect(itemsOf(live)).toEqual([expect.objectContaining({ content: 'STOP' })]);
	});

	test('does not end a question of a node of version 1, which goes on waiting as it did', async () => {
		await ask({}, { typeVersion: 1 });

		await text('STOP');
		expect(continued).toBeUndefined();
		await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: false });
		await text('yes');

		expect(continued?.json(ASK)).toEqual([expect.objectContaining({ content: 'yes' })]);
	});
});

describe('a customer who had opted out before', () => {
	test.each([['reply'], ['approval']])(
		'is not asked by %s, and the workflow goes on at the second output where the node says so',
		async (responseType) => {
			await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: true });

			const run = await ask({ responseType, options: { ifOptedOut: 'skip' } });

			expect(run.status).toBe('success');
			expect(run.items(ASK, 0)).toEqual([]);
			expect(run.json(ASK, 1)).toEqual([
				{
					answered: false,
					reason: 'optedOut',
					question: expect.objectContaining({ status: 'SKIPPED' }) as object,
				},
			]);
			expect(await sent()).toEqual([]);
			await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: false });
			await text('hello');
			expect(itemsOf(live)).toEqual([expect.objectContaining({ content: 'hello' })]);
		},
	);
});

describe('a question that could not be sent', () => {
	test.each([['reply'], ['approval']])(
		'by %s ends when the event of its message comes',
		async (responseType) => {
			const outbound = await trigger.serve({ events: ['outbound'] }, {}, { id: 'other' });
			await outbound.activate();
			await failNext();

			await ask({ responseType });
			await trigger.delivered();
			await outbound.waitForRuns(1);

			expect(continued?.json(ASK, 1)).toEqual([
				expect.objectContaining({
					answered: false,
					reason: 'failed',
					question: expect.objectContaining({
						status: 'ERROR',
						error_message: 'No such number',
						content: 'Can we come at 10?',
					}) as object,
				}),
			]);
		},
	);

	test('is told from another message to the same customer that could not be sent', async () => {
		const parametersOfOther = { events: ['outbound'], filters: { outcome: 'failed' } };
		const outbound = await trigger.serve(parametersOfOther, {}, { id: 'other' });
		await outbound.activate();
		await ask();
		await failNext();
		const parameters = { resource: 'message', operation: 'send', number: ANNA, content: 'News' };
		await trigger.service.run({ parameters });
		await trigger.delivered();
		await outbound.waitForRuns(1);

		expect(passed).toEqual([expect.objectContaining({ ends: 'failed' })]);
		expect(continued).toBeUndefined();
		await text('yes');
		expect(continued?.json(ASK)).toEqual([expect.objectContaining({ content: 'yes' })]);
	});
});
