import type { Given } from './examplesPlayground';
import { STAFF } from './examplesPlayground';

const LINE_BLOCKED = 'twmLineBlocked01';

/** The example about blocked lines. */
export const testLines = ({ playground, copy }: Given) => {
	test('Line blocked tells a person once, from the line with the most messages left; the execution fails when every line is blocked', async () => {
		const id = await copy(LINE_BLOCKED);
		const [first, second] = await playground().lines();
		const told = (await playground().textsTo(STAFF)).length;
		const block = async (handle: string | undefined, reason?: string) =>
			await playground().afterExecutions(id, 1, async () => {
				await playground().control(`/lines/${handle}/block`, { reason });
			});
		await playground().changeLine(first, { limits: { daily: 20 } });
		await playground().whilePublished([id], async () => {
			expect(await block(first?.line_handle, 'Too many complaints')).toEqual(['success']);
			expect((await playground().messagesTo(STAFF)).slice(told)).toMatchObject([
				{
					line_handle: second?.line_handle,
					content:
						`${first?.label} (${first?.number}) is blocked: Too many complaints. ` +
						`${second?.label} (${second?.number}) has the most room left today. Choose it where a node sends from a blocked line.`,
				},
			]);
			expect(await block(second?.line_handle)).toEqual(['error']);
			expect(await playground().textsTo(STAFF)).toHaveLength(told + 1);
		});
		await playground().changeLine(first, { limits: { daily: 200 } });
		for (const line of [first, second]) {
			await playground().control(`/lines/${line?.line_handle}/unblock`);
		}
	});
};
