import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readSeedFile, SeedRefusal, SHOP_SEED_FILE, type Seed } from '../../sandbox/src';
import { readSeed } from '../../sandbox/src/seed/readSeedFile';
import { CONTACT, FRONT_DESK, START_MS, SUPPORT, newService } from './service';
import { DAY_MS, HOUR_MS } from '../support/times';
import { temporaryFolder } from '../support/temporaryFolder';

type State = {
	lines: Array<Record<string, unknown>>;
	conversations: Array<{ contact: Record<string, unknown>; last_message: { content: string } }>;
	counts: { messages: number };
};

const SMALL = `
key_pairs:
  - { key: key_shop, secret: secret_shop }
  - { key: key_old, secret: secret_old, revoked: true }
lines:
  - number: +1 555 010-0009
    label: Counter
    limits: { hourly: 5 }
  - number: "+15550100010"
    line_handle: ${FRONT_DESK}
    is_active: false
    blocked: Too many complaints
contacts:
  - { number: ${CONTACT}, imessage: false, opted_out: true }
conversations:
  - customer: ${CONTACT}
    messages:
      - ago: 1d 2h
        customer: YES
      - at: 2026-01-05T08:59:00Z
        line: 12
        status: ERROR
        error_message: The number does not take messages
`;

const started = (seed: Seed) => {
	const service = newService({ seed });
	const state = async () => (await service.call('GET', '/sandbox/state')).body as unknown as State;
	return { ...service, state };
};

const startedWith = (seed: object) => started(readSeed(JSON.stringify(seed), 'seed.json'));

describe('A sandbox with a seed', () => {
	test('§2.3 §5.6 has the lines and key pairs of the seed, also a blocked and a revoked one', async () => {
		const { state, call } = started(readSeed(SMALL, 'small.yaml'));
		const { lines } = await state();
		expect(lines).toMatchObject([
			{
				...{ number: '+15550100009', label: 'Counter', is_active: true },
				line_handle: expect.stringMatching(/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/) as string,
				limits: { hourly: { limit: 5 }, daily: { limit: 200 } },
			},
			{
				...{ number: '+15550100010', line_handle: FRONT_DESK, is_active: false },
				block_reason: 'Too many complaints',
				blocked_at: new Date(START_MS).toISOString(),
			},
		]);
		// Every start gives a line the same handle.
		expect((await started(readSeed(SMALL, 'again.yaml')).state()).lines).toEqual(lines);
		const me = async (pair: string) => {
			const headers = { 'x-api-key': `key_${pair}`, 'x-api-secret': `secret_${pair}` };
			return (await call('GET', '/v1/me', undefined, headers)).status;
		};
		expect([await me('shop'), await me('old')]).toEqual([200, 401]);
	});

	test('has the history of the seed: oldest first, with its times, unsent, and again after a reset', async () => {
		const { rows, posted, sandbox, text, call } = started(readSeed(SMALL, 'small.yaml'));
		const seeded = [
			{
				...{ content: '12', status: 'ERROR', is_outbound: true, date_sent: null },
				error_message: 'The number does not take messages',
			},
			{
				...{ content: 'YES', status: 'RECEIVED', from: CONTACT, to: '+15550100009' },
				service: 'SMS',
				date_sent: new Date(START_MS - DAY_MS - 2 * HOUR_MS).toISOString(),
			},
		];
		await sandbox.advance(DAY_MS);
		expect(await rows()).toMatchObject(seeded);
		await text('Hi', { from: '+15551230002' });
		await call('POST', '/sandbox/reset');
		expect(await rows()).toMatchObject(seeded);
		expect(posted).toEqual([]);
	});

	test.each([
		['STOP', undefined, true],
		['STOP', false, false],
		['Hi', undefined, false],
	])('§1.5 after the text %s with opted_out %s: opted out is %s', async (content, said, result) => {
		const messages = [{ ago: '1h', customer: content }];
		const { state, send } = startedWith({
			contacts: [{ number: CONTACT, opted_out: said }],
			conversations: [{ customer: CONTACT, messages }],
		});
		expect((await state()).conversations[0]!.contact['opted_out']).toBe(result);
		expect((await send()).status).toBe(result ? 422 : 201);
	});

	test('§1.8 goes on with a conversation of the history although the limit is used up', async () => {
		const { send, sandbox, rows } = startedWith({
			lines: [{ number: '+15550100009', limits: { hourly: 0 } }],
			conversations: [{ customer: CONTACT, messages: [{ ago: '1h', line: 'Hi' }] }],
		});
		await send();
		await sandbox.advance(5_000);
		expect((await rows())[0]).toMatchObject({ content: 'Hello', status: 'DELIVERED' });
	});
});

test('The seed of a shop has conversations, an opt-out, a failed message and a revoked key pair', async () => {
	const seed = readSeedFile(SHOP_SEED_FILE);
	const { conversations, counts, lines } = await started(seed).state();
	expect(conversations.length).toBeGreaterThanOrEqual(5);
	expect(counts.messages).toBeGreaterThan(15);
	expect(conversations[0]!.last_message.content).toContain('bouquet for Friday');
	expect(conversations.filter(({ contact }) => contact['opted_out'])).toHaveLength(1);
	expect(seed.messages.filter(({ status }) => status === 'ERROR')).toHaveLength(1);
	expect(seed.keyPairs.map(({ isRevoked }) => isRevoked)).toEqual([false, true]);
	// Saved workflows name the sandbox's usual lines.
	expect(lines.map((line) => line['line_handle'])).toEqual([FRONT_DESK, SUPPORT]);
});

describe('A seed file that cannot be used is refused', () => {
	const message = (lines: string) =>
		`conversations:\n  - customer: +15551230001\n    messages:\n      - ${lines}\n`;

	const contact = (more: string) => `contacts:\n  - number: ${CONTACT}\n${more}`;
	const talk = `conversations:\n  - customer: ${CONTACT}\n    line: Desk\n    messages: []`;

	test.each<[string, string, string]>([
		['lines:\n  - label: Desk', 'line 2, lines.number', 'This field is required.'],
		['lines: 5', 'line 1, lines', 'This must be a list.'],
		[contact('    imesage: true'), 'line 3, contacts.imesage', 'not known here. Known are number,'],
		[contact(`  - number: ${CONTACT}`), 'line 3, contacts', 'stands above already'],
		[contact('    service: Pigeon'), 'line 3, contacts.service', 'iMessage, SMS, RCS, not Pigeon'],
		[talk, 'line 3, conversations.line', 'There is no line Desk. There are Front desk (+15550'],
		[message('{ ago: yesterday, customer: Hi }'), 'line 4', '"2d 3h" or "5m 20s", not yesterday'],
		[message('{ at: 2026-02-30T08:00:00Z, customer: Hi }'), 'line 4', 'not 2026-02-30T08:00:00Z'],
		[message('{ ago: 1h }'), 'line 4', 'needs the field customer or line'],
		[message("{ ago: 1h, customer: '' }"), 'line 4', 'A message needs a text or media_url.'],
		[message('{ ago: 1h, customer: Hi, status: SENT }'), 'line 4', 'always RECEIVED'],
		['contacts:\n  - number: +15550100001', 'line 2, contacts.number', 'the number of a line.'],
		['a: b\na: c', 'line 2', 'This is no valid YAML. The parser says: '],
		['', 'line 1', 'a record with the fields key_pairs, lines'],
	])('with its place and what to enter: %j', (text, place, why) => {
		const read = () => readSeed(text, 'shop.yaml');
		expect(read).toThrow(SeedRefusal);
		expect(read).toThrow(`shop.yaml, ${place}`);
		expect(read).toThrow(why);
	});

	test('where it has more messages than a machine can hold, however few lines that takes', () => {
		const messages = '{ago: 1h, line: Hi},'.repeat(1_000);
		const one = `conversations:\n  - &one { customer: ${CONTACT}, messages: [${messages}] }`;
		const text = one + '\n  - *one'.repeat(100);
		expect(() => readSeed(text, 'shop.yaml')).toThrow('A seed has at most 100,000 messages.');
	});

	test('also where it is no file, and says which', () => {
		const folder = temporaryFolder();
		const json = join(folder, 'shop.json');
		writeFileSync(json, JSON.stringify({ contacts: [{ number: CONTACT }] }, null, '\t'));
		expect(readSeedFile(json).contacts).toMatchObject([{ number: CONTACT }]);
		expect(() => readSeedFile(join(folder, 'none.yaml'))).toThrow('there is no such file');
		expect(() => readSeedFile(folder)).toThrow(
			`The seed file ${folder} cannot be read: this is a folder.`,
		);
	});

	test('never with anything but a refusal, whatever stands in it', () => {
		const names = ['lines', 'contacts', 'conversations', 'key_pairs', 'number', 'messages', 'ago'];
		const value = fc.letrec((tie) => ({
			any: fc.oneof(
				{ maxDepth: 4 },
				fc.constantFrom('+15551230001', '1h', 'true', '', null, 5, 'Hi'),
				fc.array(tie('any'), { maxLength: 3 }),
				fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 4 }),
			),
		})).any;
		const text = fc.oneof(
			fc.string(),
			value.map((one) => JSON.stringify(one)),
		);
		fc.assert(
			fc.property(text, (content) => {
				try {
					newService({ seed: readSeed(content, 'any.yaml') });
				} catch (cause) {
					expect(cause).toBeInstanceOf(SeedRefusal);
				}
			}),
			{ numRuns: 200 },
		);
	});
});
