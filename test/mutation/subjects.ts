/** A part of the code that keeps a promise, and the tests that must notice when it is changed. */
export type Subject = {
	/** Below `nodes/TwoWayMessaging/`. */
	files: string[];
	/** Below `test/`. */
	tests: string[];
};

export const SUBJECTS: Record<string, Subject> = {
	signature: {
		files: ['trigger/verifySignature.ts'],
		tests: ['trigger/verifySignature.test.ts'],
	},
	event: {
		files: ['trigger/event.ts'],
		tests: ['trigger/event.test.ts'],
	},
	nodeMemory: {
		files: ['trigger/nodeMemory.ts'],
		tests: ['trigger/nodeMemory.test.ts'],
	},
	filters: {
		files: ['trigger/filters.ts', 'trigger/consent.ts'],
		tests: ['trigger/filters.test.ts', 'trigger/consent.test.ts'],
	},
	begunList: {
		files: ['trigger/start/begunList.ts'],
		tests: ['trigger/start/begunList.test.ts'],
	},
	standings: {
		files: ['trigger/eventStandings.ts'],
		tests: ['trigger/eventStandings.test.ts'],
	},
	reconciliation: {
		files: ['trigger/missed/compareHistory.ts', 'trigger/missed/placeRows.ts'],
		tests: ['trigger/missed/compareHistory.test.ts'],
	},
	checks: {
		files: ['trigger/missed/readOn.ts', 'trigger/missed/checkMemory.ts'],
		tests: ['trigger/missed/readOn.test.ts', 'trigger/missed/checkMemory.test.ts'],
	},
	waitingList: {
		files: [
			'waiting/waitingList.ts',
			'waiting/onceByName.ts',
			'waiting/sendingGate.ts',
			'waiting/listeners.ts',
			'waiting/question.ts',
			'transport/serviceClocks.ts',
		],
		tests: ['waiting/*.test.ts', 'transport/serviceClocks.test.ts'],
	},
	matching: {
		files: ['resources/message/findAcceptedMessage.ts', 'resources/message/keptText.ts'],
		tests: ['resources/findAcceptedMessage.test.ts', 'resources/keptText.test.ts'],
	},
	attempts: {
		files: [
			'resources/message/sendAttempts.ts',
			'resources/message/inFlight.ts',
			'resources/message/sendsInFlight.ts',
			'resources/message/deliverMessage.ts',
		],
		tests: [
			'resources/sendAttempts.test.ts',
			'resources/inFlight.test.ts',
			'resources/sendsInFlight.test.ts',
			'resources/deliverMessage.test.ts',
		],
	},
	onlyOnce: {
		files: [
			'resources/message/onceList.ts',
			'resources/message/deliverOnce.ts',
			'resources/message/onlyOnceForOption.ts',
			'n8n/tableTurns.ts',
		],
		tests: [
			'resources/onceList.test.ts',
			'resources/deliverOnce.test.ts',
			'resources/onlyOnceForOption.test.ts',
		],
	},
	understandAnswer: {
		files: ['resources/message/question/understandAnswer.ts'],
		tests: ['resources/understandAnswer.test.ts'],
	},
	pacing: {
		files: ['transport/pacing.ts', 'transport/lane.ts'],
		tests: ['transport/pacing.test.ts', 'transport/lane.test.ts', 'transport/enterLane.test.ts'],
	},
	pages: {
		files: ['transport/historyPages.ts', 'transport/knownRows.ts'],
		tests: ['transport/historyPages.test.ts'],
	},
};
