import { storeUpload } from '../endpoints/media';
import type { Call } from '../http';
import type { World } from '../world';

/** POST /sandbox/media: an upload as POST /media takes it, without a credential. 201 with `{ media_url }`. */
export const uploadFromPhone = async (c: Call, world: World) =>
	c.json({ media_url: (await storeUpload(c, world)).href }, 201);
