/** A stored upload. */
export type StoredMedia = { id: string; type: string; bytes: ArrayBuffer };

/** assumption: an upload is refused above 10 MB (§8.3 does not show the limit). */
export const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

/** What an upload above this limit is refused with. */
export const FILE_TOO_LARGE = 'The file is larger than 10 MB.';

/** assumption: images, audio, video, PDF, plain text and contact cards are accepted (§8.3 does not show the types). */
const TYPES = /^(image|audio|video)\/[\w.+-]+$|^application\/pdf$|^text\/(plain|vcard|x-vcard)$/;

/** Whether uploads of a media type are accepted. */
export const isAllowedType = (type: string): boolean => TYPES.test(type);

const MAX_STORED_BYTES = 20 * MAX_MEDIA_BYTES;

/** The uploaded media. The store removes the oldest ones when it is full. */
export class MediaStore {
	#byId = new Map<string, StoredMedia>();
	#bytes = 0;

	constructor(private readonly uuid: () => string) {}

	/** Stores an upload. */
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

	/** The upload with this id, if the store still has it. */
	get(id: string): StoredMedia | undefined {
		return this.#byId.get(id);
	}
}
