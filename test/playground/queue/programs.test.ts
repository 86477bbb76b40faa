import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPrograms } from '../../../playground/queue/programs';
import { temporaryFolder } from '../../support/temporaryFolder';

let folder: string;

beforeEach(() => {
	folder = temporaryFolder();
});

const install = async (...names: string[]) => {
	for (const name of names) {
		await writeFile(join(folder, name), '#!/bin/sh\n');
		await chmod(join(folder, name), 0o755);
	}
};

describe('the programs that queue mode needs', () => {
	test('are found where they can be executed', async () => {
		await install('initdb', 'postgres', 'redis-server');
		expect(findPrograms(`/nowhere:${folder}`, [])).toEqual({
			initdb: join(folder, 'initdb'),
			postgres: join(folder, 'postgres'),
			redis: join(folder, 'redis-server'),
		});
		// And in the folders where the system keeps them.
		expect(findPrograms('', [folder]).postgres).toBe(join(folder, 'postgres'));
		await chmod(join(folder, 'redis-server'), 0o644);
		expect(() => findPrograms('', [folder])).toThrow('needs Redis,');
	});

	test.each([
		[['initdb', 'postgres'], 'needs Redis,'],
		[['postgres', 'redis-server'], 'needs PostgreSQL,'],
		[[], 'needs PostgreSQL and Redis,'],
	])('with %j alone, the refusal says what is missing and how to install it', async (...given) => {
		const [names, missing] = given;
		await install(...names);
		const words = new RegExp(`${missing}[^]*apt-get install postgresql redis-server`);
		expect(() => findPrograms('', [folder])).toThrow(words);
	});
});
