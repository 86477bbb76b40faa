import type { Call } from '../http';
import { answerCreated } from './answerCreated';
import { FILE_TOO_LARGE, MAX_MEDIA_BYTES, isAllowedType } from '../mediaStore';
import { BadRequest, refuseRequest } from '../refusals';
import type { World } from '../world';

/** POST /media (§4.8). assumption: a multipart form with the field `file`; the character shapes the answer. */
export const uploadMedia = async (c: Call, world: World) =>
	answerCreated(c, world.character.media(await storeUpload(c, world)), 201);

/** Stores the file of a multipart form; returns the URL from which everybody can fetch it. */
export const storeUpload = async (c: Call, world: World): Promise<URL> => {
	const form = await c.req.formData().catch(() => {
		throw new BadRequest('The body must be multipart/form-data with a field named file.', 'file');
	});
	const file = form.get('file');
	if (!(file instanceof File)) throw new BadRequest('The file field is required.', 'file');
	const type = file.type.split(';')[0]!.trim().toLowerCase();
	if (!isAllowedType(type)) {
		throw new BadRequest(
			`A file of type ${type || 'unknown'} is not accepted. ` +
				'Send a picture, sound, a film, a PDF, plain text or a contact card.',
			'file',
		);
	}
	if (file.size > MAX_MEDIA_BYTES) {
		throw new BadRequest(FILE_TOO_LARGE, 'file', 413);
	}
	const { id } = world.media.add(type, await file.arrayBuffer());
	return new URL(`/sandbox/media/${id}`, c.req.url);
};

/** Serves an upload to everybody who has its URL, because a carrier would fetch it like that. */
export const showMedia = (c: Call, world: World) => {
	const media = world.media.get(c.req.param('id') ?? '');
	if (!media) return refuseRequest(c, 404, 'No media with this URL.');
	return c.body(media.bytes, 200, {
		'content-type': media.type,
		// An upload must not run scripts as if it were the page itself.
		'content-security-policy': 'sandbox',
		'x-content-type-options': 'nosniff',
	});
};
