import { Listeners } from '../../nodes/TwoWayMessaging/waiting/listeners';

let listeners: Listeners;

beforeEach(() => {
	listeners = new Listeners();
});

/** A trigger that says when it saves. */
const trigger = (account: string, more: { credential?: string; saved?: string[] } = {}) => ({
	account,
	...(more.credential && { credential: more.credential }),
	save: async () => void more.saved?.push(account),
});

test('a trigger listens until it stops, with the account and the credential that it named last', () => {
	listeners.add('one', trigger('a', { credential: 'c' }));
	listeners.add('other', trigger('b'));
	expect(listeners.of('a')).toMatchObject([{ account: 'a', credential: 'c' }]);
	listeners.add('one', trigger('b'));
	expect([listeners.of('a'), listeners.of('b')]).toMatchObject([[], [{}, {}]]);
	expect(listeners.find('one')).toEqual({ account: 'b', save: expect.any(Function) });
	listeners.markStopped('one');
	expect([listeners.of('b'), listeners.find('one')]).toMatchObject([[{}], undefined]);
});

test('adding a trigger tells what was known of it, so that saved questions are read once', () => {
	expect(listeners.add('one', trigger('a', { credential: 'c' }))).toBeUndefined();
	expect(listeners.add('one', trigger('b'))).toMatchObject({ account: 'a', credential: 'c' });
});

test('one of the triggers that receive the texts of an account saves its questions', async () => {
	const saved: string[] = [];
	listeners.add('stopped', trigger('a', { saved }));
	listeners.markStopped('stopped');
	listeners.add('one', trigger('a', { saved }));
	listeners.add('other', trigger('a', { saved }));
	listeners.add('of another account', trigger('b', { saved }));
	await listeners.save('a');
	expect(saved).toEqual(['a']);
});
