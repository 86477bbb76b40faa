import './nodeVersion';
import { HELP } from './options';
import { startPlayground } from './playground';
import { runCommand } from './session';

runCommand({
	name: 'npm start',
	help: HELP,
	start: startPlayground,
	describe: ({ n8nUrl, sandboxUrl, login }) =>
		[
			'',
			'The playground is running.',
			'',
			`  Phone    ${sandboxUrl}/   text as a customer, and see the answer`,
			`  n8n      ${n8nUrl}/   the workflow that answers, and more examples to try`,
			`  Log-in   ${login.email}   password ${login.password}`,
			'',
			'Ctrl-C stops everything.',
		].join('\n'),
});
