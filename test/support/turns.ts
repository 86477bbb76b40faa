/** As many waits of a TestClock as something may take one after the other. */
const TURNS = 5;

/** Lets everything go on that waits for no time to pass, and for no answer from a socket. */
export const turns = async (count = TURNS): Promise<void> => {
	for (let turn = 0; turn < count; turn += 1) {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
};
