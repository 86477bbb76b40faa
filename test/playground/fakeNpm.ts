import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporaryFolder';

/** An npm that does what a test wants. The playground finds it by the variable that npm itself sets, until the file ends. */
export class FakeNpm {
	readonly folder = temporaryFolder();

	private readonly script = join(this.folder, 'npm-cli.js');

	does(script: string): void {
		writeFileSync(this.script, script);
		process.env.npm_execpath = this.script;
	}
}
