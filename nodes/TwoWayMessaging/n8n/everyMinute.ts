import type { ITriggerFunctions } from 'n8n-workflow';

type RegisterCron = (cron: string | { expression: string }, onTick: () => void) => void;

/**
 * Calls a function every minute until the workflow stops. n8n takes an object since 1.123 at the latest, and a text in 1.88;
 * each throws at the other's. Should n8n drop it, publishing says so.
 *
 * @param second of the minute, so that not every n8n asks the service at the same moment
 */
export function everyMinute(
	trigger: ITriggerFunctions,
	second: number,
	onTick: () => unknown,
): void {
	const expression = `${second} * * * * *`;
	const registerCron = trigger.helpers.registerCron as RegisterCron;
	try {
		registerCron({ expression }, onTick);
	} catch {
		registerCron(expression, onTick);
	}
}
