import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import type { Handover, Text } from './item';

/** An item that execute() was given, or that another execution left to it. */
export type Arrival = {
	item: INodeExecutionData;
	/** What the item holds; undefined when neither webhook() nor poll() made it. */
	handover?: Handover;
	/** Input item of this execution that its output is linked to. */
	index: number;
};

/** Fields in which the single texts of a combined item may differ. */
const FIELDS_OF_EACH = [
	'event_id',
	'created_at',
	'recovered',
	'message_handle',
	'content',
	'media_url',
	'date_sent',
];

/** What the workflow goes on with: the texts of one conversation as one item, everything else as it is. */
export function outputItems(arrivals: Arrival[], simplify: boolean): INodeExecutionData[] {
	const bursts = new Map<string | Arrival, Arrival[]>();
	for (const arrival of arrivals) {
		const burst = arrival.handover?.text?.conversation ?? arrival;
		const texts = bursts.get(burst);
		if (texts) texts.push(arrival);
		else bursts.set(burst, [arrival]);
	}
	return [...bursts].flatMap(([burst, texts]) =>
		typeof burst === 'string' ? [combined(texts, simplify)] : texts.map(asItIs),
	);
}

function asItIs({ item, handover, index }: Arrival): INodeExecutionData {
	return handover ? { json: handover.output, pairedItem: { item: index } } : item;
}

function combined(arrivals: Arrival[], simplify: boolean): INodeExecutionData {
	const texts = inWrittenOrder(arrivals).map(({ handover }) => handover?.output ?? {});
	const json = simplify ? oneMessage(texts) : { messages: texts };
	const indices = [...new Set(arrivals.map(({ index }) => index))].sort((a, b) => a - b);
	const pairedItem = indices.map((item): IPairedItemData => ({ item }));
	return { json, pairedItem: pairedItem.length === 1 ? pairedItem[0] : pairedItem };
}

/** The newest message, with what all of them say and the single ones in `messages`. */
function oneMessage(texts: IDataObject[]): IDataObject {
	const newest = texts.at(-1) ?? {};
	const contents = texts.map(({ content }) => content).filter(Boolean);
	const mediaUrl = texts.map((text) => text.media_url).findLast(Boolean);
	return {
		...newest,
		recovered: texts.some(({ recovered }) => recovered === true),
		...(contents.length > 0 && { content: contents.join('\n') }),
		...(mediaUrl && { media_url: mediaUrl }),
		messages: texts.map(ofEach),
	};
}

function ofEach(text: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(text).filter(([name]) => FIELDS_OF_EACH.includes(name)));
}

/** A text without a time stands behind the one it came after. */
function inWrittenOrder(arrivals: Arrival[]): Arrival[] {
	let placedMs = Number.NEGATIVE_INFINITY;
	return arrivals
		.map((arrival) => {
			placedMs = writtenAtMs(arrival.handover?.text) ?? placedMs;
			return { arrival, placedMs };
		})
		.sort((one, other) => (one.placedMs === other.placedMs ? 0 : one.placedMs - other.placedMs))
		.map(({ arrival }) => arrival);
}

function writtenAtMs(text: Text | undefined): number | undefined {
	const timeMs = Date.parse(text?.writtenAt ?? '');
	return Number.isNaN(timeMs) ? undefined : timeMs;
}
