/** A change that no test can notice, as the code behaves the same with it. */
export type Equivalent = {
	/** Below `nodes/TwoWayMessaging/`. */
	file: string;
	/** The code that is changed, its white space shortened. */
	code: string;
	replacement: string;
	reason: string;
};

export const EQUIVALENTS: Equivalent[] = [
	{
		file: 'service/history.ts',
		code: "outcome.kind === 'answer'",
		replacement: 'true',
		reason: 'What is no answer has no status, and no comparison with an absent one is true.',
	},
	{
		file: 'action/sending/ledger.ts',
		code: "'run index'",
		replacement: '""',
		reason: 'Any name will do that nothing else in a run has.',
	},
	{
		file: 'trigger/verifySignature.ts',
		code: 'timestamp === undefined',
		replacement: 'false',
		reason: 'The pattern of a timestamp refuses "undefined" too; the question is for the compiler.',
	},
	{
		file: 'waiting/consent.ts',
		code: "''",
		replacement: '"Stryker was here!"',
		reason: 'A text that is absent says no word of consent, and neither do these words.',
	},
];
