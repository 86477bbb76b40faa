import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { Clock } from '../sandbox/src';
import { Station } from '../test/e2e/survival/station';
import { CHECK_AT_START_ONLY } from '../test/support/playground/reportingWorkflow';
import { hasHttpRequestNode } from './httpRequestNode';
import { atMost, exactly, info, type Bench } from './table';

const MISSED = 10_000;
const CUSTOMERS = 500;
const DOWN_FOR_MS = 60 * 60_000;

/** After so many executions the memory of n8n's process is read. */
const READ_MEMORY_AT = [2_000, 5_000, MISSED];

const LOOK_EVERY_MS = 50;
const NOTHING_FOR_MS = 60_000;

/**
 * What n8n is like while it recovers from an hour in which it did not run: the check at its start finds the messages
 * that no webhook has brought, and each of them has an execution of its own.
 */
export const downtime: Bench = {
	conditions: [
		`${MISSED} messages of ${CUSTOMERS} customers, a workflow of two nodes, legacy, SQLite; memory is the resident set of n8n's process`,
	],
	async run() {
		if (!hasHttpRequestNode()) return [info('n8n', 'skipped: npm start has not installed n8n yet')];
		const startMs = Date.now() - DOWN_FOR_MS;
		const station = await Station.open(
			{ N8N_EXPRESSION_ENGINE: 'legacy' },
			{ clock: Clock.stopped(startMs), deliveryLogSize: 2 * MISSED },
		);
		try {
			await station.publishReporting({ id: 'benchDowntime000', checkEvery: CHECK_AT_START_ONLY });
			await station.stop();
			for (let at = 0; at < MISSED; at += 1) {
				await station.text(`message ${at}`, `+1555123${String(at % CUSTOMERS).padStart(4, '0')}`);
				await station.sandbox.advance(DOWN_FOR_MS / MISSED);
			}
			const { clock } = station.sandbox;
			await station.sandbox.advance(Math.max(0, Date.now() - clock.now()));

			await station.start();
			const { answersMs, megabytes, perSecond } = await watchRecovery(station);
			// What begins twice would have begun by now.
			await pause(5_000);
			const counts = [...station.effects.counts().values()];
			return [
				exactly('messages that started an execution', counts.length, MISSED),
				exactly('  messages that started several', counts.filter((count) => count > 1).length, 0),
				atMost('slowest answer to a person meanwhile, ms', Math.max(...answersMs), 1_000),
				info('  answers, and the median', describeAnswers(answersMs)),
				atMost('memory at the end ÷ after 2,000', megabytes.at(-1)! / megabytes[0]!, 1.25),
				info(`  MB after ${READ_MEMORY_AT.join(', ')}`, megabytes.join(', ')),
				info('  executions a second', perSecond.toFixed(1)),
				info('load at the end', loadavg()[0]!.toFixed(1)),
			];
		} finally {
			await station.close();
		}
	},
};

/** Watches n8n until every message has started an execution, or nothing happens any more. */
async function watchRecovery({ effects, n8nUrl, pid }: Station) {
	const answersMs: number[] = [];
	const megabytes: number[] = [];
	const startedMs = performance.now();
	let began = 0;
	let beganAtMs = startedMs;
	while (began < MISSED && performance.now() - beganAtMs < NOTHING_FOR_MS) {
		const askedAtMs = performance.now();
		await axios.get(`${n8nUrl}/rest/settings`, { proxy: false });
		answersMs.push(performance.now() - askedAtMs);
		if (effects.all.length > began) beganAtMs = performance.now();
		began = effects.all.length;
		if (began >= READ_MEMORY_AT[megabytes.length]!) megabytes.push(await readMegabytes(pid));
		await pause(LOOK_EVERY_MS);
	}
	return { answersMs, megabytes, perSecond: (began * 1_000) / (beganAtMs - startedMs) };
}

/** The resident set of a process, as Linux tells it. */
async function readMegabytes(pid: number | undefined): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024);
}

const describeAnswers = (answersMs: number[]): string => {
	const sorted = [...answersMs].sort((one, other) => one - other);
	return `${sorted.length}, ${sorted[sorted.length >> 1]!.toFixed(0)} ms`;
};
