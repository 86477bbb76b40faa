import { Listeners } from '../../nodes/TwoWayMessaging/waiting/listeners';

test('one of the triggers that receive the texts of an account saves its questions', async () => {
	const listeners = new Listeners();
	const saved: string[] = [];
	const listen = (key: string, account: string) =>
		listeners.set(key, {
			account,
			workflow: 'w',
			mayStart: () => true,
			save: async () => void saved.push(key),
		});
	listen('stopped', 'a');
	listen('of another account', 'b');
	listen('one', 'a');
	listen('other', 'a');
	listeners.delete('stopped');
	await listeners.save('a');
	expect(saved).toEqual(['one']);
	expect(listeners.of('a')).toHaveLength(2);
});
