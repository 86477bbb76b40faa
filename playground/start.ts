import './nodeVersion';
import { HELP } from './options';
import { startPlayground } from './playground';
import { runCommand } from './session';

runCommand({
	name: 'npm start',
	help: HELP,
	start: async (start) => await startPlayground({ ...start, withShop: true }),
	describe: ({ firstPage, sandboxUrl, login }) =>
		[
			'',
			'The playground is running.',
			'',
			`  Phone    ${sandboxUrl}/   text as a customer, and see the answer`,
			`  n8n      ${firstPage}   the workflow that answers`,
			`  Log-in   ${login.email}   password ${login.password}`,
			'',
			'Ctrl-C stops everything.',
		].join('\n'),
});
