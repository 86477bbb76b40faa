import type { Message } from '../message';

/** A trigger that receives what customers text, and passes answers to the executions that wait for them. */
export type Listener = {
	account: string;
	workflow: string;
	mayStart: (text: Message) => boolean;
	/** Saves the questions of the account with this trigger; resolves when n8n has done so. */
	save: () => Promise<void>;
};

/** The triggers of this process that receive answers by text, each by its key. */
export class Listeners extends Map<string, Listener> {
	constructor() {
		super();
	}

	/** The triggers that receive the texts of an account. */
	of(account: string): Listener[] {
		return [...this.values()].filter((one) => one.account === account);
	}

	/** Saves the questions of an account with one of its triggers: after a restart, all triggers of the process know them from it. */
	async save(account: string): Promise<void> {
		await this.of(account)[0]?.save();
	}
}
