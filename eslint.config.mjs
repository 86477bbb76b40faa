import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const packageSources = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** The clock is passed in, so that a test can pass another. */
const byTheClock = [
	{
		selector: "MemberExpression[object.name='Date'][property.name='now']",
		message: 'Read the time from the clock.',
	},
	{
		selector: "NewExpression[callee.name='Date'][arguments.length=0]",
		message: 'Read the time from the clock.',
	},
	{ selector: 'ImportSpecifier[imported.name=/^sleep/]', message: 'Wait by the clock.' },
];

/** How long a comparison takes must not tell how much of a guessed signature is right (§6.4). */
const inConstantTime = [
	'BinaryExpression[operator=/^[!=]==?$/] > Identifier[name=/digest|signature|expected/]',
	'BinaryExpression[operator=/^[!=]==?$/] > MemberExpression[property.name=/digest|signature|expected/]',
	'CallExpression[callee.property.name=/^(equals|compare|localeCompare)$/]',
].map((selector) => ({ selector, message: 'Compare signatures with timingSafeEqual.' }));

export default tseslint.config(
	{
		ignores: [
			'**/dist/**',
			'**/node_modules/**',
			'.playground/**',
			'.stryker-tmp/**',
			'coverage/**',
		],
	},
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.recommended],
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-explicit-any': 'error',
			// tsc says it.
			'@typescript-eslint/no-unused-vars': 'off',
			'no-console': 'error',
		},
	},
	{
		// A promise that nobody waits for, and a check of what cannot be otherwise, are known by the types alone.
		files: packageSources,
		languageOptions: { parserOptions: { project: 'tsconfig.build.json' } },
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/no-unnecessary-condition': 'error',
		},
	},
	{
		// A customer's text must not be able to hold the process: no expression may need more than linear time.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.{ts,js}'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': 'error',
			'regexp/no-super-linear-move': 'error',
		},
	},
	{
		// n8n's verification rules, for what is published.
		files: [...packageSources, 'package.json'],
		ignores: ['**/__schema__/**'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
	},
	{ files: ['package.json'], languageOptions: { parser: tseslint.parser } },
	{
		files: packageSources,
		plugins: { 'n8n-nodes-base': nodesBase },
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...nodesBase.configs.credentials.rules,
			// It wants a slug of n8n's own documentation; a community credential links to a page.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...nodesBase.configs.nodes.rules,
			// They want string literals, which n8n's own newer rule forbids.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		ignores: ['nodes/TwoWayMessaging/clock.ts'],
		rules: { 'no-restricted-syntax': ['error', ...byTheClock] },
	},
	{
		files: ['nodes/TwoWayMessaging/trigger/verifySignature.ts'],
		rules: { 'no-restricted-syntax': ['error', ...byTheClock, ...inConstantTime] },
	},
	{
		// Programs a person runs in a terminal.
		files: ['playground/**/*.ts', 'sandbox/**/*.ts', 'bench/**/*.ts', 'docs/**/*.ts'],
		rules: { 'no-console': 'off' },
	},
);
