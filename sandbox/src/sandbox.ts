import type { Hono } from 'hono';
import { createApp } from './app';
import { KeyPairs } from './authentication';
import { Changes } from './changes';
import type { Clock } from './clock';
import type { Env } from './http';
import type { KeyPair, SandboxOptions } from './options';
import { settingsFrom } from './options';
import { World } from './world';

/** A service of its own, knowing nothing of any other in the process. */
export type Sandbox = {
	/** The service, its control endpoints and the phone; `app.request(path, init)` needs no port. */
	app: Hono<Env>;
	/** The key pairs that are let in, the first being the usual one. */
	keyPairs: KeyPair[];
	/** The sandbox's time. */
	clock: Clock;
	/** Resolves as soon as no event is being delivered; attempts still to come do not count. */
	settled(): Promise<void>;
	/** Moves the clock, delivering what comes due on the way, as POST /sandbox/clock does. */
	advance(ms: number): Promise<void>;
	/**
	 * Back to the beginning: lines as provisioned, nobody known; key pairs stay. Registered endpoints go too,
	 * unless they are kept.
	 */
	reset(options?: { keepWebhooks?: boolean }): void;
	/** Ends everything that would still happen by itself. */
	close(): void;
};

/** Creates a sandbox; nothing listens on a port until `serve` does. */
export const createSandbox = (options: SandboxOptions = {}): Sandbox => {
	const settings = settingsFrom(options);
	const changes = new Changes();
	let world = new World(settings, changes);
	const reset = ({ keepWebhooks = false } = {}) => {
		const kept = keepWebhooks ? world.endpoints.all() : [];
		world.close();
		world = new World(settings, changes);
		for (const endpoint of kept) world.endpoints.register(endpoint, settings.clock.now());
		changes.publish({ type: 'reset' });
	};
	return {
		app: createApp(() => world, reset, new KeyPairs(settings.keyPairs), settings.pathPrefix),
		keyPairs: settings.keyPairs,
		clock: settings.clock,
		settled: async () => await world.deliveries.settled(),
		advance: async (ms) =>
			await settings.clock.advance(ms, async () => await world.deliveries.settled()),
		reset,
		close: () => world.close(),
	};
};
