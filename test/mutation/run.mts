import { Stryker } from '@stryker-mutator/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUBJECTS, type Subject } from './subjects.js';

const LEAST_SHARE = 0.9;

const ROOT = join(import.meta.dirname, '..', '..');
const NODE = 'nodes/TwoWayMessaging/';

type Change = {
	/** Below `nodes/TwoWayMessaging/`. */
	file: string;
	line: number;
	code: string;
	replacement: string;
	isNoticed: boolean;
};

/** Changes the code that keeps the promises, one place at a time, and says which changes no test notices. */
async function main(named: string[]): Promise<void> {
	const unknown = named.find((name) => !Object.hasOwn(SUBJECTS, name));
	if (unknown !== undefined) {
		console.error(`No subject "${unknown}". There are: ${Object.keys(SUBJECTS).join(', ')}.`);
		process.exitCode = 2;
		return;
	}
	const rows: string[] = [];
	for (const [name, subject] of Object.entries(SUBJECTS)) {
		if (named.length > 0 && !named.includes(name)) continue;
		console.error(`Changing ${name} …`);
		const changes = await change(subject);
		for (const file of subject.files.map((one) => `${one}.ts`)) {
			const { row, isEnough } = report(
				file,
				changes.filter((made) => made.file === file),
			);
			rows.push(row);
			if (!isEnough) process.exitCode = 1;
		}
	}
	console.log(['', '| File | Noticed | Changes |', '|---|---|---|', ...rows].join('\n'));
}

async function change({ files, tests }: Subject): Promise<Change[]> {
	const results = await new Stryker({
		testRunner: 'jest',
		jest: {
			projectType: 'custom',
			configFile: 'jest.config.js',
			config: { testMatch: [`<rootDir>/test/${tests}.test.ts`] },
			enableFindRelatedTests: false,
		},
		mutate: files.map((file) => `${NODE}${file}.ts`),
		coverageAnalysis: 'perTest',
		ignorePatterns: ['.playground', 'dist', 'docs', 'workflows'],
		reporters: ['json'],
		jsonReporter: { fileName: '.stryker-tmp/report.json' },
		cleanTempDir: 'always',
	}).runMutationTest();
	return results
		.filter(({ status }) => !['Ignored', 'CompileError'].includes(status))
		.map(({ fileName, location, replacement = '', status }) => ({
			file: fileName.replaceAll('\\', '/').split(NODE)[1] ?? fileName,
			line: location.start.line,
			code: oneLine(readCode(fileName, location)),
			replacement: oneLine(replacement),
			isNoticed: status !== 'Survived' && status !== 'NoCoverage',
		}));
}

/** A file's row of the table; what no test noticed is printed. */
function report(file: string, changes: Change[]): { row: string; isEnough: boolean } {
	const unnoticed = changes.filter(({ isNoticed }) => !isNoticed);
	for (const made of unnoticed) {
		console.log(`${file}:${made.line}  ${made.code}  →  ${made.replacement}`);
	}
	const share = 1 - unnoticed.length / changes.length;
	return {
		row: `| ${file} | ${(share * 100).toFixed(1)} % | ${changes.length} |`,
		isEnough: share >= LEAST_SHARE,
	};
}

type Position = { line: number; column: number };

function readCode(file: string, { start, end }: { start: Position; end: Position }): string {
	const text = readFileSync(join(ROOT, file.replace(ROOT, '')), 'utf8');
	const lines = text.split('\n').slice(start.line - 1, end.line);
	lines.push(lines.pop()!.slice(0, end.column - 1));
	return [lines.shift()!.slice(start.column - 1), ...lines].join('\n');
}

const oneLine = (code: string): string => code.replaceAll(/\s+/g, ' ').trim();

void main(process.argv.slice(2));
