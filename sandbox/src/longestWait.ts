/** The longest wait of Node's own timers in milliseconds; with a longer one they wait 1 ms. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1;
