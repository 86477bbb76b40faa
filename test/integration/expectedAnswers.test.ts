import type { INodeParameters } from 'n8n-workflow';
import { readSaved } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import type { Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import type { Instance } from '../support/instance';
import { ANNA, FRONT_DESK, SUPPORT } from '../support/service';
import { fastMemory } from '../support/testClock';
import { visit } from '../support/waits';
import { waitUntil } from '../support/waitUntil';
import { ASK, askingInstance, askingWorkflow, startAddress } from './askingWorkflow';
import type { LiveProcess } from './triggerProcess';
import { TriggerService } from './triggerService';

const QUESTION = 'Can we come at 10?';
const YES_OR_NO = { expected: 'yesOrNo' };
const CHOICE = {
	expected: 'choice',
	content: 'When shall we come?',
	choices: 'Friday at 10\nMonday at 2',
};
const APPROVAL = { responseType: 'approval' };

let trigger: TriggerService;
let instance: Instance;
let n8n: LiveProcess;
/** The server at which executions wait. It lets them go on as n8n does. */
let address: Awaited<ReturnType<typeof startAddress>>;
/** The execution that waits, what it was started with, and how it went on. */
let waiting: Run;
let request: RunRequest;
let continued: Run | undefined;
/** The place of its output *No Answer*. */
let noAnswer: number;

beforeEach(async () => {
	trigger = await TriggerService.start();
	continued = undefined;
	address = await startAddress(async (passed, url) => {
		if (!url.includes(`/${waiting.executionId}/`)) return { status: 404 };
		if (continued) return { status: 409, body: { message: 'has finished' } };
		const { response, run } = await pass(passed, url);
		continued = run;
		return { status: response.status, body: response.body };
	});
	const { service } = trigger;
	instance = askingInstance(service.credential(), address.url, service.memory);
	n8n = await trigger.listen({ filters: { optOutWords: 'include' } });
});

afterEach(async () => {
	await trigger.stop();
	await address.stop();
});

/** Passes a text to the execution that waits, in this n8n or in another one. */
const pass = async (body: unknown, url: string, n8n = instance) =>
	await visit(n8n, request, waiting, { method: 'POST', body, url });

const ask = async (parameters: INodeParameters = {}): Promise<Run> => {
	request = askingWorkflow(parameters);
	noAnswer = parameters.expected || parameters.responseType === 'approval' ? 2 : 1;
	return (waiting = await runWorkflow(instance, request));
};

/** What the execution went on with at an output. */
const wentOn = (output = 0) => continued?.json(ASK, output);

/** The execution has gone on at its output for no answer, and at no other, and the item says why. */
const expectNoAnswer = (reason: string, more: object = {}) => {
	const item = expect.objectContaining({ answered: false, reason, ...more }) as object;
	expect([wentOn(), wentOn(noAnswer)]).toEqual([[], [item]]);
	expect(wentOn(noAnswer)?.[0]).not.toHaveProperty('approved');
};

const sent = async () => (await trigger.service.accepted()).map(({ content }) => content);

/** Passes the text that was passed last once more. */
const passAgain = async (n8n = instance) => {
	const { path, query } = address.requests.at(-1) ?? {};
	return await pass(address.passed.at(-1), `${address.url}${path}?${String(query)}`, n8n);
};

const savedQuestions = () =>
	readSaved({ getWorkflowStaticData: () => n8n.database.staticData }, 'questions') ?? [];
const lastQuestion = () => savedQuestions().at(-1) ?? ({} as Partial<Question>);

const setOptedOut = async (opted_out: boolean) =>
	await trigger.service.customer(ANNA, { opted_out });

describe('a yes or a no by text', () => {
	test.each<[string, boolean, INodeParameters]>([
		['Yes, please', true, {}],
		['Nope', false, {}],
		['Yes, see you Friday at 10', true, { content: 'Will you come on Friday at 10?' }],
		['¡Sí!', true, { yesWords: 'claro, sí', noWords: ['nunca'] }],
	])(
		'%j lets the workflow go on at its own output, with approved %s, and with the text',
		async (content, approved, parameters) => {
			await ask({ ...YES_OR_NO, ...parameters });
			await trigger.text(content);
			const answer = { answered: true, approved, content, from: ANNA };
			const item = expect.objectContaining(answer) as object;
			const outputs = [0, 1, 2].map(wentOn);
			expect(outputs).toEqual(approved ? [[item], [], []] : [[], [item], []]);
			expect(n8n.items).toEqual([]);
		},
	);
});

describe('one of a list by text', () => {
	const ELEVEN = Array.from({ length: 11 }, (_, at) => (at === 4 ? 'Monday at 2' : `Day x${at}`));

	test.each([
		['monday at 2, please', CHOICE.choices, 1, 1],
		['2.', CHOICE.choices, 1, 1],
		['b', 'Thursday\nMonday at 2\nFriday', 1, 1],
		['Monday at 2', '={{ ["Friday", "Monday at 2"] }}', 0, 1],
		['Monday at 2', ELEVEN.join('\n'), 0, 4],
	])(
		'%j goes on at the output of its choice, or at the first one where they have none: %j',
		async (content, choices, output, index) => {
			await ask({ ...CHOICE, choices });
			await trigger.text(content);
			const answer = { choice: 'Monday at 2', choice_index: index, content };
			const item = expect.objectContaining(answer) as object;
			for (let at = 0; at < 12; at += 1) {
				expect(wentOn(at) ?? []).toEqual(at === output ? [item] : []);
			}
		},
	);

	test.each([
		['Friday at 10\nMonday at 2', 'When?', 'When?\n\n1. Friday at 10\n2. Monday at 2'],
		['={{ ["Tea, black", "Coffee"] }}', 'What?', 'What?\n\n1. Tea, black\n2. Coffee'],
		['Tea, Coffee', 'What?', 'What?\n\n1. Tea\n2. Coffee'],
		['2 people, 4 people', 'How many?', 'How many?\n\nA. 2 people\nB. 4 people'],
		['Friday, Monday', 'Friday, or Monday?', 'Friday, or Monday?'],
	])(
		'%j goes out with the choices and their numbers, unless the text names all of them',
		async (choices, content, asked) => {
			await ask({ ...CHOICE, choices, content });
			expect(await sent()).toEqual([asked]);
		},
	);
});

describe('a text that is not understood', () => {
	test('is answered with a text of its own and the choices, and the execution goes on waiting', async () => {
		await ask({ ...CHOICE, askAgainText: 'Please choose:' });
		await trigger.text('Who are you?');
		expect((await sent()).at(-1)).toBe('Please choose:\n\n1. Friday at 10\n2. Monday at 2');
		expect([continued, n8n.items]).toEqual([undefined, []]);
		await trigger.text('2');
		const content = 'Who are you?\n2';
		expect(wentOn(1)).toEqual([expect.objectContaining({ choice: 'Monday at 2', content })]);
	});

	test('is answered from the line that the customer texted', async () => {
		await ask(YES_OR_NO);
		const { token, resumeUrl = '' } = lastQuestion();
		const message = { message_handle: 'm1', from: ANNA, content: 'hm' };
		await pass({ token, message: { ...message, line_handle: SUPPORT.handle } }, resumeUrl);
		const rows = await trigger.service.rows();
		expect(rows).toHaveLength(2);
		expect(rows[1]?.from).toBe(SUPPORT.number);
	});

	test.each([
		[{ askAgainTimes: 0 }, 1],
		[{ askAgainTimes: 2 }, 3],
		[{ ifNotUnderstood: 'take' }, 1],
	])(
		'ends the question where the node asks no more, with all that was written, with %j',
		async (parameters, texts) => {
			await ask({ ...YES_OR_NO, ...parameters });
			for (let count = 1; count <= texts; count += 1) await trigger.text(`hm ${count}`);
			expect(await sent()).toHaveLength(texts);
			const question = expect.objectContaining({ content: QUESTION }) as object;
			const all = Array.from({ length: texts }, (_, at) => `hm ${at + 1}`).join('\n');
			expectNoAnswer('notUnderstood', { content: all, question });
			expect(n8n.items).toEqual([]);
		},
	);

	test('asks again once, however often it is passed', async () => {
		await ask({ ...YES_OR_NO, askAgainTimes: 2 });
		await trigger.text('hm');
		const again = await passAgain();
		const atOnce = await Promise.all([passAgain(), passAgain()]);
		for (const { response, run } of [again, ...atOnce]) {
			expect([response.body, run]).toEqual([{ answered: false, waits: true }, undefined]);
		}
		expect(await sent()).toHaveLength(2);
	});

	test.each([
		['before', 1],
		['after', 0],
	])('asks again once when n8n was killed %s the customer was asked again', async (_, more) => {
		await ask({ ...YES_OR_NO, askAgainTimes: 1 });
		await trigger.text('hm');
		const memory = fastMemory();
		memory.part(WaitingList).restore(savedQuestions());
		if (more > 0) await trigger.service.control.post('/sandbox/reset', {});
		const before = (await sent()).length;
		const next = askingInstance(trigger.service.credential(), address.url, memory);
		const { response, run } = await passAgain(next);
		expect([response.body, run]).toEqual([{ answered: false, waits: true }, undefined]);
		expect(await sent()).toHaveLength(before + more);
	});

	test('is in the item when the time is over, and ends the question no earlier', async () => {
		const limit = { ...YES_OR_NO, limitWaitTime: true, resumeAmount: 1, askAgainTimes: 2 };
		await ask({ ...limit, resumeUnit: 'hours' });
		await trigger.text('Monday is better');
		await ask({ ...limit, resumeUnit: 'minutes' });
		let lastSeconds = () => {};
		const minute = new Promise<void>((resolve) => (lastSeconds = resolve));
		const sleep = jest.spyOn(trigger.service.memory.clock, 'sleep');
		sleep.mockImplementation(async (ms) => (ms > 30_000 ? await minute : undefined));
		await n8n.tick();
		for (const said of ['Not on Friday', 'Monday?']) await trigger.text(said);
		expect(address.passed).toHaveLength(3);
		lastSeconds();
		await waitUntil('the end', async () => continued);
		expectNoAnswer('notUnderstood', { content: 'Not on Friday\nMonday?', from: ANNA });
		expect(address.passed).toHaveLength(4);
	});

	test.each([
		['optedOut', 'the customer has opted out', async () => await setOptedOut(true)],
		[
			'notUnderstood',
			'its line is blocked',
			async () => await trigger.service.block(FRONT_DESK.handle),
		],
	])('ends the question as %s where the service says that %s', async (reason, _, refuse) => {
		await ask(YES_OR_NO);
		await refuse();
		await trigger.text('hm');
		expectNoAnswer(reason, { content: 'hm' });
	});
});

describe('a question that nobody could answer so is refused before it is sent', () => {
	const yesOrNo = (more: INodeParameters) => ({ ...YES_OR_NO, ...more });
	const oneOf = (choices: string | string[]) => ({ ...CHOICE, choices });
	const MANY = Array.from({ length: 27 }, (_, at) => `Day ${at}`);

	const REFUSED: Array<[string, INodeParameters]> = [
		['Languages has no choice “xx”', yesOrNo({ languages: ['xx'] })],
		['“Stop” cannot be one of the Choices', oneOf('Go on, Stop')],
		['“2” cannot be chosen by its name', oneOf('2, 4, 6')],
		['“B” cannot be chosen by its name', oneOf('B, C')],
		['“friday!” cannot be chosen by its name', oneOf('Friday, friday!')],
		['“?” cannot be chosen by its name', oneOf('Friday, ?')],
		['Choices takes 2 to 26 entries, and has 1', oneOf('Friday')],
		['Choices takes 2 to 26 entries, and has 27', oneOf(MANY)],
		['Ask Again With is empty', yesOrNo({ askAgainText: ' ' })],
		['Ask Again With is an object, and not a text', yesOrNo({ askAgainText: '={{ {a: 1} }}' })],
		['Ask Again (Times) is “-1”, and not a number from 0 up', yesOrNo({ askAgainTimes: -1 })],
	];

	test('with words of its own, whatever is wrong with it', async () => {
		for (const [message, parameters] of REFUSED) {
			expect((await ask(parameters)).error?.message).toBe(message);
		}
		expect(await sent()).toEqual([]);
	});
});

describe('a customer who opts out, or asks to be left alone, while a question waits', () => {
	test.each<[string, string, string, INodeParameters]>([
		['STOP', 'optedOut', 'out', { limitWaitTime: true }],
		['STOP', 'optedOut', 'out', APPROVAL],
		['stop texting me', 'optedOut', 'out?', YES_OR_NO],
		['STOP 🛑', 'optedOut', 'out?', APPROVAL],
		['Sorry, wrong number', 'wrongNumber', 'out?', CHOICE],
	])(
		'gets nothing more: %j ends it with the reason %s, and starts the workflow with consent %s',
		async (said, reason, consent, parameters) => {
			await ask(parameters);
			const before = await sent();
			await trigger.text(said);
			const asked = expect.stringContaining('come') as string;
			const question = expect.objectContaining({ content: asked }) as object;
			expectNoAnswer(reason, { content: said, question });
			expect(await sent()).toEqual(before);
			expect(n8n.items).toEqual([expect.objectContaining({ content: said, consent })]);
		},
	);
});

describe('a reaction', () => {
	test.each([
		['Liked “Can we come at 10?”', true],
		['👎 to “Can we come at 10?”', false],
	])('to the question answers it: %j', async (content, approved) => {
		await ask(YES_OR_NO);
		await trigger.text(content);
		expect(wentOn(approved ? 0 : 1)).toEqual([expect.objectContaining({ approved, content })]);
	});

	test.each(['👍', '👍🏽!', 'Ok.', 'Liked “Yes or no?”', 'Liked “Can we come at 10?”'])(
		'is no answer once the customer was asked again, as it may only say that this was read: %j',
		async (content) => {
			await ask({ ...YES_OR_NO, askAgainText: 'Yes or no?' });
			await trigger.text("Ok, but I can't come");
			await trigger.text(content);
			expect(await sent()).toEqual([QUESTION, 'Yes or no?']);
			expectNoAnswer('notUnderstood', { content: `Ok, but I can't come\n${content}` });
		},
	);

	test('that is neither yes nor no asks again', async () => {
		await ask({ ...YES_OR_NO, askAgainText: 'Yes or no?' });
		await trigger.text('Questioned “Can we come at 10?”');
		await trigger.text('yes');
		expect(await sent()).toEqual([QUESTION, 'Yes or no?']);
		expect(wentOn()).toEqual([expect.objectContaining({ approved: true })]);
	});

	test.each([[YES_OR_NO], [CHOICE], [{}]])(
		'to another message answers nothing, and starts the workflow as usual: %j',
		async (parameters) => {
			await ask(parameters);
			const before = await sent();
			await trigger.text('Loved “Your order is ready.”');
			expect(continued).toBeUndefined();
			expect(await sent()).toEqual(before);
			expect(n8n.items).toEqual([expect.objectContaining({ event: 'receive' })]);
		},
	);
});

test.each([{ responseType: 'reply' }, APPROVAL])(
	'a customer who had opted out is not asked, and the workflow goes on at No Answer: %j',
	async (parameters) => {
		await setOptedOut(true);
		continued = await ask(parameters);
		expect(continued.status).toBe('success');
		expectNoAnswer('optedOut', {
			question: expect.objectContaining({ status: 'SKIPPED' }) as object,
		});
		expect(await sent()).toEqual([]);
		await setOptedOut(false);
		await trigger.text('hello');
		expect(n8n.items).toEqual([expect.objectContaining({ content: 'hello' })]);
		expect(address.passed).toEqual([]);
	},
);

describe('a question that could not be sent', () => {
	beforeEach(async () => {
		n8n = await trigger.listen({ events: ['receive', 'outbound'] });
	});

	const failNext = async () =>
		await trigger.service.customer(ANNA, { fail_next: 'No such number' });

	test.each([{ responseType: 'reply' }, APPROVAL])(
		'ends when the event of its message comes: %j',
		async (parameters) => {
			await failNext();
			await ask(parameters);
			await waitUntil('the end', async () => continued);
			const failed = { status: 'ERROR', error_message: 'No such number', content: QUESTION };
			expectNoAnswer('failed', { question: expect.objectContaining(failed) as object });
		},
	);

	test('is told from another message to the same customer that could not be sent', async () => {
		await ask();
		await failNext();
		const parameters = { resource: 'message', operation: 'send', number: ANNA, content: 'News' };
		await trigger.service.run({ parameters });
		await waitUntil('the end', async () => address.passed[0]);
		expect(address.passed).toEqual([expect.objectContaining({ ends: 'failed' })]);
		expect(continued).toBeUndefined();
		await trigger.text('yes');
		expect(wentOn()).toEqual([expect.objectContaining({ content: 'yes' })]);
	});
});

test.each(CHARACTER_NAMES)(
	'with a service that is %s, an answer resumes its question once, and starts no execution',
	async (character) => {
		const { control } = trigger.service;
		await control.post('/sandbox/character', { character });
		await ask();
		// The customer takes longer to answer than the clock of any service may be behind.
		await control.post('/sandbox/clock', { advance_seconds: 300 });
		await trigger.text('yes, please');
		type Deliveries = { deliveries: Array<{ id: string }> };
		const { data } = await control.get<Deliveries>('/sandbox/deliveries');
		for (const { id } of data.deliveries) {
			await control.post(`/sandbox/deliveries/${id}/redeliver`);
		}
		await trigger.settled();
		await trigger.text('and a coffee');
		expect(n8n.items).toMatchObject([{ content: 'and a coffee' }]);
		expect(address.passed).toMatchObject([{ message: { content: 'yes, please' } }]);
		expect(continued?.items(ASK)).toMatchObject([
			{
				json: {
					...{ answered: true, content: 'yes, please', from: ANNA, is_outbound: false },
					...{ status: 'RECEIVED', question: { content: QUESTION } },
				},
				pairedItem: { item: 0 },
			},
		]);
	},
);
