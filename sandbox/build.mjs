import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// contract.ts belongs to the nodes. Bundling includes it, so that the package does not need them.
rmSync(at('dist'), { recursive: true, force: true });
await build({
	entryPoints: [at('src/cli.ts'), at('src/index.ts')],
	outdir: at('dist'),
	bundle: true,
	packages: 'external',
	platform: 'node',
	target: 'node20',
	format: 'cjs',
});
cpSync(at('src/phone'), at('dist/phone'), { recursive: true });

// esbuild knows no types.
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '--project', at('tsconfig.build.json')], {
	stdio: 'inherit',
});
