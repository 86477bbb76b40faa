import { join } from 'node:path';

/** The path of the seed file of a small shop, with conversations to look at. The file stands beside `src` and `dist`. */
export const SHOP_SEED_FILE = join(__dirname, '..', 'seeds', 'shop.yaml');
