import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from './src/control/description/operation';
import { paths } from './src/control/description/paths';

const README = join(__dirname, 'README.md');
const BEGIN =
	'<!-- Made from src/control/description/paths.ts: npx tsx sandbox/controlTable.ts -->\n';
const END = '<!-- End of what is made. -->\n';

/** The table of the control calls, one row for each. */
export const controlTable = (): string => {
	const rows = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => row(method, path, operation)),
	);
	return ['| Call | What it does |', '|---|---|', ...rows, ''].join('\n');
};

/** A text with the table in the place of the one in it. */
export const withControlTable = (readme: string): string => {
	const [before, rest = ''] = readme.split(BEGIN);
	const [, after] = rest.split(END);
	if (after === undefined) throw new Error('The README has no place for the table.');
	return `${before}${BEGIN}\n${controlTable()}\n${END}${after}`;
};

const row = (method: string, path: string, { parameters, requestBody, summary }: Operation) => {
	const queries = (parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
	const query = queries.length > 0 ? `?${queries.join('&')}` : '';
	const call = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}${query}`;
	const schema = requestBody?.content['application/json']?.schema;
	const names = Object.entries(schema?.properties ?? {}).map(([name, { properties }]) => {
		const inner = properties ? `: {${Object.keys(properties).join('?, ')}?}` : '';
		return `${name}${schema?.required?.includes(name) ? '' : '?'}${inner}`;
	});
	const body = names.length > 0 ? ` \`{${names.join(', ')}}\`` : '';
	return `| \`${call}\`${body} | ${summary} |`;
};

if (require.main === module) {
	writeFileSync(README, withControlTable(readFileSync(README, 'utf8')));
}
