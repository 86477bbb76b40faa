import './nodeVersion';
import { HELP, readOptions } from './options';
import { startPlayground, type Playground } from './playground';
import { runUntilAsked } from './session';

const whereThingsAre = ({ n8nUrl, sandboxUrl, login }: Playground): string =>
	[
		'',
		'The playground is running.',
		'',
		`  Phone    ${sandboxUrl}/   text as a customer, and see the answer`,
		`  n8n      ${n8nUrl}/   the workflow that answers, and more examples to try`,
		`  Log-in   ${login.email}   password ${login.password}`,
		'',
		'Ctrl-C stops everything.',
	].join('\n');

runUntilAsked(async (log, asked) => {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options.isHelp) {
		log(HELP);
		return;
	}
	const playground = await startPlayground({ ...options, log, signal: asked() });
	return { running: playground, words: whereThingsAre(playground) };
});
