/** End-to-end tests: a real n8n in the playground against the sandbox. The first run installs n8n. */
module.exports = {
	...require('./jest.config'),
	testEnvironment: 'node',
	moduleNameMapper: {},
	roots: ['<rootDir>/test/e2e'],
	testPathIgnorePatterns: ['/node_modules/'],
	// The first start installs n8n, which takes minutes on a slow machine.
	testTimeout: 15 * 60_000,
};
