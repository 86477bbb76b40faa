import { handleText, type Fields } from '../message';

/** What a page brought. */
export type PageRows = {
	/** Its rows without those that came before. */
	rows: Fields[];
	/** Whether it brings anything new. A page that came before as a whole does not, though its rows may be different ones. */
	isNews: boolean;
};

/**
 * The rows of one reading of the history, so that each comes out once:
 *
 * ```ts
 * const { rows, isNews } = knownRows.add(page);
 * ```
 *
 * assumption: rows without a handle are different messages, also where they look alike. Only where a page begins as the
 * page before ended, those rows are the same (§4.5: not shown whether `before` includes its row).
 */
export class KnownRows {
	private readonly handles = new Set<string>();

	/** The pages that had a row without a handle: nothing else tells that such a page comes again. */
	private readonly pagesWithUnnamed = new Set<string>();

	private lastPage: string[] = [];

	/** @param before the cursor of the first page, whose row is no row of it where it is a handle */
	constructor(before?: string) {
		if (before !== undefined) this.handles.add(before);
	}

	/** Takes the next page of the reading. */
	add(listed: Fields[]): PageRows {
		const handles = listed.map((row) => handleText(row.message_handle));
		const isNewHandle = (handle: string) => {
			const { size } = this.handles;
			return this.handles.add(handle).size > size;
		};
		if (!handles.includes(undefined)) {
			if (listed.length > 0) this.lastPage = [];
			const rows = listed.filter((_, at) => isNewHandle(handles[at]!));
			return { rows, isNews: rows.length > 0 };
		}
		const page = handles.map((handle, at) => handle ?? JSON.stringify(listed[at]));
		const repeated = repeatedRows(this.lastPage, page);
		this.lastPage = page;
		const rows = listed.filter((_, at) => {
			const handle = handles[at];
			return handle === undefined ? at >= repeated : isNewHandle(handle);
		});
		const pages = this.pagesWithUnnamed.size;
		return { rows, isNews: this.pagesWithUnnamed.add(page.join()).size > pages };
	}
}

/** How many rows at the beginning of a page are those with which the page before ended. */
function repeatedRows(before: string[], page: string[]): number {
	const from = before.findIndex((_, start) => {
		for (let at = start; at < before.length; at += 1) {
			if (before[at] !== page[at - start]) return false;
		}
		return true;
	});
	return from === -1 ? 0 : before.length - from;
}
