/** Tests of n8n in queue mode: several processes, PostgreSQL and Redis. The first run installs n8n. */
module.exports = {
	...require('./jest.config'),
	testEnvironment: 'node',
	moduleNameMapper: {},
	roots: ['<rootDir>/test/scale'],
	testPathIgnorePatterns: ['/node_modules/'],
	// The first start installs n8n, which takes minutes on a slow machine.
	testTimeout: 20 * 60_000,
};
