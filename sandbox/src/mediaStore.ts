/** A stored upload. */
export type StoredMedia = { id: string; type: string; bytes: ArrayBuffer };

/** assumption: an upload is refused above 10 MB (§8.3 does not show the limit). */
export const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

/** assumption: pictures, sound, film, documents and contact cards are taken (§8.3 does not show the types). */
const TYPES = /^(image|audio|video)\/[\w.+-]+$|^application\/pdf$|^text\/(plain|vcard|x-vcard)$/;

/** Whether a media type is taken. */
export const isAllowedType = (type: string): boolean => TYPES.test(type);

const MAX_STORED_BYTES = 20 * MAX_MEDIA_BYTES;

/** Uploaded media, the oldest given up when the room is used up. */
export class MediaStore {
	#byId = new Map<string, StoredMedia>();
	#bytes = 0;

	constructor(private readonly uuid: () => string) {}

	/** Keeps an upload. */
	add(type: string, bytes: ArrayBuffer): StoredMedia {
		const media = { id: this.uuid(), type, bytes };
		this.#byId.set(media.id, media);
		this.#bytes += bytes.byteLength;
		for (const oldest of this.#byId.values()) {
			if (this.#bytes <= MAX_STORED_BYTES) break;
			this.#byId.delete(oldest.id);
			this.#bytes -= oldest.bytes.byteLength;
		}
		return media;
	}

	/** An upload that is still kept. */
	get(id: string): StoredMedia | undefined {
		return this.#byId.get(id);
	}
}
