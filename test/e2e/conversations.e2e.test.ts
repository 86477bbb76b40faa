import { TemporaryPlayground } from '../support/playground/temporaryPlayground';
import { testReply } from './conversations/reply';
import { testSendAndWait } from './conversations/sendAndWait';

let playground: TemporaryPlayground;

beforeAll(async () => {
	playground = await TemporaryPlayground.start();
});

afterAll(async () => await playground?.removeAll());

describe('Send and Wait for Response', () => testSendAndWait(() => playground));

describe('Reply', () => testReply(() => playground));
