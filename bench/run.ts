import { cpus, loadavg } from 'node:os';
import { bursts } from './bursts';
import { conversation } from './conversation';
import { downtime } from './downtime';
import { eventCost } from './eventCost';
import { events } from './events';
import { history } from './history';
import { itemCost } from './itemCost';
import { lists } from './lists';
import { lookups } from './lookups';
import { sandbox } from './sandbox';
import { scale } from './scale';
import { sends } from './sends';
import { IS_SMOKE } from './size';
import { formatTable, type Bench, type Line } from './table';
import { verify } from './verify';

const BENCHES: Record<string, Bench> = {
	sends,
	history,
	conversation,
	lookups,
	lists,
	itemCost,
	verify,
	events,
	bursts,
	eventCost,
	downtime,
	sandbox,
	scale,
};

/** These start n8n, which the tests with a running n8n do as well. */
const WITH_N8N = ['events', 'bursts', 'downtime', 'scale'];

/**
 * Runs the named benches, or all of them; the exit code is 1 if one misses its threshold. With `--smoke` it only shows that
 * they run, without those that start n8n.
 */
async function main(named: string[]): Promise<void> {
	const unknown = named.find((name) => !Object.hasOwn(BENCHES, name));
	if (unknown !== undefined) {
		console.error(`No bench "${unknown}". There are: ${Object.keys(BENCHES).join(', ')}.`);
		process.exitCode = 2;
		return;
	}
	const conditions = [
		`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)} at the start`,
		'No value depends on anything random, so there is no seed.',
	];
	const lines: Array<Line & { bench: string }> = [];
	for (const [name, bench] of Object.entries(BENCHES)) {
		if (named.length > 0 ? !named.includes(name) : IS_SMOKE && WITH_N8N.includes(name)) continue;
		console.error(`Running ${name} …`);
		conditions.push(...bench.conditions.map((condition) => `${name}: ${condition}`));
		lines.push(...(await bench.run()).map((line) => ({ bench: name, ...line })));
	}
	console.log(`\n${formatTable(lines)}\n\n${conditions.join('\n')}`);
	if (!IS_SMOKE && lines.some(({ isReached }) => isReached === false)) process.exitCode = 1;
}

void main(process.argv.slice(2).filter((argument) => argument !== '--smoke'));
