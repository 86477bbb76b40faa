import type { INodeProperties } from 'n8n-workflow';
import { parse } from 'yaml';
import { DELIVERY, REQUEST_LIMITS } from '../sandbox/src/serviceFacts';
import { NUMBERING_PLANS, type NumberingPlan } from '../nodes/TwoWayMessaging/numberingPlans';
import { phoneNumber } from '../nodes/TwoWayMessaging/phoneNumber';
import { KEPT_MS, MOST_KEPT } from '../nodes/TwoWayMessaging/action/sending/ledger';
import { summaryOf } from '../nodes/TwoWayMessaging/action/run';
import { readLinkWords, USUAL_PAGE_WORDS } from '../nodes/TwoWayMessaging/action/questions/page';
import {
	approveField,
	declineField,
} from '../nodes/TwoWayMessaging/action/questions/questionFields';
import { waitAtMostOption } from '../nodes/TwoWayMessaging/fields/readField';
import { USUAL_MEGABYTES } from '../nodes/TwoWayMessaging/service/downloadMedia';
import { PAGE_SIZE } from '../nodes/TwoWayMessaging/service/history';
import { consentIn, STOP_WORDS } from '../nodes/TwoWayMessaging/waiting/consent';
import { understandChoice, understandYesOrNo } from '../nodes/TwoWayMessaging/waiting/understand';
import { MOST_WAIT_MS } from '../nodes/TwoWayMessaging/trigger/inbox';
import { properties as triggerProperties } from '../nodes/TwoWayMessaging/trigger/properties';
import {
	CHECK_EVERY,
	MOST_COMBINE_SECONDS,
	MOST_RECOVER_HOURS,
	readTriggerSettings,
	type TriggerContext,
} from '../nodes/TwoWayMessaging/trigger/settings';
import { TOLERANCE_SECONDS } from '../nodes/TwoWayMessaging/trigger/verifySignature';
import { DATA_TABLES } from '../playground/dataTables';
import { HELP } from '../playground/options';
import { completeOptions } from '../sandbox/src/options';
import { numbersIn, read } from './support/files';
import { sectionsOf, tableRowsOf, textBelow } from './support/markdown';
import { OPERATIONS } from './support/operations';
import { DAY_MS, MINUTE_MS, SECOND_MS } from './support/times';

const NODE = 'nodes/TwoWayMessaging/';

const grouped = (count: number) => count.toLocaleString('en-US');
const inWords = (count: number) =>
	['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'][
		count
	] ?? grouped(count);

/** The words of a page in one line, so that a sentence is found wherever its lines break. */
const wordsOf = (page: string) => read(page).replace(/\s+/g, ' ');

const tableIn = (page: string, anchor: string) => tableRowsOf(textBelow(read(page), anchor));

function numberIn(file: string, name: string): number {
	const [number] = numbersIn([read(NODE + file)], name);
	if (number === undefined) throw new Error(`${file} has no number ${name}`);
	return number;
}

const HELD_NAMES = grouped(numberIn('n8n/processedData.ts', 'MOST_NAMES'));
const ENDS_SECONDS = numberIn('action/sending/once.ts', 'ENDS_WITHIN_MS') / SECOND_MS;
const SENT_ONCE = grouped(numberIn('action/sending/once.ts', 'MOST_SENT'));
const SEARCHED =
	numberIn('action/sending/once.ts', 'pageSize') * numberIn('action/sending/once.ts', 'mostPages');

const actionFields = (heading: string) =>
	OPERATIONS.find((operation) => operation.heading === heading)?.fields ?? [];
const actionDefault = (name: string, heading: string) =>
	actionFields(heading).find((field) => field.name === name)?.default;

const SAID: Record<string, string[]> = {
	'docs/send.md': [
		`*${summaryOf({ accepted: 118, 'opted out': 2, 'sent before': 0, 'not confirmed': 1 })}*`,
		`its last ${grouped(MOST_KEPT)} messages for up to ${KEPT_MS / DAY_MS} days`,
		`the last message of the list: ${waitAtMostOption.default} unless you change it`,
	],
	'docs/operations.md': [
		`among the newest ${PAGE_SIZE} messages`,
		`How long to wait for that: ${waitAtMostOption.default} unless you change it`,
		`to find out: ${numberIn('action/number/lookup.ts', 'default')} unless you change it`,
		`At most so many messages: ${String(actionDefault('limit', 'Message: Get Many'))} unless you change it`,
		`the newest ones: ${String(actionDefault('limit', 'Message: Get Conversation'))} unless you change it`,
		`is not read: ${USUAL_MEGABYTES} unless you change it`,
	],
	'docs/texting-people.md': [
		`takes ${REQUEST_LIMITS.sendMessage} messages, ${REQUEST_LIMITS.media} uploads and ${REQUEST_LIMITS.lookup} look-ups a minute`,
		`The last ${String(actionDefault('limit', 'Message: Get Conversation'))} texts of the conversation`,
	],
	'docs/send-and-wait.md': [
		`(Times)** says: ${actionDefault('askAgainTimes', 'Message: Send and Wait for Answer') === 1 ? 'once' : '?'} unless you change it`,
		`give 2 to ${numberIn('action/questions/expected.ts', 'MOST_CHOICES')} choices`,
	],
	'docs/trigger.md': [
		`You can enter up to ${MOST_COMBINE_SECONDS} seconds`,
		`no text waits longer than ${inWords(MOST_WAIT_MS / MINUTE_MS)} minutes in all`,
		`less than ${numberIn('trigger/check/checkForEvents.ts', 'GRACE_MS') / SECOND_MS} seconds old`,
		`It takes ${inWords(numberIn('trigger/begin/completeEvent.ts', 'MOST_WAIT_MS') / SECOND_MS)} seconds at most`,
		`takes more than ${inWords(numberIn('trigger/begin/attachMedia.ts', 'MOST_WAIT_MS') / SECOND_MS)} seconds`,
		`up to ${USUAL_MEGABYTES} MB each`,
		`At most ${MOST_RECOVER_HOURS} hours`,
		`every ${CHECK_EVERY} minutes unless you change it`,
	],
	'docs/promises.md': [`remembers its last **${SENT_ONCE}** messages`],
	'decisions/0025-edges-of-the-promises.md': [
		`more than ${numberIn('trigger/check/compareHistory.ts', 'TEXTS_IN_VIEW')} texts of customers or ${grouped(numberIn('trigger/check/compareHistory.ts', 'ROWS_IN_VIEW'))} messages of any kind late`,
		`or more than ${PAGE_SIZE} messages had come since`,
		`It keeps the last ${HELD_NAMES} IDs`,
		`longer than ${inWords(numberIn('trigger/questions/listenForAnswers.ts', 'SAVED_WITHIN_MS') / SECOND_MS)} seconds to save`,
		`more than ${inWords(KEPT_MS / DAY_MS)} days, or after ${grouped(MOST_KEPT)} other messages`,
		`first waits until ${ENDS_SECONDS} seconds`,
		`is searched ${grouped(SEARCHED)} messages back`,
		`stands still for over ${numberIn('n8n/processedData.ts', 'ABANDONED_AFTER_MS') / SECOND_MS} seconds`,
	],
	'docs/security.md': [`**Clock Difference (Seconds)**, ${TOLERANCE_SECONDS} without the option`],
};

describe.each(Object.entries(SAID))('%s', (page, sentences) => {
	test.each(sentences)('says, as the code does: %s', (sentence) => {
		expect(wordsOf(page)).toContain(sentence);
	});
});

test.each(['trigger', 'promises', 'scale', 'your-own-n8n', 'troubleshooting'])(
	'docs/%s.md says after how many failed deliveries the service gives up',
	(page) => {
		expect(wordsOf(`docs/${page}.md`)).toContain(
			`${inWords(DELIVERY.failuresUntilDisabled)} failed deliveries`,
		);
	},
);

function shown({ options = [] }: INodeProperties, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'On' : 'Off';
	const choice = options.find((option) => 'value' in option && option.value === value);
	return choice?.name ?? String(value);
}

describe('the pages about operations', () => {
	const sections = ['docs/operations.md', 'docs/send.md', 'docs/send-and-wait.md'].flatMap((page) =>
		sectionsOf(read(page)),
	);
	test.each([...['Message: Send', 'Message: Get Status', 'Message: Send and Wait for Answer']])(
		'say of each option of %s with which choice it begins',
		(heading) => {
			const rows = tableRowsOf(sections.find((section) => section.heading === heading)?.text ?? '');
			const choices = actionFields(heading)
				.filter(({ name }) => name === 'options')
				.flatMap(({ options = [] }) => options as INodeProperties[])
				.filter(({ type }) => type === 'options');
			expect(choices.length).toBeGreaterThan(0);
			for (const field of choices) {
				const row = rows.find(([label]) => label === `**${field.displayName}** (option)`);
				const said = /Starts as: \*([^*]+)\*/.exec(row?.join(' ') ?? '')?.[1];
				expect([field.displayName, said]).toEqual([field.displayName, shown(field, field.default)]);
			}
		},
	);
});

describe('docs/send-and-wait.md', () => {
	const page = wordsOf('docs/send-and-wait.md');

	test('says the words on the buttons, and those around a question by buttons', () => {
		const [approve, decline] = [approveField, declineField].map((field) => field.default);
		expect(page).toContain(`*${approve}* and *${decline}* unless you change it`);
		const headings = Object.values(USUAL_PAGE_WORDS).map((words) => words.split('\n')[0] ?? '');
		for (const words of [readLinkWords({}), ...headings]) expect(page).toContain(`*${words}*`);
	});

	test('says of everyday answers what the node makes of them', () => {
		const section = sectionsOf(read('docs/send-and-wait.md')).find(({ heading }) =>
			heading.startsWith('Yes or no'),
		);
		const english = { languages: ['en'], yesWords: [], noWords: [] } as const;
		const meanings = { 'a yes': true, 'a no': false, 'not understood': undefined };
		const rows = tableRowsOf(section?.text ?? '');
		expect(rows.map(([, meaning]) => meaning)).toEqual(Object.keys(meanings));
		for (const [answers = '', meaning = ''] of rows) {
			for (const [, answer = ''] of answers.matchAll(/“([^”]+)”/g)) {
				const understood = understandYesOrNo(answer, english);
				expect([answer, understood]).toEqual([answer, meanings[meaning as 'a yes']]);
			}
		}
	});

	test('says what chooses one of a list', () => {
		const choices = ['Monday at 9', 'Friday at 10'];
		const choice = (text: string) => understandChoice(text, choices, ['en'])?.choice;
		const texts = ['Friday at 10', '2', 'B.', 'the second one', 'Fri', 'at 10'];
		expect(texts.map(choice)).toEqual(Array(6).fill('Friday at 10'));
		expect(choice('Not Friday')).toBeUndefined();
		for (const text of [...texts, 'Not Friday']) expect(page).toContain(`“${text}”`);
	});
});

describe('docs/trigger.md', () => {
	const fieldsIn = (name: string) =>
		(triggerProperties.find((property) => property.name === name)?.options ??
			[]) as INodeProperties[];
	const rowsIn = (anchor: string) => tableIn('docs/trigger.md', anchor);

	test('says of each option what the trigger does without it, and with what value it begins', () => {
		const getNodeParameter = (_: string, fallback: unknown) => fallback;
		const nothing = { getNode: () => ({ parameters: {} }), getNodeParameter };
		const without = readTriggerSettings(nothing as unknown as TriggerContext);
		expect(rowsIn('options').map((cells) => cells.slice(0, 3))).toEqual(
			fieldsIn('options').map((field) => [
				`**${field.displayName}**`,
				shown(field, without[field.name as keyof typeof without]),
				shown(field, field.default),
			]),
		);
	});

	test('says of each filter that begins with a value with which one', () => {
		const rows = rowsIn('filters');
		for (const field of fieldsIn('filters')) {
			const row = rows.find(([label]) => label === `**${field.displayName}**`)?.join(' ') ?? '';
			const isFilled = !['', '[]'].includes(
				typeof field.default === 'string' ? field.default : JSON.stringify(field.default),
			);
			const said = /Starts as: \*([^*]+)\*/.exec(row)?.[1];
			expect([field.displayName, said]).toEqual([
				field.displayName,
				isFilled ? shown(field, field.default) : undefined,
			]);
		}
	});
});

test('docs/scale.md has the figures of the benchmarks', () => {
	const figures = (page: string) =>
		tableIn(page, 'how-many-events')
			.slice(0, 2)
			.map((cells) => cells.slice(1));
	expect(figures('docs/scale.md')).toEqual(figures('bench/README.md'));
});

describe('bench/README.md', () => {
	const tablesOf = (text: string) => text.split(/\n\n/).map(tableRowsOf);
	const PROCESSORS = 2;
	const section = textBelow(read('bench/README.md'), 'how-many-events');
	const [measured = [], costs = [], needs = []] = tablesOf(section).filter((rows) => rows.length);
	/** Events a second, by engine, of a set-up. */
	const rates = measured.map(([, vm, legacy]) => [Number(vm), Number(legacy)]);
	const costOf = (rate: number) => (PROCESSORS * SECOND_MS) / rate;

	test('takes what an event costs, and the processors that it needs, from what was measured', () => {
		expect(costs.map(([, ...cells]) => cells)).toEqual(
			rates.map((row) => row.map((rate) => `${Math.round(costOf(rate))} ms`)),
		);
		const [inQueueMode = []] = rates.slice(-1);
		const busy = (events: string, rate: number) =>
			(Number(events.replace(',', '')) * costOf(rate)) / SECOND_MS;
		expect(needs).toEqual(
			needs.map(([events = '']) => [
				events,
				...inQueueMode.map((rate) => grouped(Math.ceil(busy(events, rate)))),
			]),
		);
		expect(needs.length).toBeGreaterThan(2);
	});
});

describe('docs/texting-people.md', () => {
	const page = 'docs/texting-people.md';

	test('takes how long a list takes from the limits of the service, and of a line of the sandbox', () => {
		const { lines } = completeOptions({});
		const { hourlyLimit = 0, dailyLimit = 0 } = lines[0] ?? {};
		expect(wordsOf(page)).toContain(`${hourlyLimit} an hour and ${dailyLimit} a day`);
		const minutes = (count: number, aMinute: number) => `${Math.ceil(count / aMinute)} minutes`;
		const rows = tableIn(page, 'how-long-a-list-takes');
		expect(rows).toEqual(
			[100, 500, 1_000].map((people) => [
				grouped(people),
				minutes(people, REQUEST_LIMITS.sendMessage),
				minutes(people, REQUEST_LIMITS.media),
				minutes(people, REQUEST_LIMITS.lookup),
				people > dailyLimit
					? `${Math.ceil(people / dailyLimit)} days`
					: `${Math.ceil(people / hourlyLimit)} hours`,
			]),
		);
	});

	test('lists the words that the trigger takes for an opt-out, and for its opposite', () => {
		const [, outs = '', ins = ''] =
			/upper or lower case: ([^;]+); and these for the opposite: ([^.]+)\./.exec(wordsOf(page)) ??
			[];
		expect(outs.split(', ').map((word) => consentIn(word))).toEqual(Array(6).fill('out'));
		expect(ins.split(', ').map((word) => consentIn(word))).toEqual(Array(2).fill('in'));
		expect(STOP_WORDS).toHaveLength(6);
	});

	test('names sentences that ask to be left alone', () => {
		const texts = ['Stop texting me', 'please remove me from your list', 'wrong number'];
		texts.push("Please don't text me any more");
		expect(texts.map((text) => consentIn(text))).toEqual(texts.map(() => 'out?'));
	});

	/** The number that the node texts; undefined for one that it refuses. */
	function numberOf(typed: string, plan?: NumberingPlan): string | undefined {
		const number = phoneNumber(typed, plan);
		return typeof number === 'string' ? number : undefined;
	}

	test('says of each number of a spreadsheet what the node makes of it', () => {
		for (const [cell = '', outcome = ''] of tableIn(page, 'numbers-from-a-spreadsheet')) {
			const typed = cell.replaceAll('`', '');
			const country = /With \*(.+)\*/.exec(outcome)?.[1] ?? 'Germany';
			const plan = NUMBERING_PLANS.find(({ name }) => name.startsWith(country));
			const [, number] = /`(\+\d+)`/.exec(outcome) ?? [];
			const stays = outcome.startsWith('It stays') ? typed.replaceAll(' ', '') : undefined;
			expect([typed, numberOf(typed === 'empty' ? '' : typed, plan)]).toEqual([
				typed,
				number ?? stays,
			]);
		}
	});
});

describe('docs/your-own-n8n.md', () => {
	const [, compose = ''] = /```yaml\n([\s\S]*?)```/.exec(read('docs/your-own-n8n.md')) ?? [];
	const { services } = parse(compose) as {
		services: Record<string, { environment?: Record<string, string>; command?: string }>;
	};

	test('tells n8n one public URL under all of its names, which the proxy serves, and counts its places', () => {
		const { N8N_WEBHOOK_URL, WEBHOOK_URL, N8N_EDITOR_BASE_URL } = services.n8n?.environment ?? {};
		expect(N8N_WEBHOOK_URL).toBe('https://n8n.example.com/');
		expect([WEBHOOK_URL, N8N_EDITOR_BASE_URL]).toEqual([N8N_WEBHOOK_URL, N8N_WEBHOOK_URL]);
		expect(services.proxy?.command).toContain('--from n8n.example.com --to n8n:5678');
		const count = compose.match(/n8n\.example\.com/g)?.length ?? 0;
		expect(wordsOf('docs/your-own-n8n.md')).toContain(
			`in place of \`n8n.example.com\`, in ${inWords(count)} places`,
		);
	});

	test('names every Data Table of the examples where everything is removed', () => {
		for (const { name } of DATA_TABLES) {
			expect(wordsOf('docs/your-own-n8n.md')).toContain(`*${name}*`);
		}
	});
});

describe('CONTRIBUTING.md', () => {
	const [, adding = ''] = read('CONTRIBUTING.md').split('\n## Adding something\n');
	const lists = sectionsOf(adding.split('\n## ')[0] ?? '').filter(({ text }) =>
		text.includes('\n|'),
	);

	test.each(lists)('counts the files of: $heading', ({ text }) => {
		const files = tableRowsOf(text).flatMap(([cell = '']) => cell.match(/`[^`]+`/g) ?? []);
		const said = text.slice(text.lastIndexOf('|')).toLowerCase();
		expect(said).toContain(inWords(files.length));
	});
});

test('the README and the playground say the same of how long a first start takes, and what it needs', () => {
	const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
	const facts = ['about five minutes', '4 GB of free disk'];
	for (const fact of facts) {
		expect(HELP.replace(/\s+/g, ' ')).toContain(fact);
		expect(wordsOf('README.md')).toContain(fact);
	}
	expect(wordsOf('README.md')).toContain(
		`[Node.js](https://nodejs.org) ${engines.node.replace('>=', '')} or newer`,
	);
});
