import { setTimeout as pause } from 'node:timers/promises';
import type { PostRequest } from '../../../sandbox/src';
import { postOverHttp } from '../../../sandbox/src/webhooks/post';
import { until } from '../until';
import { Chance } from './chance';
import { reckon } from './reckoning';
import { Station } from './station';
import { CHECKS_EVERY_5_SECONDS, reportingWorkflow } from './workflow';

const RECEIVED = 150;
const SENT = 20;

const LINES = Array.from({ length: 12 }, (_, at) => ({
	handle: `5a6f0000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`,
	number: `+155501001${String(at).padStart(2, '0')}`,
	label: `Line ${at}`,
	hourlyLimit: 50,
	dailyLimit: 200,
}));

/** How many are on the wire at once. */
const AT_ONCE = 10;

/** Events as the service signed them, which this test delivers in its stead. */
const signed: PostRequest[] = [];

/** Copies of one event that are delivered at the same moment. */
type Sending = PostRequest[];

/** The line that copies are about; undefined for messages. */
const lineOf = ([request]: Sending, kind: string): string | undefined => {
	const { type, data } = JSON.parse(request?.body ?? '') as {
		type: string;
		data: { line?: { line_handle: string } };
	};
	return type.startsWith(kind) ? data.line?.line_handle : undefined;
};

/**
 * Deals copies out to the time before n8n is killed and the time after. A block whose end has run before the kill has
 * run by then too, as lines come first: a check that hears of the block only after the kill would tell that end once
 * more (decisions/0005).
 */
const beforeAndAfter = (sendings: Sending[]): [Sending[], Sending[]] => {
	const before = sendings.slice(0, sendings.length / 2);
	const after = sendings.slice(sendings.length / 2);
	const ended = before.map((sending) => lineOf(sending, 'line_unblocked'));
	const isOwed = (sending: Sending) => {
		const blocked = lineOf(sending, 'line_blocked');
		return blocked !== undefined && ended.includes(blocked);
	};
	const isOfLine = (sending: Sending) => lineOf(sending, 'line') !== undefined;
	const early = [...before, ...after.filter(isOwed)];
	return [
		[...early.filter(isOfLine), ...early.filter((sending) => !isOfLine(sending))],
		after.filter((sending) => !isOwed(sending)),
	];
};

let station: Station;

beforeAll(async () => {
	station = await Station.open(
		{ N8N_EXPRESSION_ENGINE: 'legacy' },
		{
			lines: LINES,
			post: async (request) => {
				signed.push(request);
				return { status: 200, excerpt: '' };
			},
		},
	);
});
afterAll(async () => await station?.close());

test('§6.4 every event that is delivered three times, out of order, two of them at once, starts one run', async () =>
	await station.withLog(async () => {
		const chance = Chance.ofTest('redeliveries');
		const workflow = reportingWorkflow(
			'Thrice00',
			station.effects.url,
			['receive', 'outbound', 'line_blocked', 'line_unblocked'],
			CHECKS_EVERY_5_SECONDS,
		);
		await station.publish(workflow);

		const events: string[] = [];
		for (let at = 0; at < RECEIVED; at += 1) {
			const { message_handle: handle } = await station.text(`message ${at}`);
			events.push(`receive ${handle}`);
		}
		for (let at = 0; at < SENT; at += 1) {
			const { message_handle: handle } = await station.control<{ message_handle: string }>(
				'/v1/send-message',
				{ number: '+15551230001', content: `answer ${at}`, line: LINES[0]?.handle },
			);
			events.push(`outbound ${handle}`);
		}
		for (const { handle } of LINES) {
			await station.control(`/sandbox/lines/${handle}/block`, { reason: 'too many texts' });
			await station.control(`/sandbox/lines/${handle}/unblock`, {});
			events.push(`line_blocked ${handle}`, `line_unblocked ${handle}`);
		}
		await until('the end of all sends', async () =>
			signed.length === events.length ? true : undefined,
		);

		// Of each event one copy alone and two at the same moment, in any order, before and after n8n is killed.
		const [before, after] = beforeAndAfter(
			chance.shuffled(signed.flatMap((request) => [[request], [request, request]])),
		);
		const answers: number[] = [];
		const post = postOverHttp();
		const deliver = async (some: Sending[]) => {
			while (some.length > 0) {
				const now = some.splice(0, AT_ONCE).flat();
				const statuses = await Promise.all(
					now.map(async (request) => (await post({ ...request, timeoutMs: 30_000 })).status),
				);
				answers.push(...statuses);
			}
		};
		await deliver(before);
		await station.kill();
		await station.boot();
		await station.listens();
		await deliver(after);
		const reckoning = await reckon(station, workflow.id, events);
		await pause(10_000);

		const byCheck = station.effects.all.filter(({ recovered }) => recovered).length;
		process.stderr.write(
			`redeliveries: ${answers.length} of ${events.length} events; ${reckoning.once} once, ` +
				`${byCheck} of them by a check, ${reckoning.cutOff.length} cut off by n8n\n`,
		);
		expect(answers).toHaveLength(3 * events.length);
		expect(new Set(answers)).toEqual(new Set([200]));
		expect(await reckon(station, workflow.id, events)).toEqual({
			...reckoning,
			lost: [],
			twice: [],
			unknown: [],
		});
		expect(reckoning.once + reckoning.cutOff.length).toBe(events.length);
	}));
