import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import type { Caller } from '../../nodes/TwoWayMessaging/transport/request';
import { saveWithTriggers } from '../../nodes/TwoWayMessaging/waiting/announceToAll';
import { Listeners } from '../../nodes/TwoWayMessaging/waiting/listeners';
import type { Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { TestClock } from '../support/testClock';

const QUESTION: Question = {
	account: 'a',
	number: '+15551230001',
	resumeUrl: 'https://n8n.example/one',
	token: 'one',
	askedAtMs: 0,
};

let memory: ProcessMemory;
/** Whether each trigger answers that n8n has saved the question, by its URL; absent for one that is not reached. */
let isKept: Record<string, boolean>;
let posted: string[];
let warnings: string[];

beforeEach(() => {
	memory = new ProcessMemory(new TestClock());
	memory.part(WaitingList).restore([QUESTION]);
	isKept = {};
	posted = [];
	warnings = [];
});

/** Saves what has changed about the question with triggers at these URLs. */
const save = async (...urls: string[]) => {
	for (const url of urls) memory.part(Listeners).add(url, { account: 'a', url });
	const caller = {
		getNode: () => ({ name: 'Trigger' }),
		getCredentials: async () => await Promise.resolve({ apiSecret: 'secret_abc' }),
		logger: { debug: () => {}, warn: (line: string) => warnings.push(line) },
		helpers: {
			httpRequest: async ({ url }: { url: string }): Promise<Partial<IN8nHttpFullResponse>> => {
				posted.push(url);
				const kept = isKept[url];
				return await Promise.resolve(
					kept === undefined
						? { statusCode: 404, body: {} }
						: { statusCode: 200, body: { isKept: kept } },
				);
			},
		},
	} as unknown as Caller;
	await saveWithTriggers({ caller, clock: memory.clock, memory }, QUESTION);
};

test('what a text did to a question is said in the log where no trigger has saved it', async () => {
	isKept = { first: false };
	await save('first', 'away');
	expect(warnings).toEqual([
		'Trigger: could not save what a text did to a question; if n8n restarts, the text may count once more',
	]);
	expect(posted.filter((url) => url === 'first')).toHaveLength(5);
});

test('one trigger that has saved it is enough, as all of them share one list', async () => {
	isKept = { first: false, second: true };
	await save('first', 'second');
	expect(warnings).toEqual([]);
});

test('a question that has ended is announced once, as then no trigger has anything to save of it', async () => {
	isKept = { first: false };
	memory.part(WaitingList).remove(QUESTION);
	await save('first');
	expect([posted, warnings]).toEqual([['first'], []]);
});
