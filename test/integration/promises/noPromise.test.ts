import { waitUntil } from '../../support/waitUntil';
import { eventOf, handles, historyWorld, SECRET } from '../historyWorld';
import { playIn, type Scenes } from '../scenes';
import type { HistoryRow } from '../triggerHistory';
import { TRIGGER } from '../triggerWorkflow';

/* What no node can promise, and what holds there all the same. */

const world = historyWorld();

test('from the record of its ID on an execution is n8n’s: after a kill it is not begun again', async () => {
	world.service.hang('/cat.jpg');
	const killed = await world.started({ options: { downloadMedia: true } });
	const [id = ''] = world.texts(1);
	const [row] = world.service.rows as [HistoryRow];
	const event = eventOf(row);
	Object.assign(event.data.message, { media_url: `${world.service.url}/cat.jpg` });
	await killed.receive(event, SECRET, world.nowMs);
	killed.execute().catch(() => {});
	const { requests } = world.service;
	const isCat = ({ path }: { path: string }) => path === '/cat.jpg';
	await waitUntil('the download', async () => requests.find(isCat));

	const process = await world.restarted();
	expect(handles(await process.execute())).toEqual([]);
	await world.deliver(process, [id]);
	expect(handles(await process.execute())).toEqual([]);
	expect(handles(await world.check(process))).toEqual([]);
});

const SCENES: Scenes = {
	'Line Blocked and Line Unblocked come at least once, also after a kill and without a webhook': `
		publish events=["line_blocked","line_unblocked"]; block; check: line_blocked; kill: nothing; check: nothing;
		unblock; kill: line_unblocked`,
	'a check starts executions for what it finds, oldest first':
		'publish; text third@+9s first second; check: first second third',
};

test.each(Object.entries(SCENES))('what holds all the same: %s', playIn(world));

test('a test in the editor shows whatever comes, also what came before, and uses nothing up', async () => {
	const [before] = world.texts(1, 'before');
	const process = await world.started();
	const [now] = world.texts(1, 'now');
	const shown = async () => {
		const tests = world.service.rows.map(
			async (row) => await process.test(eventOf(row), SECRET, world.nowMs),
		);
		return (await Promise.all(tests)).flatMap((run) => handles(run.json(TRIGGER)));
	};
	expect(await shown()).toEqual([before, now]);
	await world.deliver(process, [`${now}`]);
	expect(await world.begun(process)).toEqual([now]);
	expect(await shown()).toEqual([before, now]);
	expect(await world.check(process)).toEqual([]);
});
