import { CHARACTER_NAMES } from '../characters/characters';
import { choiceIn, readFields } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import type { World } from '../world';

/** POST /sandbox/character {character}: gives the service another character, until a reset. */
export const changeCharacter = async (c: Call, world: World) => {
	const character = choiceIn(await readFields(c), 'character', CHARACTER_NAMES);
	if (!character) {
		const names = CHARACTER_NAMES.join(', ');
		throw new BadRequest(`The character field must be one of: ${names}.`, 'character');
	}
	world.changeCharacter(character);
	return c.json({ character });
};
