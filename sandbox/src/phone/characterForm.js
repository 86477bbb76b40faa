import { element } from './elements.js';
import { notify } from './notices.js';
import { call } from './service.js';
import { CHARACTERS } from './words.js';

const titled = (name) => name[0].toUpperCase() + name.slice(1);

/** The choice of what the service does where its document is silent. */
export const characterForm = (character) => {
	const choice = element(
		'select',
		{
			onchange: async () => {
				const name = choice.value;
				const done = await call('POST', '/sandbox/character', { character: name });
				if (done) notify(`The service is ${name} now.`);
				else choice.value = character;
			},
		},
		Object.keys(CHARACTERS).map((name) =>
			element('option', { value: name, selected: name === character }, titled(name)),
		),
	);
	return [
		element('label', { className: 'field' }, 'What its document leaves open', choice),
		element(
			'p',
			{ className: 'hint' },
			`${titled(character)}: the service ${CHARACTERS[character]}`,
		),
	];
};
