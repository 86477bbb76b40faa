import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const SUITES: Record<string, string> = { e2e: 'jest.e2e.config.js', scale: 'jest.scale.config.js' };

/** What stands for a case's values in a title of `test.each`: `%s`, `$name`, `${…}`. */
const VALUE_IN_TITLE = /%[a-zA-Z#]|\$[\w.]+|\$\{[^}]*\}/g;

/**
 * The pattern, as jest's `-t` takes it, for the innermost test or group of tests around a line.
 *
 * @param line counted from 1
 * @returns undefined where the line is in no test
 */
function titlesAt(source: string, line: number): string | undefined {
	const around = titled(source).filter(({ first, last }) => first <= line && line <= last);
	return around.length > 0 ? around.map(({ title }) => patternOf(title)).join(' ') : undefined;
}

/** The tests and groups of tests of a file: what makes each, its title as it is written, and its lines. */
export function titled(source: string) {
	const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
	const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
	const found: Array<{ maker: string; title: string; first: number; last: number }> = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && /^(describe|test|it)\b/.test(node.expression.getText())) {
			const [title] = node.arguments;
			// The call inside of test.each(…)(…) has the cases and no title.
			if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
				found.push({
					maker: node.expression.getText(),
					title: title.getText().slice(1, -1),
					...{ first: lineOf(node.getStart()), last: lineOf(node.getEnd()) },
				});
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

/** A title as a regular expression, in which the values of cases may be anything. */
const patternOf = (title: string) =>
	title
		.replace(/\\(['"`])/g, '$1')
		.split(VALUE_IN_TITLE)
		.map((words) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		.join('.*');

/** Runs the test at a place, `test/house.test.ts:40`; in an editor, the debugger comes along into jest. */
function run(place: string): number {
	const [, path = place, line = '1'] = /^(.*?)(?::(\d+))?$/.exec(place) ?? [];
	const titles = titlesAt(readFileSync(path, 'utf8'), Number(line));
	if (titles === undefined) {
		process.stderr.write(`Line ${line} is in no test; all of the file run\n`);
	}
	const config = SUITES[/^test[\\/](\w+)/.exec(path)?.[1] ?? ''];
	const args = [
		'--runInBand',
		...(config ? ['--config', config] : []),
		...['--runTestsByPath', path],
		...(titles === undefined ? [] : ['--testNamePattern', titles]),
	];
	const jest = [require.resolve('jest/bin/jest'), ...args];
	return spawnSync(process.execPath, jest, { stdio: 'inherit' }).status ?? 1;
}

if (require.main === module) process.exitCode = run(process.argv[2] ?? '');
