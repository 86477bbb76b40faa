import './nodeVersion';
import { HELP } from './options';
import { startPlayground } from './playground';
import { runCommand } from './session';

runCommand({
	name: 'npm start',
	help: HELP,
	start: async (start) => await startPlayground({ ...start, withShop: true }),
	describe: ({ firstPage, sandboxUrl, login, inspectPort, n8nLog }) =>
		[
			'',
			'The playground is running.',
			'',
			`  Phone    ${sandboxUrl}/   text as a customer, and see the answer`,
			`  n8n      ${firstPage}   the workflow that answers`,
			`  Log-in   ${login.email}   password ${login.password}`,
			`  Log      ${n8nLog}   what n8n says`,
			...(inspectPort
				? [`  Debugger 127.0.0.1:${inspectPort}   and n8n takes over each change of the nodes`]
				: []),
			'',
			'Ctrl-C stops everything.',
		].join('\n'),
});
