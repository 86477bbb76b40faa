import type { Call } from '../http';
import { MAX_MEDIA_BYTES, isAllowedType } from '../mediaStore';
import { BadRequest, refuseRequest } from '../refusals';
import type { World } from '../world';

/** POST /media (§4.8). assumption: multipart with the field `file`; the answer is `{ media_url }`. */
export const uploadMedia = async (c: Call, world: World) => {
	const form = await c.req.formData().catch(() => {
		throw new BadRequest('The body must be multipart/form-data with a field named file.', 'file');
	});
	const file = form.get('file');
	if (!(file instanceof File)) throw new BadRequest('The file field is required.', 'file');
	const type = file.type.split(';')[0]!.trim().toLowerCase();
	if (!isAllowedType(type)) {
		throw new BadRequest(`Media of type ${type || 'unknown'} is not taken.`, 'file');
	}
	if (file.size > MAX_MEDIA_BYTES) {
		return refuseRequest(c, 413, 'The file is larger than 10 MB.', 'file');
	}
	const { id } = world.media.add(type, await file.arrayBuffer());
	return c.json({ media_url: `${new URL(c.req.url).origin}/sandbox/media/${id}` }, 201);
};

/** Serves an upload back to whoever has its address, as a carrier would fetch it. */
export const showMedia = (c: Call, world: World) => {
	const media = world.media.get(c.req.param('id') ?? '');
	if (!media) return refuseRequest(c, 404, 'No media with this address.');
	return c.body(media.bytes, 200, {
		'content-type': media.type,
		// What people upload must not run in the page's name.
		'content-security-policy': 'sandbox',
		'x-content-type-options': 'nosniff',
	});
};
