import '../nodeVersion';
import { runCommand } from '../session';
import { Trouble } from '../trouble';
import { COMMAND, startQueuePlayground } from './playground';

const HELP = `${COMMAND} [-- options]

Starts the sandbox of the service and n8n in its queue mode: PostgreSQL, Redis, a main process, two
webhook processors, two workers and a balancer in front of them, with the two nodes installed, the
credential filled in and the example workflows imported, one of them published. PostgreSQL and Redis
must be on this machine (Debian: apt-get install postgresql redis-server); the playground starts its
own. The first start installs n8n, which takes about five minutes and 4 GB of free disk.

  --port <number>      port of the sandbox and its phone   (default 4010, or SANDBOX_PORT)
  --n8n-port <number>  port of n8n's balancer              (default 5678, or N8N_PORT)
  --character <name>   what the service does where its document is silent: literal (the default: not a
                       field more than the document shows), generous or awkward
  --fresh              start over: removes the account, workflows and data, keeps the installed n8n
  --help               this text

An n8n process that ends although nobody stopped it is started again, up to three times in ten minutes.
Ctrl-C stops everything. The folder .playground keeps n8n with its log-in, workflows and executions.
At the first start the phone has the conversations of a small shop, to look at.
The conversations on the phone are gone after a stop: the sandbox has them in its memory only.
One playground at a time uses that folder; another start says which one runs, and touches nothing.`;

runCommand({
	name: COMMAND,
	help: HELP,
	start: async (start) => {
		if (start.inspectPort) {
			throw new Trouble(
				'In queue mode there are several n8n, and a debugger attaches to one.',
				'Debug in a single n8n: npm run dev',
			);
		}
		return await startQueuePlayground({ ...start, withShop: true });
	},
	describe: ({ n8nUrl, sandboxUrl, account, main, webhooks, workers }) =>
		[
			'',
			'The playground is running in queue mode.',
			'',
			`  Phone    ${sandboxUrl}/   text as a customer, and see the answer`,
			`  n8n      ${n8nUrl}/home/workflows   the balancer, in front of:`,
			...[main, ...webhooks].map(({ name, url }) => `             ${name.padEnd(10)} ${url}`),
			`             ${workers.map(({ name }) => name).join(' and ')}, which take their work from Redis`,
			`  Log-in   ${account.email}   password ${account.password}`,
			'',
			'Ctrl-C stops everything.',
		].join('\n'),
});
