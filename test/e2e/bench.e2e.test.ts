import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

test('every bench that needs no running n8n runs to its end, in one small round', () => {
	const args = ['--import', 'tsx', join('bench', 'run.ts'), '--smoke'];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT });
	expect([status, status === 0 ? '' : String(stderr)]).toEqual([0, '']);
	expect(String(stdout)).toMatch(/sends[^]*history[^]*lists[^]*verify[^]*sandbox/);
});
