import { NO_REQUEST_LIMITS } from '../../sandbox/src';
import { testAnswerKills } from './survival/answerKills';
import { testBurst, testKills } from './survival/events';
import { testOnlyOnce } from './survival/onlyOnce';
import { Station } from './survival/station';

let station: Station;

beforeAll(async () => {
	station = await Station.open(
		{ N8N_EXPRESSION_ENGINE: 'legacy' },
		{ requestLimits: NO_REQUEST_LIMITS, deliveryLogSize: 20_000 },
	);
});
afterAll(async () => await station?.close());

// One n8n for all of them; each begins with no workflow published. It counts every delivery, so it comes first.
describe('a burst', () => testBurst(() => station));

describe('Send Only Once Per', () => testOnlyOnce(() => station));

describe('answers by text', () => testAnswerKills(() => station));

describe('kills', () => testKills(() => station));
