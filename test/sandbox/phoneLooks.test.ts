type Entry = {
	kind: string;
	at: string;
	entry: { id: string; path?: string; fault?: string | null; answer?: { status: number } | null };
};
type Row = { key: string; kind: string; looks?: Array<{ id: string; path: string }> };
type Looks = {
	foldLooks: (entries: Entry[]) => Row[];
	looksText: (looks: Array<{ path: string }>) => string;
};

const { foldLooks, looksText } = jest.requireActual<Looks>('../../sandbox/src/phone/looks.js');

const call = (id: string, path = '/v2/messages?limit=100', fields: object = {}): Entry => ({
	kind: 'call',
	at: '2026-01-05T09:00:00Z',
	entry: { id, path, fault: null, answer: { status: 200 }, ...fields },
});
const event = (id: string): Entry => ({ kind: 'event', at: '2026-01-05T09:00:00Z', entry: { id } });

const rows = (...entries: Entry[]) =>
	foldLooks(entries).map(({ kind, looks }) => looks?.length ?? kind);

describe('The phone’s log', () => {
	test('folds looks at the history and the lines that stand one after the other', () => {
		expect(
			rows(call('6'), call('5', '/v1/lines'), event('4'), call('3'), call('2', '/v1/send-message')),
		).toEqual([2, 'event', 1, 'call']);
	});

	test.each([
		['a look without an answer yet', { answer: null }],
		['a look that was refused', { answer: { status: 429 } }],
		['a look with a fault that a person asked for', { fault: 'slow' }],
	])('shows %s for itself', (_, fields) => {
		expect(rows(call('3'), call('2', '/v2/messages', fields), call('1'))).toEqual([1, 'call', 1]);
	});

	test('keeps a row the same one while looks come in, so that it stays open', () => {
		const before = foldLooks([call('3'), call('2'), event('1')]);
		const after = foldLooks([call('4'), call('3'), call('2'), event('1')]);
		expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
	});

	test.each([
		[['/v2/messages'], '1 look at the history'],
		[['/v2/messages?a', '/v2/messages'], '2 looks at the history'],
		[['/v1/lines', '/v2/messages', '/v2/messages'], '2 looks at the history, 1 at the lines'],
		[['/v1/lines', '/v1/lines'], '2 looks at the lines'],
	])('says of looks at %j: %s', (paths, text) => {
		expect(looksText(paths.map((path) => ({ path })))).toBe(text);
	});
});
