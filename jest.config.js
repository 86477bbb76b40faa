/** Unit, sandbox and integration tests; the end-to-end tests have a configuration of their own. */
module.exports = {
	roots: ['<rootDir>/test'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/scale/'],
	testEnvironment: 'node',
	transform: {
		'^.+\\.tsx?$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	// Every processor: jest would leave one of two idle.
	maxWorkers: '100%',
	restoreMocks: true,
	// A test waits for something that happens, not for time; a busy machine takes longer to let it happen.
	testTimeout: 30_000,
};
