/** A part of the code that keeps a promise, and the tests that must notice when it is changed. */
export type Subject = {
	/** Below `nodes/TwoWayMessaging/`, without `.ts`. */
	files: string[];
	/** A pattern below `test/`, without `.test.ts`. */
	tests: string;
};

export const SUBJECTS: Record<string, Subject> = {
	signature: { files: ['trigger/verifySignature'], tests: 'trigger/verifySignature' },
	event: { files: ['trigger/event'], tests: 'trigger/event' },
	nodeMemory: {
		files: ['trigger/nodeMemory'],
		tests:
			'{trigger/{nodeMemory,check/*},integration/{answers,expectedAnswers},integration/trigger{Execute,Publishing,Check,Webhook,WaitingEvents,Workers}}',
	},
	filters: {
		files: ['trigger/filters', 'comparableText'],
		tests: '{trigger/filters,waiting/consent,comparableText}',
	},
	inbox: { files: ['trigger/inbox'], tests: 'trigger/inbox' },
	begunList: {
		files: ['trigger/begin/begin'],
		tests:
			'integration/{promises/startsOnce,answers,trigger{Execute,Check,Webhook,ExactlyOnce,Log}}',
	},
	reconciliation: {
		files: ['trigger/check/compareHistory', 'trigger/check/lines'],
		tests: 'trigger/check/*',
	},
	waitingList: {
		files: ['waiting/waitingList', 'waiting/listeners', 'waiting/question', 'service/account'],
		tests: '{waiting/*,service/account,integration/answers,action/find}',
	},
	matching: { files: ['action/sending/find'], tests: 'action/find' },
	ledger: {
		files: ['action/sending/ledger', 'action/sending/deliver', 'queue'],
		tests: '{action/{ledger,find,deliver},queue,integration/toolCalls}',
	},
	onlyOnce: {
		files: ['action/sending/once'],
		tests: '{action/once,integration/promises/onlyOnceFor}',
	},
	table: {
		files: ['n8n/processedData'],
		tests: '{n8n/processedData,action/once,integration/trigger{Execute,Workers}}',
	},
	understand: {
		files: ['waiting/understand', 'waiting/days', 'waiting/parts', 'waiting/consent'],
		tests: 'waiting/*',
	},
	pacing: { files: ['service/limits'], tests: 'service/limits' },
	pages: {
		files: ['service/history', 'service/answers'],
		tests: '{service/{history,answers},integration/{anyOperator,messages,getConversation}}',
	},
};
