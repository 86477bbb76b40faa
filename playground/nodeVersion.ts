// This file is imported first, because the other imports may not even load on an older Node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`The playground needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
	console.error('Install a newer one, then run: npm ci && npm start');
	process.exit(1);
}
