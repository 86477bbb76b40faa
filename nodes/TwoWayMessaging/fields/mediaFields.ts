import type { INodeProperties } from 'n8n-workflow';
import { PATHS } from '../contract';
import { shownValue } from '../parameterValues';
import { saidAs } from '../service/answers';
import { askInTurn, askUntilReadable, prefixesOf } from '../service/ask';
import { toNodeError } from '../service/errors';
import type { Answer } from '../service/outcome';
import type { Item } from '../service/request';
import { readText, refusal, valueOf } from './readField';

export const mediaUrlField: INodeProperties = {
	displayName: 'Media URL',
	name: 'mediaUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/menu.jpg',
};

/** A URL of the web whose host stands where it belongs; without one, the first part of the path would become the host. */
const WEB_URL = /^https?:\/\/[^\s/\\?#]\S*$/i;

/** The URL of a file. One that is not complete, or a list of several, is refused. */
export function readMediaUrl(item: Item): string {
	const typed = readText(item, mediaUrlField);
	const value = valueOf(item, mediaUrlField);
	const isOne = !Array.isArray(value) || value.length === 1;
	if (isOne && WEB_URL.test(typed) && URL.canParse(typed)) return typed;
	const isEmpty = typed === '';
	const orLeaveOut =
		' To leave out messages without a file, put a Filter before this node: media_url is not empty.';
	throw refusal(item, {
		message: `Media URL ${isEmpty ? 'is empty' : `“${shownValue(typed)}” is not a web address`}`,
		description: `Enter the URL of one file, beginning with https:// or http://, and without spaces.${isEmpty ? orLeaveOut : ''}`,
	});
}

export const binaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the input field that contains the file',
	description: 'Nodes that read or download a file put it there, usually under the name data',
};

/** The name of an item's binary data, and what n8n knows of its file. An item without its file is refused. */
export function assertBinary(item: Item) {
	const name = readText(item, binaryField);
	return { name, ...item.context.helpers.assertBinaryData(item.itemIndex, name) };
}

/**
 * Uploads the file of an item (§4.8). No customer sees an upload, so it is repeated where the answer is lost.
 *
 * assumption: a multipart form with the field `file`; the answer names a URL, anywhere (§4.8: not shown).
 *
 * @returns the URL of the file at the service
 * @throws NodeOperationError when the item has no file, NodeApiError when the service refuses it
 */
export async function uploadBinary(item: Item): Promise<string> {
	const { name, fileExtension, mimeType: type, ...file } = assertBinary(item);
	const bytes = await item.context.helpers.getBinaryDataBuffer(item.itemIndex, name);
	const fileName = file.fileName ?? (fileExtension ? `file.${fileExtension}` : 'file');
	const form = new FormData();
	form.set('file', new Blob([bytes], { type: type || 'application/octet-stream' }), fileName);
	const encoded = new Response(form);
	const body = Buffer.from(await encoded.arrayBuffer());
	const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
	const outcome = await askInTurn(item, PATHS.media, prefixesOf(item), async (prefix) => {
		const path = prefix + PATHS.media;
		return await askUntilReadable(item, { method: 'POST', path, headers, body });
	});
	const url = outcome.kind === 'answer' ? readUrl(outcome, item.settings.baseUrl) : undefined;
	if (url === undefined) throw toNodeError(item, outcome);
	return url;
}

/**
 * The URL of the uploaded file; a path counts from the base URL.
 *
 * @returns undefined where the service has not taken the file, or names no URL that can be sent
 */
function readUrl({ status, headers, body }: Answer, baseUrl: string): string | undefined {
	if (status < 200 || status > 299) return undefined;
	// First `media_url`, then any URL but a thumbnail's and the like, then anything that is a URL.
	const named = [
		/^media_?url$/i,
		/^(?!.*(thumb|preview|upload|self)).*(url|href|link)/i,
		/^/,
	].flatMap((name) => saidAs(body, name));
	const urls = [...named, body, headers.location]
		.filter((said) => typeof said === 'string')
		.filter((said) => /^(https?:|\/)\S+$/.test(said.trim()) && URL.canParse(said, `${baseUrl}/`))
		.map((said) => new URL(said, `${baseUrl}/`));
	return urls.find(({ protocol }) => /^https?:$/.test(protocol))?.href;
}
