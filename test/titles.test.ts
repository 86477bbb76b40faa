import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrongTitles } from './support/titles';

test('the title of every test is a rule in words of its own', () => {
	const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
	const wrong = files
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) =>
			wrongTitles(readFileSync(join(__dirname, file), 'utf8')).map((why) => `${file} ${why}`),
		);
	expect(wrong).toEqual([]);
});
