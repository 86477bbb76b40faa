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

exports.build = series(clean, parallel(compile, copyAssets));
exports.default = exports.build;
