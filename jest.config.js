const { availableParallelism } = require('node:os');
const { join } = require('node:path');

const compileTo = (jsc) => ['@swc/jest', { jsc, module: { type: 'commonjs' } }];

/** Unit, sandbox and integration tests; the end-to-end and the scale tests have their own configurations. */
module.exports = {
	roots: ['<rootDir>/test'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/scale/'],
	// n8n is loaded once a worker, and not once a file.
	testEnvironment: join(__dirname, 'test/environment/index.js'),
	moduleNameMapper: {
		'^(?:@n8n/)?(n8n-workflow|n8n-workflow-1-86|n8n-core|di|backend-common)$':
			'<rootDir>/test/environment/$1.js',
	},
	transform: {
		'^.+\\.tsx?$': compileTo({ parser: { syntax: 'typescript' }, target: 'es2022' }),
		// The phone's scripts are ES modules, which a browser loads as they are.
		'/sandbox/src/phone/.+\\.js$': compileTo({ target: 'es2022' }),
	},
	// Use every processor, also while some tests wait for an answer or a pause.
	maxWorkers: availableParallelism() + 1,
	// What is published; `npm run coverage` says how much of it the tests run.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageProvider: 'v8',
	coverageReporters: ['text-summary', 'html'],
	restoreMocks: true,
	// Tests wait for something to happen and not for a time, and on a busy machine that takes longer.
	testTimeout: 30_000,
};
