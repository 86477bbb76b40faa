const { availableParallelism } = require('node:os');

const compileTo = (jsc) => ['@swc/jest', { jsc, module: { type: 'commonjs' } }];

/** Unit, sandbox and integration tests; the end-to-end and the scale tests have their own configurations. */
module.exports = {
	roots: ['<rootDir>/test'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/scale/'],
	testEnvironment: 'node',
	transform: {
		'^.+\\.tsx?$': compileTo({ parser: { syntax: 'typescript' }, target: 'es2022' }),
		// The phone's scripts are ES modules, which a browser loads as they are.
		'/sandbox/src/phone/.+\\.js$': compileTo({ target: 'es2022' }),
	},
	// Use every processor, also while some tests wait for an answer or a pause.
	maxWorkers: availableParallelism() + 1,
	restoreMocks: true,
	// Tests wait for something to happen and not for a time, and on a busy machine that takes longer.
	testTimeout: 30_000,
};
