import type { IExecuteFunctions, ITriggerFunctions } from 'n8n-workflow';
import type { TriggerCall } from './nodeMemory';
import { accountOf } from './wanted';
import { connectNode } from './signingSecrets';

/** A published workflow that starts for every text to some lines; to all lines where it names none. */
type Hearer = { workflow: string; account: string; lines: string[] };

/** Those of this process, by the key of their trigger. */
class Hearers extends Map<string, Hearer> {
	constructor() {
		super();
	}
}

/** Says in the log that another workflow starts for the same texts: the customer gets two answers. */
export function logWhoElseHears(call: TriggerCall<ITriggerFunctions>): void {
	const account = accountOf(call);
	const hearers = call.processMemory.part(Hearers);
	hearers.delete(call.nodeKey);
	const hearer = account === undefined ? undefined : hearerOf(call, account);
	if (!hearer) return;
	const words = whoElseHears(call, hearer);
	hearers.set(call.nodeKey, hearer);
	if (words) call.warn(`: ${words}`);
}

/** Forgets a workflow that has stopped. */
export function hearNoMore({ nodeKey, processMemory }: TriggerCall): void {
	processMemory.part(Hearers).delete(nodeKey);
}

/** Shows a person who tests the workflow in the editor the same, in the trigger's panel. */
export async function showWhoElseHears(call: TriggerCall<IExecuteFunctions>): Promise<void> {
	if (call.processMemory.part(Hearers).size === 0) return;
	const { settings } = await connectNode(call);
	const hearer = hearerOf(call, settings.accountId);
	const message = hearer && whoElseHears(call, hearer);
	if (message) call.context.addExecutionHints({ message, location: 'outputPane' });
}

/** A workflow that is for some texts only is not one of two that answer. */
function hearerOf({ context, settings }: TriggerCall, account: string): Hearer | undefined {
	const { contains, from, lines, textIs } = settings.filters;
	const isForAll = contains.length + from.length + textIs.length === 0;
	if (!settings.kinds.includes('receive') || !isForAll) return undefined;
	const { name = '' } = context.getWorkflow();
	return { workflow: name, account, lines: lines.flat() };
}

function whoElseHears({ nodeKey, processMemory }: TriggerCall, own: Hearer): string | undefined {
	const others = [...processMemory.part(Hearers)].filter(
		([key, { account, lines }]) =>
			key !== nodeKey &&
			account === own.account &&
			(lines.length === 0 ||
				own.lines.length === 0 ||
				lines.some((one) => own.lines.includes(one))),
	);
	if (others.length === 0) return undefined;
	const names = others.map(([, { workflow }]) => `'${workflow}'`);
	return `${names.join(', ')} ${names.length === 1 ? 'hears' : 'hear'} this line, too. Each of them starts for every text.`;
}
