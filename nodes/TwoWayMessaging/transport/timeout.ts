/** How long the service may take to answer, in ms. */
export const ANSWER_TIMEOUT_MS = 30_000;
