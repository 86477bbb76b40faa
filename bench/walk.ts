import type { INodeParameters } from 'n8n-workflow';
import { Session } from 'node:inspector/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../nodes/TwoWayMessaging/processMemory';
import { Clock } from '../sandbox/src';
import type { PostRequest } from '../sandbox/src/webhooks/post';
import { Process } from '../test/integration/triggerProcess';
import { TestService } from '../test/support/service';
import { TestClock } from '../test/support/testClock';

/**
 * How much of the nodes' code is entered on a message's way: so much does somebody read who follows it. V8 counts the calls,
 * with nothing but what n8n calls. `test/walk.test.ts` says how much it may be.
 */
export type Walk = { files: number; functions: number };

/** One message's whole way, that of the first one, or of a later one; it calls `arrived` where the way ends. */
type Round = (round: number, arrived: () => Promise<void>) => Promise<unknown>;

/** Lets messages go a way, each in its round, in a world of their own. */
type Way = (world: World, inRounds: (round: Round) => Promise<void>) => Promise<void>;

const NODES = pathToFileURL(join(__dirname, '..', 'nodes', sep)).href;

const MINUTE_MS = 60_000;

const ANNA = '+15551230001';

const WAYS = {
	/** A customer's text, from `webhook()` to the item with which the workflow goes on. Fill In Missing Fields is on. */
	received: async ({ service, posted, n8n }, inRounds) => {
		await n8n.activate('activate');
		await inRounds(async (round, arrived) => {
			await service.sandbox.advance(MINUTE_MS);
			await text(service, round);
			const { headers, body } = posted.at(-1)!;
			await n8n.receiveRequest({ headers, rawBody: Buffer.from(body) });
			expectOne(await n8n.execute());
			await arrived();
		});
	},
	/** A customer's text that no webhook brings, from the scheduled check to the workflow's item. */
	found: async ({ service, n8n }, inRounds) => {
		await n8n.activate('activate');
		await inRounds(async (round, arrived) => {
			await text(service, round);
			await service.sandbox.advance(5 * MINUTE_MS);
			await n8n.check();
			expectOne(await n8n.execute());
			await arrived();
		});
	},
	/** A message of ours, from `execute()` to the request that sends it. */
	sent: sendWith(() => ({})),
	/** The same with Send Only Once Per. */
	sentOnce: sendWith((round) => ({ onlyOnceFor: `order ${round}` })),
} satisfies Record<string, Way>;

function sendWith(optionsOf: (round: number) => INodeParameters): Way {
	return async ({ service }, inRounds) => {
		const { app } = service.sandbox;
		const answer = app.fetch;
		await inRounds(async (round, arrived) => {
			await service.sandbox.advance(MINUTE_MS);
			app.fetch = async (request, ...more) => {
				if (new URL(request.url).pathname === PATHS.sendMessage) await arrived();
				return await answer(request, ...more);
			};
			const run = await service.run({
				parameters: {
					resource: 'message',
					operation: 'send',
					number: ANNA,
					content: `Your order ${round} is ready.`,
					options: optionsOf(round),
				},
			});
			expectOne(run.json('Node'));
		});
	};
}

/**
 * Counts what a message enters on each way after a first one, which has loaded every module, and has done what a process does
 * once, such as reading the credential or registering again. What each of five messages enters counts: what one leaves to do
 * may fall into the next one's way, and a busy machine makes the starter wait.
 *
 * V8 counts from before the first message on, as it may not count what was called before and is created again.
 */
export async function measureWalks(): Promise<Record<keyof typeof WAYS, Walk>> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
		return {
			received: await walk(session, WAYS.received),
			found: await walk(session, WAYS.found),
			sent: await walk(session, WAYS.sent),
			sentOnce: await walk(session, WAYS.sentOnce),
		};
	} finally {
		session.disconnect();
	}
}

async function walk(session: Session, way: Way): Promise<Walk> {
	let entered: Set<string> | undefined;
	await inWorld(
		async (world) =>
			await way(world, async (round) => {
				await round(1, async () => {});
				for (const later of [2, 3, 4, 5, 6]) {
					await session.post('Profiler.takePreciseCoverage');
					await round(later, async () => {
						const now = await functionsEntered(session);
						entered = entered ? new Set([...entered].filter((name) => now.has(name))) : now;
					});
				}
			}),
	);
	if (!entered) throw new Error('The message did not arrive');
	const files = new Set([...entered].map((name) => name.slice(0, name.lastIndexOf(':'))));
	return { files: files.size, functions: entered.size };
}

type World = {
	service: TestService;
	/** What the service has posted to n8n: a test brings it there, or loses it. */
	posted: PostRequest[];
	n8n: Process;
};

let worlds = 0;

/**
 * Everything is the same each time, so that the numbers are: the time stands still, and no key or ID depends on chance,
 * as redaction looks closer at an answer in which something resembles a secret.
 */
async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
	const posted: PostRequest[] = [];
	const clock = Clock.stopped(Date.UTC(2026, 0, 5, 9));
	const nodeClock = new TestClock(() => clock.now());
	let ids = 0;
	const service = await TestService.start({
		clock,
		memory: new ProcessMemory(nodeClock),
		keyPairs: [{ key: 'key_of_the_walk', secret: 'secret_of_the_walk' }],
		uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
		post: async (request) => {
			posted.push(request);
			return { status: 200, excerpt: '' };
		},
	});
	const database = { workflowId: `walk-${(worlds += 1)}`, staticData: {} };
	const credential = service.credential() as ConstructorParameters<typeof Process>[1];
	// As the node has it unless a person says otherwise; `Process` has it off.
	const parameters = { options: { completeMessages: true } };
	const n8n = new Process(database, credential, parameters, nodeClock);
	try {
		await work({ service, posted, n8n });
	} finally {
		await service.stop();
	}
}

async function text(service: TestService, round: number): Promise<void> {
	await service.control.post('/sandbox/inbound', { from: ANNA, content: `Question ${round}` });
	await service.sandbox.settled();
}

function expectOne(items: unknown[]): void {
	if (items.length !== 1) throw new Error(`The way ended with ${items.length} items`);
}

/** What the compiler makes of an export: a getter, which every use of the export calls. */
const EXPORT = /^(?:get \w+ ?\(\)|function\(\)) \{\s*return \w+;\s*\}$/;

/** The functions of the nodes that were called, each by its file and its place there; anonymous ones since the last time. */
async function functionsEntered(session: Session): Promise<Set<string>> {
	const { result } = await session.post('Profiler.takePreciseCoverage');
	// Only the debugger tells the code that V8 runs, of which the ranges are.
	await session.post('Debugger.enable');
	const entered = new Set<string>();
	// Of a file that other tests have loaded before in this process, something may still go on.
	const newest = new Map<string, number>();
	for (const { scriptId, url } of result) {
		newest.set(url, Math.max(newest.get(url) ?? 0, Number(scriptId)));
	}
	for (const { scriptId, url, functions } of result) {
		if (!url.startsWith(NODES) || newest.get(url) !== Number(scriptId)) continue;
		const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
		for (const { ranges } of functions) {
			const [range] = ranges;
			if (!range || range.count === 0) continue;
			const source = scriptSource.slice(range.startOffset, range.endOffset);
			if (!EXPORT.test(source)) entered.add(`${url}:${range.startOffset}`);
		}
	}
	if (entered.size === 0) throw new Error('V8 names the files of the nodes otherwise');
	return entered;
}
