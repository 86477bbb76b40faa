/**
 * Ends npm and everything it started when the playground has ended without stopping it (SIGKILL, a closed terminal): the
 * channel between the two breaks then. It is loaded into npm, which leads the group, before npm's own code.
 */
process.once('disconnect', () => {
	if (process.platform === 'win32') process.exit(1);
	process.kill(-process.pid, 'SIGKILL');
});
// An npm that has done its work does not wait for the channel.
process.channel?.unref();
