import { historyWorld } from '../historyWorld';
import { playIn, type Scenes } from '../scenes';

/* No customer's message is lost. */

const SCENES: Scenes = {
	'what no webhook brings, for example because n8n was down, the next check finds in the history':
		'publish; text lost1..3; check: lost1..3; text missed1..3; wait 5h; kill: missed1..3',
	'what came while n8n started comes with the check at its start, however new it is':
		'publish; text new; kill: new',
	'with 0 under Double-Check Every (Minutes), webhooks start the workflow all the same': `
		publish checkEvery=0; text delivered lost; webhook delivered: delivered; kill: nothing; check: nothing`,
	'when n8n was away for longer than Look Back at Most (Hours), the log says what is left out': `
		publish options.recoverHours=2; text old1..2; wait 2h; text missed1..2; wait 1h; kill: missed1..2;
		check: nothing; logs left out .*2.*2 hours`,
	'while n8n runs, nothing is too old: what came in days without the service is found when it is back': `
		publish; away; text a; check 1h: nothing; text b; check 20h: nothing; text c; check 29h: nothing;
		back; check: a b c`,
	'what came since the publishing starts the workflow, also where no check has worked until later': `
		text before@-10s undated@none; away /v2/messages; publish; text since@+1m; check; lose;
		back; tells; check: since; check: nothing`,
	'a message that turns up in the history 400 texts of customers late is found': `
		publish; text before1..200; wait 1s; text meanwhile1..200; check: before1..200 meanwhile1..200;
		behind late@-502s before200; check: late; kill: nothing`,
	'a message that is dated before the publishing starts nothing, whether it was there or turns up later': `
		text before1..3; publish; behind older@-1h; text older-and-last@-1h; check: nothing;
		text since; check: since`,
	'texts that still wait for their executions when you unpublish begin all the same':
		'publish; text m1..60; webhook m1..60; stop: m1..60',
	'texts that still wait when you unpublish begin also if n8n is killed after you published again': `
		publish; text m1..60; webhook m1..60; stop; text unpublished; wait 1m; publish; begin 4: m1..4;
		wait 10m; kill: m5..60`,
};

test.each(Object.entries(SCENES))('no customer’s message is lost: %s', playIn(historyWorld()));
