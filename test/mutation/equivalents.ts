/** A change that no test can notice, as the code behaves the same with it. */
export type Equivalent = {
	/** Below `nodes/TwoWayMessaging/`. */
	file: string;
	/** The code that is changed, its white space shortened. */
	code: string;
	replacement: string;
	/** Why nobody can tell the difference. */
	reason: string;
};

export const EQUIVALENTS: Equivalent[] = [];
