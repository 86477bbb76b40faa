/**
 * Ends n8n when the playground has ended without stopping it (SIGKILL, a closed terminal): the channel between
 * the two breaks then. It is loaded into n8n before n8n's own code.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
