import { existsSync } from 'node:fs';
import { readSeedFile, SHOP_SEED_FILE, type Seed } from '../sandbox/src';

/**
 * The conversations of a small shop, so that the first picture is not an empty phone; undefined once a workflow has
 * listened. The shop's texts are always some minutes old, so that workflow would take them for texts that it has missed,
 * and answer them. The shop's key pairs are left out: only the playground's own is accepted.
 */
export const shopForFirstStart = (registrationsFile: string): Seed | undefined =>
	existsSync(registrationsFile) ? undefined : { ...readSeedFile(SHOP_SEED_FILE), keyPairs: [] };
