import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ROOT } from '../../playground/folders';
import { median, spread } from '../measure';
import { atMost, info, type Bench, type Line } from '../table';
import { size } from '../size';

const STARTS = size(7, 1);

/** How long the sandbox takes from its start, as a person starts it, to its first answer. */
export const start: Bench = {
	conditions: [
		`start: ${STARTS} starts each, in turns; npm run sandbox compiles from source, npm's own start left out`,
	],
	run: measureStarts,
};

async function measureStarts(): Promise<Line[]> {
	const folder = join(ROOT, 'sandbox');
	execFileSync(process.execPath, [join(folder, 'build.mjs')]);
	const fromSource: number[] = [];
	const packaged: number[] = [];
	for (let n = 0; n < STARTS; n++) {
		fromSource.push(await startOnce(['--import', 'tsx', join(folder, 'src', 'cli.ts')]));
		packaged.push(await startOnce([join(folder, 'dist', 'cli.js')]));
	}
	return [
		atMost('start to first answer by npm run sandbox, s', median(fromSource) / 1_000, 0.5),
		info('  each start', `${spread(fromSource)} ms`),
		atMost('start to first answer of the package, s', median(packaged) / 1_000, 0.5),
		info('  each start', `${spread(packaged)} ms`),
	];
}

/** Milliseconds from starting this program to its first answer. */
async function startOnce(program: string[]): Promise<number> {
	const startedMs = performance.now();
	const child = spawn(process.execPath, [...program, '--port', '0'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	for await (const chunk of child.stdout) {
		said += String(chunk);
		const url = /http:\/\/\S+:\d+/.exec(said)?.[0];
		if (!url) continue;
		await (await fetch(`${url}${PATHS.me}`)).text();
		break;
	}
	const tookMs = performance.now() - startedMs;
	child.kill('SIGKILL');
	await once(child, 'close');
	return tookMs;
}
