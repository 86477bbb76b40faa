/**
 * Loaded into n8n before n8n's own code: when the playground goes away without a word (SIGKILL, a
 * closed terminal), the channel between the two breaks and n8n ends itself instead of staying behind.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
