import '../nodeVersion';
import { readOptions } from '../options';
import { runUntilAsked } from '../session';
import { COMMAND, startQueuePlayground, type QueuePlayground } from './playground';

const HELP = `${COMMAND} [-- options]

Starts the sandbox of the service and n8n in its queue mode: PostgreSQL, Redis, a main process, two
webhook processors, two workers and a balancer in front of them, with the two nodes installed, the
credential filled in and the example workflows active. PostgreSQL and Redis must be on this machine
(Debian: apt-get install postgresql redis-server); their own services are left alone.

  --port <number>      port of the sandbox and its phone   (default 4010, or SANDBOX_PORT)
  --n8n-port <number>  port of n8n's balancer              (default 5678, or N8N_PORT)
  --fresh              begin anew: removes the account, workflows and data, keeps the installed n8n
  --help               this text

Everything is kept in the folder .playground. Ctrl-C stops everything.`;

const whereThingsAre = (playground: QueuePlayground): string =>
	[
		'',
		'The playground is running in queue mode.',
		'',
		`  Phone    ${playground.sandboxUrl}/   text as a customer, and see the answer`,
		`  n8n      ${playground.n8nUrl}/   the balancer, in front of:`,
		...[playground.main, ...playground.webhooks].map(
			({ name, url }) => `             ${name.padEnd(10)} ${url}`,
		),
		`             ${playground.workers.map(({ name }) => name).join(' and ')}, which take their work from Redis`,
		`  Log-in   ${playground.account.email}   password ${playground.account.password}`,
		'',
		'Ctrl-C stops everything.',
	].join('\n');

runUntilAsked(async (log, asked) => {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options.isHelp) {
		log(HELP);
		return;
	}
	const playground = await startQueuePlayground({ ...options, log, signal: asked() });
	return { running: playground, words: whereThingsAre(playground) };
}, COMMAND);
