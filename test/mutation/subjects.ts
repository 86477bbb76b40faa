/** A part of the code that keeps a promise, and the tests that must notice when it is changed. */
export type Subject = {
	/** Below `nodes/TwoWayMessaging/`. */
	files: string[];
	/** Below `test/`. */
	tests: string[];
};

export const SUBJECTS: Record<string, Subject> = {
	signature: { files: ['trigger/verifySignature.ts'], tests: ['trigger/verifySignature.test.ts'] },
	event: { files: ['trigger/event.ts'], tests: ['trigger/event.test.ts'] },
	nodeMemory: {
		files: ['trigger/nodeMemory.ts'],
		tests: [
			...['trigger/nodeMemory.test.ts', 'trigger/check/*.test.ts'],
			'integration/trigger{Execute,Publishing,Check,Webhook,WaitingEvents,Workers}.test.ts',
		],
	},
	filters: {
		files: ['trigger/filters.ts', 'comparableText.ts'],
		tests: ['trigger/filters.test.ts', 'waiting/consent.test.ts', 'comparableText.test.ts'],
	},
	inbox: { files: ['trigger/inbox.ts'], tests: ['trigger/inbox.test.ts'] },
	begunList: {
		files: ['trigger/begin/begin.ts'],
		tests: [
			...['integration/promises/startsOnce.test.ts', 'integration/answers.test.ts'],
			'integration/trigger{Execute,Check,Webhook,ExactlyOnce}.test.ts',
		],
	},
	reconciliation: {
		files: ['trigger/check/compareHistory.ts', 'trigger/check/lines.ts'],
		tests: ['trigger/check/*.test.ts'],
	},
	waitingList: {
		files: [
			...['waiting/waitingList.ts', 'waiting/listeners.ts', 'waiting/question.ts'],
			'service/account.ts',
		],
		tests: [
			...['waiting/*.test.ts', 'service/account.test.ts', 'integration/answers.test.ts'],
			'action/find.test.ts',
		],
	},
	matching: { files: ['action/sending/find.ts'], tests: ['action/find.test.ts'] },
	ledger: {
		files: ['action/sending/ledger.ts', 'action/sending/deliver.ts', 'queue.ts'],
		tests: [
			...['action/ledger.test.ts', 'action/find.test.ts', 'action/deliver.test.ts'],
			...['queue.test.ts', 'integration/toolCalls.test.ts'],
		],
	},
	onlyOnce: {
		files: ['action/sending/once.ts', 'n8n/processedData.ts'],
		tests: [
			'action/once.test.ts',
			'integration/promises/onlyOnceFor.test.ts',
			'n8n/processedData.test.ts',
		],
	},
	understand: {
		files: ['waiting/understand.ts', 'waiting/consent.ts'],
		tests: ['waiting/understand.test.ts', 'waiting/consent.test.ts'],
	},
	pacing: { files: ['service/limits.ts'], tests: ['service/limits.test.ts'] },
	pages: {
		files: ['service/history.ts', 'service/answers.ts'],
		tests: [
			'service/{history,answers}.test.ts',
			'integration/{anyOperator,messages,getConversation}.test.ts',
		],
	},
};
