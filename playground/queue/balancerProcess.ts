import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../folders';
import { LOOPBACK } from '../machine';
import { Trouble } from '../trouble';

/** Where the balancer listens, and who takes what it is asked. */
export type Balancing = {
	port: number;
	/** The address of the main process: editor, interface, tests. */
	main: string;
	/** The addresses of the webhook processors, which take production webhooks in turn. */
	webhooks: string[];
};

/** What the balancer says once it listens, or cannot. */
export type Listening = { refusal?: string };

/** A running balancer. */
export type Balancer = { url: string; broken: Promise<Trouble>; close: () => Promise<void> };

/** Names, in an answer, the webhook processor that gave it: its place in the list. */
export const SERVED_BY = 'x-served-by';

/**
 * Starts the balancer as a process of its own, as it would be in front of machines; it ends with this one.
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
			if (!isClosing) resolve(new Trouble('The balancer ended by itself.', 'Start again.'));
		});
	});
	const close = async () => {
		isClosing = true;
		child.kill('SIGKILL');
		await ended;
	};
	child.send(balancing);
	const said = await Promise.race([
		once(child, 'message').then(([message]) => message as Listening),
		broken.then(({ happened }): Listening => ({ refusal: happened })),
	]);
	if (said.refusal !== undefined) {
		await close();
		throw new Trouble(
			`The balancer cannot listen on port ${balancing.port}: ${said.refusal}`,
			'End the program that uses it, or choose another port: npm run start:queue -- --n8n-port 5679',
		);
	}
	return { url: `http://${LOOPBACK}:${balancing.port}`, broken, close };
};
