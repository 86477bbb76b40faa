import type { INodeParameters } from 'n8n-workflow';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import type { Instance } from '../support/instance';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { fastMemory, SkippingClock } from '../support/testClock';
import { serviceInEachTest } from '../support/service';
import { HOUR_MS, MINUTE_MS } from '../support/times';
import { endWait, visit, type Visit } from '../support/waits';
import { ASK, askingInstance, askingTwice, askingWorkflow } from './askingWorkflow';

const QUESTION = {
	responseType: 'approval',
	number: '={{ $json.number }}',
	content: '=Can we come at 10, {{ $json.name }}?',
};
const ANNA = { number: '+15551230001', name: 'Anna' };
const LIMITED = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'hours' };

const N8N = 'http://localhost:5678';

const service = serviceInEachTest(() => ({ memory: fastMemory() }));
let instance: Instance;

beforeEach(() => {
	instance = askingInstance(service.credential(), N8N, service.memory);
});

const requestOf = (
	parameters: INodeParameters = {},
	items: object[] = [ANNA],
	node: object = {},
): RunRequest => ({
	...askingWorkflow({ ...QUESTION, ...parameters }, node),
	items: items.map((json) => ({ json: { ...json } })),
});

const ask = async (request: RunRequest = requestOf()): Promise<Run> =>
	await runWorkflow(instance, request);

/** Visits the link of the question that was sent last, unless another URL is given. */
const answer = async (waiting: Run, visited: Visit, request = requestOf()) => {
	const last = (await service.accepted()).at(-1)?.content ?? '';
	return await visit(instance, request, waiting, { url: linkOf(last), ...visited });
};

const press = async (decision: string, waiting: Run, request = requestOf(), url?: string) =>
	await answer(waiting, { method: 'POST', body: { decision }, ...(url && { url }) }, request);

const linkOf = (content: string) => /\n(http\S+)$/.exec(content)?.[1] ?? '';

/** The link with the name of another question in it, as an earlier question of the execution has one. */
const withOtherQuestion = (row?: { content?: string | null }) => {
	const url = new URL(linkOf(row?.content ?? ''));
	url.searchParams.set('question', 'another');
	return url.href;
};

/** What a person reads on a page, and in the browser's title first. */
const wordsOn = ({ response }: { response: { body?: unknown } }) =>
	String(response.body)
		.replace(/<style>[\s\S]*<\/style>/, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();

describe('asking', () => {
	test('sends the question with one signed link, which stands nowhere else, and the execution waits', async () => {
		const waiting = await ask();

		expect(waiting.status).toBe('waiting');
		// The editor would show an item as an answer.
		expect(waiting.json(ASK)).toEqual([]);
		expect(JSON.stringify(waiting.saved)).not.toContain('signature=');
		const [row, ...others] = await service.accepted();
		expect(others).toEqual([]);
		expect(row?.to).toBe(ANNA.number);
		expect(row?.content).toMatch(/^Can we come at 10, Anna\?\n\nAnswer here:\nhttp/);
		const { pathname, search } = new URL(linkOf(row?.content ?? ''));
		expect(pathname).toBe(`/webhook-waiting/${waiting.executionId}/${ASK}`);
		expect(search).toMatch(/^\?question=[\w-]{12}&signature=[0-9a-f]{64}$/);
	});

	test('keeps the link out of what Get Conversation reads, as an AI agent may repeat it', async () => {
		await ask();
		const parameters = {
			...{ resource: 'message', operation: 'getConversation' },
			...{ with: 'number', number: ANNA.number },
		};

		const { json } = await runWorkflow(instance, {
			nodes: [{ type: 'twoWayMessaging', name: 'Read', parameters }],
		});

		const said = 'Can we come at 10, Anna?\n\nAnswer here:\n[answer link]';
		expect(json('Read')).toMatchObject([{ messages: [{ content: said }] }]);
		expect(JSON.stringify(json('Read'))).not.toContain('signature');
	});

	test('waits for ever without a time limit, and as long as the limit says with one', async () => {
		expect((await ask()).waitTill?.getUTCFullYear()).toBe(3000);
		const limited = await ask(requestOf(LIMITED));
		const leftMs = (limited.waitTill?.getTime() ?? 0) - Date.now();
		expect(leftMs).toBeGreaterThan(119 * MINUTE_MS);
		expect(leftMs).toBeLessThanOrEqual(120 * MINUTE_MS);
	});

	test('Retry On Fail never asks twice', async () => {
		await service.fault('/v1/send-message', 'reset-after');
		const waiting = await ask(requestOf({}, [ANNA], { retryOnFail: true, maxTries: 3 }));
		expect(waiting.status).toBe('waiting');
		expect(await service.accepted()).toHaveLength(1);
	});

	test.each([
		['more than one item', {}, /One question can be asked at a time/, [ANNA, ANNA]],
		['an empty text', { content: ' ' }, /There is no question/, [ANNA]],
		['no number', { number: '=' }, /Phone Number is empty/, [ANNA]],
		['a limit of nothing', { ...LIMITED, resumeAmount: 0 }, /Wait at Most is not a time/, [ANNA]],
		[
			'a limit that is none',
			{ ...LIMITED, resumeAmount: '60 s' },
			/Wait at Most is “60 s”/,
			[ANNA],
		],
	])('is refused with %s, and nothing is sent', async (_, parameters, message, items) => {
		const run = await ask(requestOf(parameters, items));
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(message);
		expect(await service.rows()).toEqual([]);
	});

	test('a refusal of the service ends the execution, which does not wait', async () => {
		await service.customer(ANNA.number, { opted_out: true });

		const run = await ask(requestOf({ options: { ifOptedOut: 'fail' } }));

		expect(run.status).toBe('error');
		expect(run.error?.message).toBe('The customer has opted out of messages');
		expect(run.error).toMatchObject({
			description: expect.stringContaining('go on at the output No Answer') as string,
		});
	});
});

describe('the page behind the link', () => {
	test('asks before it counts: a preview that fetches the link does not answer', async () => {
		const waiting = await ask();
		const { response, run } = await answer(waiting, { method: 'GET' });
		expect(run).toBeUndefined();
		expect(response.status).toBe(200);
		expect(wordsOn({ response })).toContain('Can we come at 10, Anna? Yes No');
	});

	test.each([
		['approve', 'Yes', [0, 1, 2]],
		['decline', 'No', [1, 0, 2]],
	])('to %s lets the execution continue at its own output, with “%s”', async (...row) => {
		const [decision, content, [output, ...others]] = row;
		const request = requestOf(LIMITED);

		const { response, run } = await press(decision, await ask(request), request);

		expect(response.body).toContain(`You have answered: ${content}`);
		expect(run?.status).toBe('success');
		expect(others.map((other) => run?.items(ASK, other))).toEqual([[], []]);
		const { from, question } = { from: ANNA.number, question: 'Can we come at 10, Anna?' };
		expect(run?.items(ASK, output)).toEqual([
			{
				json: {
					...{ answered: true, approved: content === 'Yes', from, content },
					answered_at: expect.any(String) as string,
					question: expect.objectContaining({ content: question }) as object,
				},
				pairedItem: expect.objectContaining({ item: 0 }) as object,
			},
		]);
	});

	test('says nothing but what the options say, in whatever language', async () => {
		const options = {
			linkWords: 'Hier antworten:',
			pageHeading: 'Ihre Antwort, bitte',
			pageThanks: 'Danke!\n„{answer}“ ist angekommen.',
			pageOver: 'Vorbei.',
		};
		const request = requestOf({ approveLabel: 'Ja', declineLabel: '$& Nein', options });
		const waiting = await ask(request);

		const [row] = await service.accepted();
		expect(row?.content).toContain('Anna?\n\nHier antworten:\nhttp');
		const asking = await answer(waiting, { method: 'GET' }, request);
		const over = await answer(waiting, { method: 'GET', url: withOtherQuestion(row) }, request);
		const thanks = await press('decline', waiting, request);
		expect(wordsOn(asking)).toBe(
			'Ihre Antwort, bitte Ihre Antwort, bitte Can we come at 10, Anna? Ja $&#38; Nein',
		);
		expect(wordsOn(over)).toBe('Vorbei. Vorbei.');
		expect(wordsOn(thanks)).toBe(
			'Danke! Danke! Can we come at 10, Anna? „$&#38; Nein“ ist angekommen.',
		);
		for (const { response } of [asking, over, thanks]) {
			expect(response.body).toContain('<html>');
		}
	});

	test('counts one press: a second one, and whoever opens the page again, sees the first answer', async () => {
		const waiting = await ask();
		const presses = ['approve', 'decline'].map(async (one) => await press(one, waiting));
		const [first, second] = await Promise.all(presses);
		const seen = await answer(waiting, { method: 'GET' });

		expect(first?.run?.json(ASK)).toMatchObject([{ approved: true }]);
		for (const { response, run } of [second!, seen]) {
			expect(run).toBeUndefined();
			expect(response.status).toBe(200);
			expect(response.body).toContain('You have answered: Yes');
			expect(response.body).toContain('Can we come at 10, Anna?');
		}
	});

	test('counts a press again when n8n has not let the execution go on within half a minute', async () => {
		const waiting = await ask();
		await press('approve', waiting);
		const laterMs = Date.now() + 31_000;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => laterMs);

		const { run } = await press('decline', waiting);

		clock.mockRestore();
		expect(run?.json(ASK, 1)).toMatchObject([{ approved: false }]);
	});

	test.each([[{}], [{ decision: 'perhaps' }], [undefined]])(
		'asks again when the posted decision is not one of its buttons: %j',
		async (body) => {
			const { response, run } = await answer(await ask(), { method: 'POST', body });
			expect(run).toBeUndefined();
			expect(response.status).toBe(400);
			expect(response.body).toContain('>Yes</button>');
		},
	);
});

describe('the time limit', () => {
	test('without an answer the execution continues at the second output, linked to its item', async () => {
		const request = requestOf(LIMITED);

		const run = await endWait(instance, request, await ask(request));

		expect(run.status).toBe('success');
		expect(run.items(ASK, 0)).toEqual([]);
		expect(run.json(ASK, 2)).toEqual([
			{
				answered: false,
				reason: 'timeLimit',
				question: expect.objectContaining({ content: 'Can we come at 10, Anna?' }) as object,
			},
		]);
		const { pairedItem } = run.items(ASK, 2)[0] ?? {};
		const { input = 0 } = pairedItem as { input?: number };
		expect(run.data[ASK]?.[0]?.source[input]).toMatchObject({ previousNode: 'Start' });
		expect(await service.accepted()).toHaveLength(1);
	});

	test('runs from when the question was accepted, however long the service’s limits have kept it', async () => {
		const clock = new SkippingClock(Date.now());
		await service.fault('/v1/send-message', 'refuse-429', 1, { retry_after_seconds: 600 });
		const later = askingInstance(service.credential(), N8N, new ProcessMemory(clock));
		const startedMs = clock.ms;

		const { waitTill } = await runWorkflow(later, requestOf(LIMITED));

		const waitedMs = (waitTill as Date).getTime() - startedMs - 2 * HOUR_MS;
		expect(waitedMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
	});
});

describe('several questions of one execution', () => {
	const twice = (parameters: INodeParameters = {}) =>
		askingTwice(requestOf({ content: '=Question {{ $runIndex }}', ...parameters }));

	const links = async () => (await service.accepted()).map(({ content }) => linkOf(content));

	/** Lets the first question be over; returns the execution that waits for the second. */
	const askTwice = async (request: RunRequest, end: 'answered' | 'time over'): Promise<Run> => {
		const first = await ask(request);
		const second =
			end === 'answered'
				? (await press('approve', first, request)).run
				: await endWait(instance, request, first);
		expect(second?.status).toBe('waiting');
		return second!;
	};

	test.each([
		['answered', {}],
		['time over', LIMITED],
	] as const)(
		'%s: its link shows that it is over, and each answers its own alone',
		async (end, limit) => {
			const request = twice(limit);
			const waiting = await askTwice(request, end);
			const [old = '', current = ''] = await links();
			const [one, other] = [old, current].map((url) => new URL(url).searchParams);
			for (const name of ['question', 'signature']) {
				expect(one?.get(name)).not.toBe(other?.get(name));
			}

			const seen = await answer(waiting, { method: 'GET', url: old }, request);
			const pressed = await press('approve', waiting, request, old);

			for (const { response, run } of [seen, pressed]) {
				expect(run).toBeUndefined();
				expect(response.status).toBe(410);
				expect(response.body).toContain('This question is over');
				expect(response.body).not.toContain('Question 1');
			}
			const shown = await answer(waiting, { method: 'GET', url: current }, request);
			const { run } = await press('decline', waiting, request);
			expect(shown.response.body).toContain('Question 1');
			expect(run?.json(ASK, 1)).toMatchObject([{ approved: false }]);
		},
	);

	test('a link without the name of its question answers nothing', async () => {
		const url = 'https://n8n.example/webhook-waiting/1/Ask';
		const { response, run } = await press('approve', await ask(), requestOf(), url);
		expect([run, response.status]).toEqual([undefined, 410]);
	});
});

test('a node that is named with braces is answered like every other', async () => {
	const name = 'Ask "Anna" {{ 1 }} now';
	const request = requestOf({}, [ANNA], { name });
	request.connections = { Start: { main: [[{ node: name, type: 'main', index: 0 }]] } };

	const { run } = await press('approve', await ask(request), request);

	expect(run?.json(name)).toMatchObject([{ approved: true }]);
});

test('a page that only this machine could open is not offered to customers of a service elsewhere', async () => {
	const credential = service.credential({ baseUrl: 'http://messaging.invalid' });
	const askThrough = async (url: string) =>
		(await runWorkflow(askingInstance(credential, url, service.memory), requestOf())).error;
	expect(await askThrough(N8N)).toMatchObject({
		message: 'The page with the buttons could only be opened on the machine that n8n runs on',
		description: expect.stringContaining('WEBHOOK_URL') as string,
	});
	expect((await askThrough('https://n8n.example'))?.message).toMatch(/^The service cannot be/);
});
