import type { IDataObject } from 'n8n-workflow';
import type { LineFields } from '../../transport/readLines';

/** A line as it came (§2.3), with what a person knows it by in the first columns, and its ID in the last. */
export function toLineItem({ line_handle: handle, ...fields }: LineFields): IDataObject {
	const { label, number } = fields;
	return {
		...(label !== undefined && { label }),
		...(number !== undefined && { number }),
		...fields,
		line_handle: handle,
	} as IDataObject;
}
