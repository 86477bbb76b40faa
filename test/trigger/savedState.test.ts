import { readField } from '../../nodes/TwoWayMessaging/trigger/savedState';

const REGISTRATION = { account: 'a', url: 'https://n8n.example', events: [], fingerprint: 'f' };
const CHECK = { account: 'a', history: { sinceMs: 0, excluded: [], open: {}, latest: [] } };

describe('what was saved in another form counts as not saved', () => {
	test.each([
		['no events', { ...REGISTRATION, events: undefined }],
		['events as a text', { ...REGISTRATION, events: 'receive' }],
		['no URL', { ...REGISTRATION, url: null }],
		['a list', [REGISTRATION]],
		['a broken text', '{'],
	])('a registration: %s', (_, registration) => {
		expect(readField({ registration } as never, 'registration')).toBeUndefined();
	});

	test.each([
		['a line without a state', { ...CHECK, lines: { l1: null } }],
		['lines as a list', { ...CHECK, lines: [null] }],
		['no history', { account: 'a' }],
	])('what a check has left: %s', (_, check) => {
		expect(readField({ check } as never, 'check')).toBeUndefined();
	});

	test('and what was saved rightly is read, as a text and as it is', () => {
		const check = { ...CHECK, lines: { l1: { blockedAt: null } } };
		const data = { registration: REGISTRATION, check: JSON.stringify(check) };
		expect(readField(data as never, 'registration')).toEqual(REGISTRATION);
		expect(readField(data as never, 'check')).toEqual(check);
	});
});
