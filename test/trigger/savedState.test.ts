import { readField, writeField } from '../../nodes/TwoWayMessaging/trigger/savedState';

const REGISTRATION = {
	account: 'a',
	url: 'https://n8n.example',
	events: [],
	fingerprint: 'f',
};
const CHECK = {
	account: 'a',
	kinds: [],
	history: { sinceMs: 0, settled: [], open: {}, latest: [] },
};

describe('what was saved in another form counts as not saved', () => {
	test.each([
		['no events', { ...REGISTRATION, events: undefined }],
		['events as a text', { ...REGISTRATION, events: 'receive' }],
		['no URL', { ...REGISTRATION, url: null }],
		['a list', [REGISTRATION]],
	])('a registration: %s', (_, registration) => {
		expect(
			readField({ registration: JSON.stringify(registration) }, 'registration'),
		).toBeUndefined();
	});

	test.each([
		['lines as a list', { ...CHECK, lines: [null] }],
		['no history', { account: 'a' }],
		[
			'what is settled in an older form',
			{ ...CHECK, history: { sinceMs: 0, open: {}, latest: [] } },
		],
	])('what a check has left: %s', (_, check) => {
		expect(readField({ check: JSON.stringify(check) }, 'check')).toBeUndefined();
	});

	test('a broken text, and what is no text', () => {
		expect(readField({ check: '{' }, 'check')).toBeUndefined();
		expect(readField({ check: CHECK }, 'check')).toBeUndefined();
	});
});

test('what was written is read, and what is written as undefined is gone', () => {
	const data = { other: 'field' };
	const check = { ...CHECK, lines: { l1: null } };
	writeField(data, { check, stoppedAtMs: 5 });
	expect([readField(data, 'check'), readField(data, 'stoppedAtMs')]).toEqual([check, 5]);
	writeField(data, { check: undefined });
	expect(Object.keys(data)).toEqual(['other', 'stoppedAtMs']);
});
