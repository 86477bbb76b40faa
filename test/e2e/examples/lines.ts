import * as shop from './shop';

const LINE_BLOCKED = 'twmLineBlocked01';
const TRIGGER = 'When a line is blocked';

/** What the daily limit of a line is at first, and what leaves it little room. */
const USUAL = { limits: { daily: 200 } };
const SCARCE = { limits: { daily: 20 } };

const roomIn = (line: shop.Line | undefined) =>
	`${line?.label} (${line?.number}) has the most room left today. Choose it where a node sends from a blocked line.`;

/** The example about blocked lines. */
export const testLines = () => {
	test('Line blocked tells a person once, from a line that can still send, and fails when none can', async () => {
		const id = await shop.copy(LINE_BLOCKED);
		const [first, second] = await shop.lines();
		const told = (await shop.textsTo(shop.STAFF)).length;
		/** How the executions end; one without items only saves that the line's event has begun. */
		const block = async (handle: string | undefined, reason?: string) =>
			await shop.afterExecutions(id, 1, async () => {
				await shop.control(`/lines/${handle}/block`, { reason });
			});
		await shop.changeLine(second, SCARCE);
		await shop.whilePublished(id, async () => {
			expect(await block(first?.line_handle, 'Too many complaints')).not.toContain('error');
			expect((await shop.messagesTo(shop.STAFF)).slice(told)).toMatchObject([
				{
					line_handle: second?.line_handle,
					content: `${first?.label} (${first?.number}) is blocked: Too many complaints. ${roomIn(second)}`,
				},
			]);
			expect(await block(second?.line_handle)).toContain('error');
			expect(await shop.textsTo(shop.STAFF)).toHaveLength(told + 1);
		});
		await shop.changeLine(second, USUAL);
		for (const line of [first, second]) {
			await shop.control(`/lines/${line?.line_handle}/unblock`);
		}
	});

	test('Line blocked tells about several lines in one text, from the line with the most messages left today', async () => {
		const [scarce, roomy] = await shop.lines();
		const told = (await shop.textsTo(shop.STAFF)).length;
		await shop.changeLine(scarce, SCARCE);
		const events = [
			{ event: 'line_blocked', label: 'Sales', number: '+15550100008', block_reason: 'Spam' },
			{ event: 'line_blocked', number: '+15550100009' },
		];
		const id = await shop.copy(LINE_BLOCKED, (workflow) => ({
			...workflow,
			id: workflow.id.replace('Blocked', 'Several'),
			pinData: { [TRIGGER]: events.map((json) => ({ json })) },
		}));
		await shop.run(id, TRIGGER);
		await shop.changeLine(scarce, USUAL);
		expect((await shop.messagesTo(shop.STAFF)).slice(told)).toMatchObject([
			{
				line_handle: roomy?.line_handle,
				content: `Sales (+15550100008) is blocked: Spam. The line (+15550100009) is blocked: no reason given. ${roomIn(roomy)}`,
			},
		]);
	});
};
