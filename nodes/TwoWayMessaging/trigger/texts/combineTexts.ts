import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import { toMessage } from '../../message';
import { serviceTimeMs } from '../../serviceTime';
import { derivedFields } from '../derivedFields';
import type { ServiceEvent } from '../event';
import type { Arrival, TextOfConversation } from '../handover';

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

/**
 * Where a text belongs among others. The two numbers name a conversation in every form of an event; its handle is
 * in one of them only (§6.2, §6.3).
 *
 * @returns undefined for what is no customer's text
 */
export function placeInConversation(
	event: ServiceEvent,
	isLive: boolean,
): TextOfConversation | undefined {
	if (event.kind !== 'receive') return undefined;
	const { from, to, date_sent: dateSent } = event.message;
	if (!from || !to) return undefined;
	const writtenAt = dateSent ?? event.createdAt;
	return { conversation: `${from} ${to}`, isLive, ...(writtenAt && { writtenAt }) };
}

/** The workflow's items: one for the texts of a conversation, and one for everything else. */
export function toOutputItems(arrivals: Arrival[], simplify: boolean): INodeExecutionData[] {
	const groups = new Map<string | Arrival, Arrival[]>();
	for (const arrival of arrivals) {
		const group = textOf(arrival)?.conversation ?? arrival;
		const members = groups.get(group);
		if (members) members.push(arrival);
		else groups.set(group, [arrival]);
	}
	return [...groups].flatMap(([group, members]) =>
		typeof group === 'string' ? [combineTexts(members, simplify)] : members.flatMap(toOutputItem),
	);
}

function toOutputItem({ item, handover, index }: Arrival): INodeExecutionData[] {
	switch (handover?.kind) {
		case undefined:
			return [item];
		case 'event':
		case 'answer':
			return [{ json: handover.output, pairedItem: { item: index } }];
		case 'save':
			return [];
	}
}

function combineTexts(arrivals: Arrival[], simplify: boolean): INodeExecutionData {
	const outputs = inWrittenOrder(arrivals).map(({ handover }) =>
		handover?.kind === 'event' ? handover.output : {},
	);
	const json = simplify ? toOneMessage(outputs) : { messages: outputs };
	const indices = [...new Set(arrivals.map(({ index }) => index))].sort((a, b) => a - b);
	const pairedItem = indices.map((item): IPairedItemData => ({ item }));
	return { json, pairedItem: pairedItem.length === 1 ? pairedItem[0] : pairedItem };
}

/** The newest message, with what all texts say, and the single texts in `messages`. */
function toOneMessage(texts: IDataObject[]): IDataObject {
	const newest = texts.at(-1) ?? {};
	const contents = texts.map(({ content }) => content).filter(Boolean);
	const mediaUrl = texts.map((text) => text.media_url).findLast(Boolean);
	const consent = texts.map((text) => text.consent).findLast(Boolean);
	const combined = {
		...newest,
		recovered: texts.some(({ recovered }) => recovered === true),
		...(contents.length > 0 && { content: contents.join('\n') }),
		...(mediaUrl && { media_url: mediaUrl }),
	};
	return {
		...combined,
		...derivedFields(toMessage(combined)),
		...(consent && { consent }),
		messages: texts.map(pickFieldsOfEach),
	};
}

function pickFieldsOfEach(text: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(text).filter(([name]) => FIELDS_OF_EACH.includes(name)));
}

/** A text without a time stands behind the one that it came after. */
function inWrittenOrder(arrivals: Arrival[]): Arrival[] {
	let placedMs = Number.NEGATIVE_INFINITY;
	return arrivals
		.map((arrival) => {
			const writtenAtMs = serviceTimeMs(textOf(arrival)?.writtenAt);
			if (!Number.isNaN(writtenAtMs)) placedMs = writtenAtMs;
			return { arrival, placedMs };
		})
		.sort((one, other) => (one.placedMs === other.placedMs ? 0 : one.placedMs - other.placedMs))
		.map(({ arrival }) => arrival);
}

function textOf({ handover }: Arrival): TextOfConversation | undefined {
	return handover?.kind === 'event' ? handover.text : undefined;
}
