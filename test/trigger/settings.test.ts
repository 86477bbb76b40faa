import { KnownSettings, type TriggerContext } from '../../nodes/TwoWayMessaging/trigger/settings';

test.each([
	['as long as they are the same', 7, [7, 7]],
	['anew with each event where one is an expression', '={{ $vars.minutes }}', [1, 2]],
])('the fields of a trigger are read %s', (_, checkEvery, read) => {
	let evaluated = 0;
	const context = {
		getNode: () => ({ parameters: { checkEvery } }),
		getNodeParameter: (name: string, fallback: unknown) => {
			if (name !== 'checkEvery') return fallback;
			return typeof checkEvery === 'number' ? checkEvery : (evaluated += 1);
		},
	} as unknown as TriggerContext;
	const known = new KnownSettings();
	expect([known.of(context), known.of(context)].map((one) => one.checkEveryMinutes)).toEqual(read);
});
