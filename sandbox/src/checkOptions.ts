import { CHARACTER_NAMES } from './characters/characters';
import { isE164 } from './fields';
import type { EventForm, SandboxOptions, Settings } from './options';
import type { LineSeed } from './seed/seed';

const EVENT_FORMS: EventForm[] = ['envelope', 'flat'];

/**
 * Refuses options that a program without types has got wrong, before a call meets them.
 *
 * @param known the names of the options
 * @throws TypeError with a sentence
 */
export const checkOptions = (options: SandboxOptions, known: Array<keyof Settings>): void => {
	const unknown = Object.keys(options).find((name) => !known.some((one) => one === name));
	if (unknown !== undefined) {
		throw new TypeError(`There is no option ${unknown}. The options are ${known.join(', ')}.`);
	}
	checkChoice('character', options.character, CHARACTER_NAMES);
	checkChoice('eventForm', options.eventForm, EVENT_FORMS);
	for (const { key, secret } of options.keyPairs ?? []) {
		checkSecret('key', key);
		checkSecret('secret', secret);
	}
	checkLines(options.lines ?? []);
	for (const name of ['callLogSize', 'deliveryLogSize'] as const) checkSize(name, options[name]);
};

const checkSize = (name: string, value: number | undefined) => {
	if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return;
	throw new TypeError(`The option ${name} must be a whole number above 0, not ${String(value)}.`);
};

const checkChoice = (name: string, value: string | undefined, choices: readonly string[]) => {
	if (value === undefined || choices.includes(value)) return;
	throw new TypeError(`The option ${name} must be one of ${choices.join(', ')}, not "${value}".`);
};

/** A header does not keep a space around a key, and an empty one would be that of a caller who sends none (§5.6). */
const checkSecret = (name: string, value: string | undefined) => {
	if (value === undefined || (value !== '' && value === value.trim())) return;
	throw new TypeError(`A ${name} must not be empty, nor begin or end with a space.`);
};

const checkLines = (lines: LineSeed[]) => {
	const numbers = new Set<string>();
	for (const line of lines) {
		const { number } = line;
		if (!isE164(number)) {
			throw new TypeError(`A line’s number must be like +15550100001, not "${number}".`);
		}
		if (numbers.has(number)) throw new TypeError(`There are two lines ${number}.`);
		numbers.add(number);
		for (const field of ['handle', 'label'] as const) {
			if (!line[field]) throw new TypeError(`The line ${number} needs a ${field}.`);
		}
		for (const field of ['hourlyLimit', 'dailyLimit'] as const) {
			if (Number.isSafeInteger(line[field])) continue;
			const article = field === 'hourlyLimit' ? 'an' : 'a';
			throw new TypeError(`The line ${number} needs ${article} ${field}, a whole number.`);
		}
	}
};
