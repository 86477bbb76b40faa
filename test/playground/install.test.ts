import { N8N, N8N_1, N8nInstallation } from '../../playground/install';
import { FakeNpm } from './fakeNpm';

const npm = new FakeNpm();
const installation = new N8nInstallation(npm.folder, N8N);
const node = { path: process.execPath, major: 24 };

describe('the installation of n8n', () => {
	test('pins one exact version of n8n 2, and one of n8n 1', () => {
		expect(N8N.version).toMatch(/^2\.\d+\.\d+$/);
		expect(N8N_1.version).toMatch(/^1\.\d+\.\d+$/);
	});

	test('is complete after its native parts are built, for the Node that they are built for', async () => {
		npm.does('');
		await installation.download(node);
		expect(await installation.isComplete(24)).toBe(false);
		await installation.build(node);
		expect(await installation.isComplete(24)).toBe(true);
		expect(await installation.isComplete(26)).toBe(false);
	});

	test('is not complete any more after another download has failed', async () => {
		npm.does("console.error('npm error code E500'); process.exitCode = 1");
		await expect(installation.download(node)).rejects.toThrow(/registry did not answer/);
		expect(await installation.isComplete(24)).toBe(false);
	});

	test('says which tools it needs where its native parts cannot be built', async () => {
		npm.does("console.error('npm error gyp ERR! find Python'); process.exitCode = 1");
		await expect(installation.build(node)).rejects.toThrow(
			/It takes Python 3, make and a C\+\+ compiler/,
		);
	});
});
