import { awkward } from './awkward';
import type { Character } from './character';
import { foreign } from './foreign';
import { generous } from './generous';
import { literal } from './literal';

/** The names of the characters; the first one is the usual one. */
export const CHARACTER_NAMES = ['literal', 'generous', 'awkward', 'foreign'] as const;
export type CharacterName = (typeof CHARACTER_NAMES)[number];

/** The characters that the service can have. */
export const CHARACTERS: Readonly<Record<CharacterName, Character>> = {
	literal,
	generous,
	awkward,
	foreign,
};
