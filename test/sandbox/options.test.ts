import { createSandbox, type SandboxOptions } from '../../sandbox/src';

const LINE = {
	handle: 'a-line',
	number: '+15550100009',
	label: 'Counter',
	hourlyLimit: 5,
	dailyLimit: 5,
};

describe('createSandbox, which programs without types call as well,', () => {
	test.each<[object, string]>([
		[
			{ charakter: 'awkward' },
			'There is no option charakter. The options are keyPairs, lines, clock',
		],
		[
			{ character: 'nope' },
			'The option character must be one of literal, generous, awkward, foreign, not "nope".',
		],
		[{ eventForm: 'zzz' }, 'The option eventForm must be one of envelope, flat, not "zzz".'],
		[
			{ lines: [{ ...LINE, number: 'abc' }] },
			'A line’s number must be like +15550100001, not "abc".',
		],
		[{ lines: [{ ...LINE, label: '' }] }, 'The line +15550100009 needs a label.'],
		[{ lines: [{ number: '+15550100009' }] }, 'The line +15550100009 needs a handle.'],
		[
			{ lines: [{ ...LINE, hourlyLimit: '5' }] },
			'The line +15550100009 needs an hourlyLimit, a whole number.',
		],
		[
			{ keyPairs: [{ key: '', secret: 's' }] },
			'A key must not be empty, nor begin or end with a space.',
		],
		[
			{ keyPairs: [{ secret: 's ' }] },
			'A secret must not be empty, nor begin or end with a space.',
		],
		[{ callLogSize: 0 }, 'The option callLogSize must be a whole number above 0, not 0.'],
		[{ deliveryLogSize: -1 }, 'The option deliveryLogSize must be a whole number above 0, not -1.'],
		[{ lines: [LINE, { ...LINE, handle: 'b' }] }, 'There are two lines +15550100009.'],
	])('refuses %j in a sentence', (options, why) => {
		expect(() => createSandbox(options as SandboxOptions)).toThrow(why);
	});

	test('takes every option that is undefined as one that is not given', () => {
		const { keyPairs } = createSandbox({ character: undefined, lines: undefined, seed: undefined });
		expect(keyPairs).toHaveLength(1);
	});
});
