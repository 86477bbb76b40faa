import type { INodeParameters } from 'n8n-workflow';
import { processMemory, ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import type { Instance } from '../support/instance';
import { savedField } from '../support/savedFields';
import { startStub } from '../support/stub';
import { waitUntil } from '../support/waitUntil';
import { visit } from '../support/waits';
import { ANNA, ASK, askingInstance, askingWorkflow } from './askingWorkflow';
import { itemsOf, TRIGGER, TriggerService } from './triggerWorkflow';

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
/** The place of its output *No Answer*. */
let noAnswer: number;
/** What executions were passed. */
let passed: Array<{ ends?: string; message: { content: string } }>;

beforeEach(async () => {
	trigger = await TriggerService.start({ memory: processMemory });
	passed = [];
	continued = undefined;
	address = await startStub(async ({ body, method, path, query }) => {
		// The node looks whether n8n can be reached.
		if (method === 'GET') return { status: 409 };
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
	instance = askingInstance(trigger.credential, address.url, trigger.service.memory);
	live = await trigger.serve({ filters: { optOutWords: 'include' } });
	await live.activate();
});

afterEach(async () => {
	await trigger.stop();
	await address.stop();
});

const ask = async (parameters: INodeParameters = {}): Promise<Run> => {
	request = askingWorkflow(parameters);
	const isYesOrNo = parameters.expected === 'yesOrNo' || parameters.responseType === 'approval';
	noAnswer = isYesOrNo ? 2 : 1;
	waiting = await runWorkflow(instance, request);
	return waiting;
};

/** The executions that ended so far, without those in which n8n only saves the questions. */
const received = () =>
	live.runs.filter(({ data }) => {
		const [hint] = data[TRIGGER]?.[0]?.hints ?? [];
		return !hint?.message.startsWith('Nothing came');
	});

/** Resolves when so many texts were received. */
const receive = async (count: number) =>
	await waitUntil('the execution', async () => received()[count - 1]);

/** A customer texts; resolves when the execution that receives the text has ended. */
const text = async (content: string, more: object = {}) => {
	const { length } = received();
	await trigger.text(content, more);
	await receive(length + 1);
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
		'%j lets the workflow go on at its own output, with approved %s, and with the text',
		async (content, approved) => {
			await ask(YES_OR_NO);

			await text(content);

			const item = expect.objectContaining({
				answered: true,
				approved,
				content,
				from: ANNA,
			}) as object;
			const outputs = [0, 1, 2].map((output) => continued?.json(ASK, output));
			expect(outputs).toEqual(approved ? [[item], [], []] : [[], [item], []]);
			expect(itemsOf(live)).toEqual([]);
		},
	);

	test('may name again the day that the question names', async () => {
		await ask({ ...YES_OR_NO, content: 'Will you come on Friday at 10?' });

		await text('Yes, see you Friday at 10');

		expect(continued?.json(ASK)).toEqual([expect.objectContaining({ approved: true })]);
	});

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
		['Friday at 10\nMonday at 2', 1],
		['Thursday\nMonday at 2\nFriday', 1],
		['={{ ["Friday", "Monday at 2"] }}', 0],
		[
			Array.from({ length: 11 }, (_, at) => (at === 4 ? 'Monday at 2' : `Day x${at}`)).join('\n'),
			0,
		],
	])(
		'goes on at the output of its choice, or at the first one where they have none: %j',
		async (choices, output) => {
			await ask({ ...CHOICE, choices });

			await text('Monday at 2');

			const item = expect.objectContaining({ choice: 'Monday at 2' }) as object;
			for (let at = 0; at < 12; at += 1) {
				expect(continued?.json(ASK, at) ?? []).toEqual(at === output ? [item] : []);
			}
		},
	);

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
		'ends the question at the output No Answer after asking again %i times',
		async (askAgainTimes, texts) => {
			await ask({ ...YES_OR_NO, askAgainTimes });

			for (let count = 1; count <= texts; count += 1) await text(`hm ${count}`);

			expect(await sent()).toHaveLength(askAgainTimes + 1);
			expect(continued?.items(ASK, 0)).toEqual([]);
			expect(continued?.json(ASK, noAnswer)).toEqual([
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

	test('ends the question at once where the node says so', async () => {
		await ask({ ...YES_OR_NO, ifNotUnderstood: 'take' });

		await text('maybe');

		const [item = {}] = continued?.json(ASK, noAnswer) ?? [];
		expect(item).toMatchObject({ answered: false, reason: 'notUnderstood', content: 'maybe' });
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

	test('ends the question when the service says that the customer has opted out', async () => {
		await ask(YES_OR_NO);
		await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: true });

		await text('hm');

		expect(continued?.json(ASK, noAnswer)).toEqual([
			expect.objectContaining({ answered: false, reason: 'optedOut', content: 'hm' }),
		]);
	});
});

describe('a question that cannot be answered so is refused before it is sent:', () => {
	test.each([
		[
			'no language and no words',
			{ ...YES_OR_NO, languages: [], yesWords: 'ja', noWords: '?!' },
			'There are no words for yes and no',
		],
		[
			'a language that is none',
			{ ...YES_OR_NO, languages: ['xx'] },
			'Languages has no choice “xx”',
		],
		[
			'a word for both',
			{ ...YES_OR_NO, yesWords: 'Oki', noWords: 'no, oki!' },
			'“Oki” means both yes and no',
		],
		[
			'a choice that says STOP',
			{ ...CHOICE, choices: 'Go on, Stop' },
			'“Stop” cannot be one of the Choices',
		],
		[
			'a choice that is the number of another',
			{ ...CHOICE, choices: '2, 4, 6' },
			'“2” cannot be chosen by its name',
		],
		[
			'a choice that is the letter of another',
			{ ...CHOICE, choices: 'B, C' },
			'“B” cannot be chosen by its name',
		],
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
			'fewer times than none',
			{ ...YES_OR_NO, askAgainTimes: -1 },
			'Ask Again (Times) is “-1”, and not a number from 0 up',
		],
	])('as nobody could give the answer: %s', async (_, parameters, message) => {
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
		expect(continued?.json(ASK, noAnswer)).toEqual([
			expect.objectContaining({
				answered: false,
				reason: 'optedOut',
				content: 'STOP',
				question: expect.objectContaining({ content: 'Can we come at 10?' }) as object,
			}),
		]);
		expect(itemsOf(live)).toEqual([expect.objectContaining({ content: 'STOP' })]);
	});
});

describe('a customer who asks to be left alone', () => {
	test.each([
		['stop texting me', 'optedOut', YES_OR_NO],
		['Please stop', 'optedOut', {}],
		['STOP 🛑', 'optedOut', { responseType: 'approval' }],
		['Sorry, wrong number', 'wrongNumber', CHOICE],
	])(
		'gets nothing more: %j ends the question with the reason %s',
		async (said, reason, parameters) => {
			await ask(parameters);
			const before = await sent();

			await text(said);

			const output = parameters === CHOICE ? 2 : noAnswer;
			expect(continued?.json(ASK, output)).toEqual([
				expect.objectContaining({ answered: false, reason, content: said }),
			]);
			expect(await sent()).toEqual(before);
			expect(itemsOf(live)).toEqual([expect.objectContaining({ content: said, consent: 'out?' })]);
		},
	);
});

describe('a reaction', () => {
	test.each([
		['Liked “Can we come at 10?”', true],
		['👎 to “Can we come at 10?”', false],
	])('to the question answers it: %j', async (content, approved) => {
		await ask(YES_OR_NO);

		await text(content);

		expect(continued?.json(ASK, approved ? 0 : 1)).toEqual([
			expect.objectContaining({ approved, content }),
		]);
	});

	test('to the text that asked again answers it, too, and what is neither yes nor no asks again', async () => {
		await ask({ ...YES_OR_NO, askAgainText: 'Yes or no?' });

		await text('Questioned “Can we come at 10?”');
		await text('Loved “Yes or no?”');

		expect(await sent()).toEqual(['Can we come at 10?', 'Yes or no?']);
		expect(continued?.json(ASK)).toEqual([expect.objectContaining({ approved: true })]);
	});

	test.each([[YES_OR_NO], [CHOICE], [{}]])(
		'to another message answers nothing, and starts the workflow as usual: %j',
		async (parameters) => {
			await ask(parameters);
			const before = await sent();

			await text('Loved “Your order is ready.”');

			expect(continued).toBeUndefined();
			expect(await sent()).toEqual(before);
			expect(itemsOf(live)).toEqual([expect.objectContaining({ event: 'receive' })]);
		},
	);
});

describe('a customer who had opted out before', () => {
	test.each([['reply'], ['approval']])(
		'is not asked by %s, and the workflow goes on at the output No Answer where the node says so',
		async (responseType) => {
			await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: true });

			const run = await ask({ responseType });

			expect(run.status).toBe('success');
			expect(run.items(ASK, 0)).toEqual([]);
			expect(run.json(ASK, noAnswer)).toEqual([
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

			expect(continued?.json(ASK, noAnswer)).toEqual([
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
