import type { PostRequest } from '../../../sandbox/src';
import { postOverHttp } from '../../../sandbox/src/webhooks/post';
import { SeededChance } from './seededChance';
import { checkAgain } from '../../support/playground/checks';
import { waitUntil } from '../../support/waitUntil';
import { reckonAt } from './stationReckoning';
import { Station } from './station';

const RECEIVED = 150;
const SENT = 20;

const LINES = Array.from({ length: 12 }, (_, at) => ({
	handle: `5a6f0000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`,
	number: `+155501001${String(at).padStart(2, '0')}`,
	label: `Line ${at}`,
	hourlyLimit: 50,
	dailyLimit: 200,
}));

/** How many requests are under way at the same time. */
const AT_ONCE = 10;

/** The events as the service has signed them. The service does not deliver them; this test does. */
const signed: PostRequest[] = [];

/** Copies of one event that are delivered at the same time. */
type Sending = PostRequest[];

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

test('§6.4 an event that is delivered three times starts one execution, the end of a block at least one', async () =>
	await station.showingLog(async () => {
		const chance = SeededChance.ofTest('redeliveries');
		const workflowId = await station.publishReporting({
			id: 'survivalThrice00',
			events: ['receive', 'outbound', 'line_blocked', 'line_unblocked'],
		});

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
		await waitUntil('the end of all sends', async () =>
			signed.length === events.length ? true : undefined,
		);

		// Each event is delivered once alone and twice at the same time, in any order, before and after n8n is killed.
		const sendings = chance.shuffled<Sending>(
			signed.flatMap((request) => [[request], [request, request]]),
		);
		const before = sendings.splice(0, sendings.length / 2);
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
		await station.waitUntilListening();
		await deliver(sendings);
		const reckoning = await reckonAt(station, workflowId, events);
		await checkAgain(station.sandboxUrl, station);

		const byCheck = station.effects.all.filter(({ recovered }) => recovered).length;
		process.stderr.write(
			`redeliveries: ${answers.length} of ${events.length} events; ${reckoning.once} once, ` +
				`${reckoning.moreThanOnce.length} more often, ${byCheck} by a check, ${reckoning.cutOff.length} cut off by n8n\n`,
		);
		expect(answers).toHaveLength(3 * events.length);
		expect(new Set(answers)).toEqual(new Set([200]));
		const { moreThanOnce, ...others } = await reckonAt(station, workflowId, events);
		expect(others).toMatchObject({ lost: [], unknown: [] });
		// The end of a block comes at least once: delivered before its block, it has another name (decisions/0023).
		expect(moreThanOnce.filter(([event]) => !event.startsWith('line_unblocked'))).toEqual([]);
		expect(others.once + others.cutOff.length + moreThanOnce.length).toBe(events.length);
	}));
