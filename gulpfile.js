const { rm } = require('node:fs/promises');
const { execFile } = require('node:child_process');
const { dest, parallel, series, src } = require('gulp');

/** Removes what an earlier build left, so that nothing deleted is shipped. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** Compiles nodes and credentials into dist. */
const compile = (done) => {
	execFile(
		process.execPath,
		[require.resolve('typescript/bin/tsc'), '--project', 'tsconfig.build.json'],
		(error, stdout) => done(error ? new Error(stdout || error.message) : null),
	);
};

/** Copies what n8n reads beside the code: icons, codex files and output schemas. */
const copyAssets = () =>
	src(['nodes/**/*.{svg,json}', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

/** Gives nodes of version 1.1 the output schemas of version 1, which say the same: n8n looks for them by version. */
const copySchemas = () =>
	src('nodes/TwoWayMessaging/__schema__/v1.0.0/**/*.json').pipe(
		dest('dist/nodes/TwoWayMessaging/__schema__/v1.1.0'),
	);

exports.build = series(clean, parallel(compile, copyAssets, copySchemas));
exports.default = exports.build;
