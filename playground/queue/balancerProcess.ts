import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../folders';
import { LOOPBACK } from '../machine';
import { Trouble } from '../trouble';

/** The balancer's port, and the processes that it sends requests to. */
export type Balancing = {
	port: number;
	/** The URL of the main process, which serves the editor, the REST API and tests in the editor. */
	main: string;
	/** The URLs of the webhook processors, which take production webhooks in turn. */
	webhooks: string[];
};

/** What the balancer's process reports once it listens; `refusal` says why it cannot. */
export type Listening = { refusal?: string };

/** A running balancer. */
export type Balancer = { url: string; broken: Promise<Trouble>; close: () => Promise<void> };

/** The header that names the webhook processor that gave an answer, by its index in the list. */
export const SERVED_BY = 'x-served-by';

/**
 * Starts the balancer in its own process, as it would run in front of several machines. It ends with this process.
 *
 * @throws Trouble when it cannot listen
 */
export const startBalancer = async (balancing: Balancing): Promise<Balancer> => {
	const child = fork(join(__dirname, 'balancer.ts'), {
		cwd: ROOT,
		execArgv: ['--import', 'tsx'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const ended = once(child, 'exit');
	let isClosing = false;
	const broken = new Promise<Trouble>((resolve) => {
		void ended.then(() => {
			if (!isClosing) resolve(new Trouble('The balancer ended by itself.', 'Start it again.'));
		});
	});
	const close = async () => {
		isClosing = true;
		child.kill('SIGKILL');
		await ended;
	};
	child.send(balancing);
	const listening = await Promise.race([
		once(child, 'message').then(([message]) => message as Listening),
		broken.then(({ happened }): Listening => ({ refusal: happened })),
	]);
	if (listening.refusal !== undefined) {
		await close();
		throw new Trouble(
			`The balancer cannot listen on port ${balancing.port}: ${listening.refusal}`,
			'End the program that uses it, or choose another port: npm run start:queue -- --n8n-port 5679',
		);
	}
	return { url: `http://${LOOPBACK}:${balancing.port}`, broken, close };
};
