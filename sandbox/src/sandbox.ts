import type { Hono } from 'hono';
import { createApp } from './app';
import { KeyPairs } from './authentication';
import { Changes } from './changes';
import type { Clock } from './clock';
import type { Env } from './http';
import type { MessageSearch } from './messageSearch';
import { waitForMessages } from './messageSearch';
import type { SandboxOptions } from './options';
import { completeOptions } from './options';
import type { KeyPair } from './seed/seed';
import type { MessageRow } from './state/messages';
import { controlRow } from './state/messages';
import { World } from './world';

/** A sandbox. Several of them in one process do not share anything. */
export type Sandbox = {
	/**
	 * The service, its control endpoints and the phone. It needs no port:
	 * `await sandbox.app.request('/sandbox/state')`
	 */
	app: Hono<Env>;
	/** The key pairs that the sandbox accepts; the first one is the usual one. */
	keyPairs: KeyPair[];
	/** The sandbox's clock. */
	clock: Clock;
	/** Resolves as soon as no event is being delivered; later attempts do not count. */
	settled(): Promise<void>;
	/**
	 * Moves the clock forward and runs everything that becomes due on the way, as POST /sandbox/clock does. A reset ends it.
	 * Throws a RangeError for a time after the year 9999.
	 */
	advance(ms: number): Promise<void>;
	/**
	 * Waits for a message, also one that is there already, and resolves to it as GET /sandbox/messages shows it: the newest
	 * of several. Rejects after `waitMs` of real time (default 10,000).
	 *
	 * @example
	 * const answer = await sandbox.waitForMessage({ to: '+15551230001', contains: 'ready' });
	 */
	waitForMessage(search: MessageSearch, options?: { waitMs?: number }): Promise<MessageRow>;
	/**
	 * Starts over with the lines as they were provisioned and what the seed has, else without contacts. The key pairs stay; the registered
	 * endpoints that are enabled stay with `keepWebhooks`.
	 */
	reset(options?: { keepWebhooks?: boolean }): void;
	/** Cancels everything that would still happen by itself. */
	close(): void;
};

/** Creates a sandbox; it does not listen on a port until `serve` is called. */
export const createSandbox = (options: SandboxOptions = {}): Sandbox => {
	const settings = completeOptions(options);
	const changes = new Changes();
	const startedMs = settings.clock.now();
	let world = new World(settings, changes, startedMs);
	const reset = ({ keepWebhooks = false } = {}) => {
		// Those that were given up are of earlier tests and workflows, and would only fail again.
		const kept = keepWebhooks ? world.endpoints.all().filter(({ isEnabled }) => isEnabled) : [];
		// Those of earlier starts would come back with the new world.
		const ofEarlier = keepWebhooks ? [] : [...(settings.registrations?.kept() ?? [])];
		for (const one of ofEarlier) settings.registrations?.forget(one);
		world.close();
		settings.clock.reset();
		world = new World(settings, changes, startedMs);
		const { rule } = world.character.registration;
		for (const endpoint of kept) world.endpoints.register(endpoint, settings.clock.now(), rule);
		changes.publish({ type: 'reset' });
	};
	return {
		app: createApp(() => world, reset, new KeyPairs(settings.keyPairs), settings.pathPrefix),
		keyPairs: settings.keyPairs,
		clock: settings.clock,
		settled: async () => await world.deliveries.settled(),
		advance: async (ms) => void (await world.advance(ms)),
		waitForMessage: async (search, { waitMs = 10_000 } = {}) => {
			const asked = world;
			const { messages } = await waitForMessages(asked, search, { limit: 1 }, waitMs);
			const [message] = messages;
			if (message) return controlRow(message);
			if (world !== asked) {
				const wanted = JSON.stringify(search);
				throw new Error(`The sandbox was reset while a test waited for a message like ${wanted}.`);
			}
			throw new Error(
				`No message like ${JSON.stringify(search)} within ${waitMs} ms; there are ${world.messages.count} messages.`,
			);
		},
		reset,
		close: () => world.close(),
	};
};
