import { join } from 'node:path';
import axios from 'axios';
import { freePort, LOOPBACK } from '../../playground/machine';
import { N8nProcess } from '../../playground/n8n';
import { temporaryFolder } from '../support/temporaryFolder';

const folder = temporaryFolder();
test('a debugger can attach to an n8n that is started with a port for it, on this machine only', async () => {
	const inspectPort = await freePort();
	const n8n = await N8nProcess.spawn({
		...{ nodePath: process.execPath, script: join(__dirname, 'fakeN8n.cjs'), inspectPort },
		...{ userFolder: folder, logFile: join(folder, 'n8n.log'), port: await freePort() },
	});
	try {
		await n8n.ready();
		const url = `http://${LOOPBACK}:${inspectPort}/json/list`;
		const { data } = await axios.get<Array<Record<string, string>>>(url, { proxy: false });
		expect(data).toEqual([
			expect.objectContaining({
				title: expect.stringContaining('fakeN8n.cjs') as string,
				webSocketDebuggerUrl: expect.stringContaining(`ws://${LOOPBACK}:${inspectPort}/`) as string,
			}),
		]);
	} finally {
		await n8n.stop();
	}
});
