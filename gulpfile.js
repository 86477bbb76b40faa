const { rm } = require('node:fs/promises');
const { exec, execFile } = require('node:child_process');
const { dest, parallel, series, src } = require('gulp');

/** An error of which gulp shows the message, and not the place in this file. */
const failure = (message) => Object.assign(new Error(message), { showStack: false });

/** Removes what an earlier build left, so that nothing deleted is shipped. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** Compiles nodes and credentials into dist. */
const compile = (done) => {
	execFile(
		process.execPath,
		['node_modules/typescript-7/bin/tsc', '--project', 'tsconfig.build.json'],
		(error, stdout) => done(error && failure(stdout || error.message)),
	);
};

/** Copies what n8n reads beside the code: icons, codex files and output schemas. */
const copyAssets = () =>
	src(['nodes/**/*.{svg,json}', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

/** Runs a script of package.json. What it says comes in one piece, as other scripts run beside it. */
const script = (name) => {
	const run = (done) => {
		exec(`npm run ${name}`, { maxBuffer: Infinity }, (failed, stdout, stderr) => {
			if (failed) process.stdout.write(`${stdout}${stderr}`);
			done(failed && failure(`npm run ${name} failed, with what stands above`));
		});
	};
	return Object.assign(run, { displayName: name });
};

exports.build = series(clean, parallel(compile, copyAssets));
/** Everything that is checked before the tests run, side by side. */
exports.check = parallel(
	exports.build,
	...['typecheck:newest', 'lint:format', 'lint:code', 'typecheck:oldest'].map(script),
);
exports.default = exports.build;
