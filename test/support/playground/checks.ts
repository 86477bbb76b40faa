import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import { waitUntil } from '../waitUntil';

/** What a check has found starts within this time. */
const STARTS_WITHIN_MS = 5_000;

/** Reads the ids of the last requests for the newest page of the history, newest first: those of checks, unless texts come. */
export async function readHistoryReads(sandboxUrl: string): Promise<string[]> {
	const { data } = await axios.get<{ calls: Array<{ id: string; path: string }> }>(
		`${sandboxUrl}/sandbox/calls?limit=20`,
		{ proxy: false },
	);
	return data.calls
		.filter(({ path }) => path.startsWith(PATHS.messages) && !path.includes('before='))
		.map(({ id }) => id);
}

/**
 * Kills n8n and starts it again, as the check at the start brings at once whatever it takes for missed. Waits until the
 * trigger has checked, and what it has found has started.
 */
export async function checkAgain(
	sandboxUrl: string,
	n8n: { kill: () => Promise<void>; start: () => Promise<void> },
): Promise<void> {
	await n8n.kill();
	const before = new Set(await readHistoryReads(sandboxUrl));
	await n8n.start();
	await waitUntil('a check', async () => {
		const reads = await readHistoryReads(sandboxUrl);
		return reads.some((id) => !before.has(id)) || undefined;
	});
	await pause(STARTS_WITHIN_MS);
}
