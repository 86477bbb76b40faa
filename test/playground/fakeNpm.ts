import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An npm that does what a test wants. The playground finds it by the variable that npm itself sets. */
export class FakeNpm {
	/** A folder for the test, which `remove` deletes. */
	readonly folder = mkdtempSync(join(tmpdir(), 'two-way-messaging-npm-'));

	private readonly script = join(this.folder, 'npm-cli.js');
	private readonly before = process.env.npm_execpath;

	/** Makes npm run a JavaScript program from now on. */
	does(script: string): void {
		writeFileSync(this.script, script);
		process.env.npm_execpath = this.script;
	}

	/** Makes the playground find the real npm again, and deletes the folder. */
	remove(): void {
		if (this.before === undefined) delete process.env.npm_execpath;
		else process.env.npm_execpath = this.before;
		rmSync(this.folder, { recursive: true, force: true });
	}
}
