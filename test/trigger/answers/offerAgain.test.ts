import type { IExecuteFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../../nodes/TwoWayMessaging/processMemory';
import { offerAgain } from '../../../nodes/TwoWayMessaging/trigger/answers/offerAnswers';
import type { AnswerHandover } from '../../../nodes/TwoWayMessaging/trigger/handover';
import { triggerCall } from '../../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { WaitingList } from '../../../nodes/TwoWayMessaging/waiting/waitingList';
import { TestClock } from '../../support/testClock';

const ANSWER: AnswerHandover = {
	kind: 'answer',
	name: 'receive:m1',
	isMissed: false,
	output: {},
	account: 'a',
	message: { message_handle: 'm1', from: '+15551230001', content: 'yes' },
	mayStart: true,
};
const ARRIVAL = { item: { json: {} }, handover: ANSWER, index: 0 };

/** Offers an answer that has begun before to executions, of which none waits but these. */
const again = async (tokens: string[], recorded: string[], fails = false) => {
	const memory = new ProcessMemory(new TestClock());
	const passedTo: unknown[] = [];
	const caller = {
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id: 'n', name: 'Trigger' }),
		logger: { debug: () => {}, warn: () => {} },
		helpers: {
			httpRequest: async ({ body }: { body: { token: string } }) => {
				passedTo.push(body.token);
				return { statusCode: 200, body: { answered: true } };
			},
		},
	} as unknown as IExecuteFunctions;
	memory.part(WaitingList).restore(
		tokens.map((token, at) => ({
			account: 'a',
			number: '+15551230001',
			resumeUrl: `https://n8n.example/${token}`,
			token,
			askedAtMs: at,
		})),
	);
	const names = new Set(recorded);
	const left = await offerAgain(triggerCall(caller, memory), [ARRIVAL], async (name) => {
		if (fails) throw new Error('The database is away');
		return !names.has(name) && names.add(name).size > 0;
	});
	return { passedTo, left };
};

test('an answer that n8n was killed with before it was passed anywhere goes to the question asked last', async () => {
	expect(await again(['old', 'new'], [])).toEqual({ passedTo: ['new'], left: [] });
});

test('an answer for which no execution waits any more starts the workflow', async () => {
	expect(await again([], [])).toEqual({ passedTo: [], left: [ARRIVAL] });
});

test('an answer that was about to be passed to an older question goes there', async () => {
	const recorded = ['receive:m1#old'];
	expect(await again(['old', 'new'], recorded)).toEqual({ passedTo: ['old'], left: [] });
});

test('an answer that is settled, or of which nothing can be told, goes nowhere', async () => {
	const nowhere = { passedTo: [], left: [] };
	expect(await again(['one'], ['receive:m1#settled'])).toEqual(nowhere);
	expect(await again(['one'], [], true)).toEqual(nowhere);
});
