import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../message';
import { readLines, type LineFields } from '../../transport/readLines';
import { readChoice } from '../choiceField';
import type { Run } from '../run';

/** The option for a message whose line is blocked (§3.2). Without it, the refusal stops the node. */
export const ifLineBlockedOption: INodeProperties = {
	displayName: 'If Line Blocked',
	name: 'ifLineBlocked',
	type: 'options',
	// Who adds an option wants its effect, so it arrives with one.
	default: 'anotherLine',
	description: 'What to do when the chosen line is blocked',
	options: [
		{
			name: 'Stop and Say Why',
			value: 'fail',
			description: 'Treat it like every other refusal',
		},
		{
			name: 'Use Another Line',
			value: 'anotherLine',
			description: 'The customer gets the message from another number of yours',
		},
	],
};

/**
 * Whether another line sends where the chosen one is blocked.
 *
 * @throws NodeOperationError with the item's number
 */
export function readUsesAnotherLine(
	run: Run,
	{ ifLineBlocked }: Fields,
	itemIndex: number,
): boolean {
	const choices = ['fail', 'anotherLine'] as const;
	const field = { label: 'If Line Blocked', choices, fallback: 'fail', itemIndex } as const;
	return readChoice(run, ifLineBlocked, field) === 'anotherLine';
}

/**
 * The lines that a run uses in place of blocked ones. A line that was blocked once is not tried again in the run.
 *
 * ```ts
 * lines.markBlocked(handle);
 * const other = await lines.choose(itemIndex); // undefined where no line is left
 * ```
 */
export class OtherLines {
	private readonly blocked = new Set<string>();

	private lines: LineFields[] | undefined;

	constructor(private readonly run: Run) {}

	markBlocked(lineHandle: string): void {
		this.blocked.add(lineHandle);
	}

	isBlocked(lineHandle: string | undefined): boolean {
		return lineHandle !== undefined && this.blocked.has(lineHandle);
	}

	/**
	 * The line with the most room for new conversations (§8.2).
	 *
	 * @throws NodeApiError with the item's number where the lines cannot be read
	 */
	async choose(itemIndex: number): Promise<string | undefined> {
		// Not those that the run may have read before: a line was blocked since.
		this.lines ??= await readLines(await this.run.connection(), itemIndex);
		const [best] = this.lines
			.filter((line) => line.is_active !== false && !line.blocked_at)
			.filter((line) => !this.blocked.has(line.line_handle))
			.sort((one, other) => roomOf(other) - roomOf(one));
		return best?.line_handle;
	}
}

function roomOf({ limits }: LineFields): number {
	return Math.min(limits?.hourly?.remaining ?? 0, limits?.daily?.remaining ?? 0);
}
