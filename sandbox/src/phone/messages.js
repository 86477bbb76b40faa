import { byId, element, reconcile } from './elements.js';
import { drawAttachment } from './media.js';
import { call } from './service.js';
import { dayOf, messageStatus, messageTime, refusalText, timeOf } from './words.js';

/** How many rows are read at once, and how many are in the page at most; the others stay in memory. */
const PAGE_ROWS = 60;
const SHOWN_ROWS = 180;
const MOST_ROWS_A_PAGE = 500;
/** This close to an edge (CSS pixels) more rows are shown. */
const NEAR = 400;

const isFinal = ({ is_outbound, status }) =>
	!is_outbound || status === 'DELIVERED' || status === 'ERROR';

const readPage = async (handle, limit, before) => {
	const query = new URLSearchParams({ limit, conversation_handle: handle });
	if (before) query.set('before', before);
	return await call('GET', `/sandbox/messages?${query}`);
};

/** How many of a conversation's refused messages are shown at most. */
const MOST_REFUSED = 200;

const readRefused = async (handle) => {
	const query = new URLSearchParams({ limit: MOST_REFUSED, conversation_handle: handle });
	return (await call('GET', `/sandbox/refusals?${query}`))?.refusals.reverse() ?? [];
};

/** The rows with the refused messages among them, each where it would stand. */
const withRefused = (rows, refused, { isFirst, isLast }) => {
	const [start, end] = [rows.at(0)?.created_at, rows.at(-1)?.created_at];
	const left = refused.filter(({ at }) => (isFirst || at >= start) && (isLast || at < end));
	const items = [];
	for (const row of rows) {
		while (left[0]?.at < row.created_at) items.push({ refused: left.shift() });
		items.push({ row });
	}
	return [...items, ...left.map((one) => ({ refused: one }))];
};

/** Adds a heading before the first row of each day. */
const withDays = (messages, found) => {
	const items = [];
	let day = null;
	for (const { row, refused } of messages) {
		const key = row?.message_handle ?? refused.id;
		const next = dayOf(row ? messageTime(row) : refused.at);
		if (next !== day) items.push({ key: `day ${key}`, day: next });
		day = next;
		items.push({ key, row, refused, isFound: key === found });
	}
	return items;
};

const drawDay = ({ day }) => element('li', { className: 'day' }, element('span', {}, day));

/** A URL in a text, without a full stop or bracket after it. */
const URL_IN_TEXT = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

/** A text with its URLs as links, as every phone shows them. */
const withLinks = (text) =>
	text
		.split(URL_IN_TEXT)
		.map((part, at) =>
			at % 2 === 0
				? part
				: element('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part),
		);

const bubble = (message, onMedia) =>
	element(
		'div',
		{ className: 'bubble' },
		message.media_url ? drawAttachment(message.media_url, onMedia) : null,
		message.content ? element('span', { className: 'text' }, withLinks(message.content)) : null,
	);

/** Draws what the line would have said, and in words why the service refused it. */
const drawRefused = (refused, otherLine, onMedia) =>
	element(
		'li',
		{ className: 'message from-line REFUSED' },
		element('span', { className: 'unseen' }, 'The line: '),
		bubble(refused, onMedia),
		element(
			'small',
			{ className: 'status' },
			`${refusalText(refused.reason, otherLine)} · ${timeOf(refused.at)}`,
		),
	);

/** Draws a message. The customer holds this phone: their messages are on the right, the line's on the left. */
const drawRow = ({ row, isFound }, known, onMedia) => {
	const item = known ?? element('li', {});
	item.className = `message ${row.is_outbound ? 'from-line' : 'from-contact'} ${row.service ?? 'unknown'} ${row.status}`;
	item.ariaCurrent = isFound ? 'true' : null;
	const status = element('small', { className: 'status' }, messageStatus(row));
	if (known) {
		known.lastElementChild.replaceWith(status);
		return known;
	}
	const who = row.is_outbound ? 'The line' : 'The customer';
	item.append(element('span', { className: 'unseen' }, `${who}: `), bubble(row, onMedia), status);
	return item;
};

/**
 * Creates the list of the messages of one conversation, newest at the bottom. The page contains only a part of a long
 * conversation, which moves when the person scrolls; older rows are read when they are needed.
 */
export const createMessages = () => {
	const scroller = byId('messages');
	const list = byId('message-list');
	let handle = null;
	/** Oldest first. */
	let rows = [];
	/** The messages that the service refused to send, oldest first. */
	let refused = [];
	let cursor = null;
	/** The index of the first row in the page, which contains at most SHOWN_ROWS. */
	let from = 0;
	let isFollowing = true;
	/** While older rows are read. */
	let reading = null;
	/** The handle of the message that was looked for. */
	let found = null;

	const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
	const toEnd = () => (scroller.scrollTop = scroller.scrollHeight);
	const settle = () => isFollowing && toEnd();

	const draw = () => {
		if (isFollowing) from = Math.max(0, rows.length - PAGE_ROWS);
		const anchor = isFollowing ? null : firstInSight();
		const top = anchor?.getBoundingClientRect().top;
		const shown = withRefused(rows.slice(from, from + SHOWN_ROWS), refused, {
			isFirst: from === 0 && !cursor,
			isLast: from + SHOWN_ROWS >= rows.length,
		});
		reconcile(list, withDays(shown, found), ({ key }) => key, drawItem);
		if (anchor?.isConnected) scroller.scrollTop += anchor.getBoundingClientRect().top - top;
		else settle();
		byId('to-end').hidden = isFollowing;
	};

	const drawItem = (item, known) => {
		if (item.day) return drawDay(item);
		if (item.row) return drawRow(item, known, settle);
		return drawRefused(item.refused, otherLineOf(item.refused), settle);
	};

	/** The label of the line that was to send, where it is not the conversation's own. */
	const otherLineOf = ({ line_handle: asked, line_label: label }) =>
		asked === rows.at(-1)?.line_handle ? null : label;

	const firstInSight = () => {
		const edge = scroller.getBoundingClientRect().top;
		const inSight = (item) => item.getBoundingClientRect().bottom > edge;
		// A day's heading moves when older rows are added; a message stays.
		return [...list.querySelectorAll('.message')].find(inSight) ?? null;
	};

	/** Reads older rows. Whether there were any. */
	const readOlder = async (limit) => {
		const asked = handle;
		const page = cursor && (await readPage(asked, limit, cursor));
		if (!page || asked !== handle) return false;
		rows = [...page.messages.reverse(), ...rows];
		cursor = page.before;
		from += page.messages.length;
		return true;
	};
	const older = (limit) => (reading ??= readOlder(limit).finally(() => (reading = null)));

	const showOlder = async () => {
		if (from === 0 && (reading || !(await older(PAGE_ROWS)))) return;
		from = Math.max(0, from - PAGE_ROWS);
		draw();
	};

	/** Marks a message and scrolls to it, however old it is. */
	const goTo = async (wanted) => {
		const asked = handle;
		const place = () => rows.findIndex(({ message_handle }) => message_handle === wanted);
		while (place() < 0) if (!(await older(MOST_ROWS_A_PAGE)) || asked !== handle) return;
		found = wanted;
		isFollowing = false;
		from = Math.max(0, place() - PAGE_ROWS);
		draw();
		list.querySelector('[aria-current]').scrollIntoView({ block: 'center' });
		isFollowing = isAtEnd() && from + SHOWN_ROWS >= rows.length;
		byId('to-end').hidden = isFollowing;
	};

	const showNewer = () => {
		const furthest = Math.max(0, rows.length - SHOWN_ROWS);
		if (from >= furthest) return;
		from = Math.min(furthest, from + PAGE_ROWS);
		draw();
	};

	scroller.addEventListener('scroll', () => {
		const wasFollowing = isFollowing;
		isFollowing = isAtEnd() && from + SHOWN_ROWS >= rows.length;
		if (isFollowing !== wasFollowing) byId('to-end').hidden = isFollowing;
		if (scroller.scrollTop < NEAR && !isFollowing) void showOlder();
		else if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR) {
			if (!isFollowing) showNewer();
		}
	});
	new ResizeObserver(settle).observe(scroller);
	byId('to-end').onclick = () => {
		isFollowing = true;
		draw();
		scroller.focus();
	};

	/** Reads the newest rows: a page, or as many as it takes to include every row that can still change. */
	const newest = async (asked) => {
		const unfinished = rows.findIndex((row) => !isFinal(row));
		const wanted = Math.max(PAGE_ROWS, unfinished < 0 ? 0 : rows.length - unfinished);
		const read = [];
		let before = null;
		do {
			const page = await readPage(asked, Math.min(MOST_ROWS_A_PAGE, wanted), before);
			if (!page) return null;
			read.push(...page.messages);
			before = page.before;
		} while (before && read.length < wanted);
		return { read: read.reverse(), before };
	};

	return {
		/** Shows a conversation from its end, or the message in it that was looked for; null shows none. */
		async open(wanted, message) {
			if (wanted !== handle) {
				handle = wanted;
				rows = [];
				refused = [];
				cursor = null;
				found = null;
				from = 0;
				isFollowing = true;
				draw();
				await this.refresh();
			}
			if (message) await goTo(message);
		},
		/** Reads what is new in the open conversation. */
		async refresh() {
			const asked = handle;
			if (!asked) return;
			const [page, refusals] = await Promise.all([newest(asked), readRefused(asked)]);
			if (!page || asked !== handle) return;
			const { read, before } = page;
			refused = refusals;
			const overlap = rows.findIndex((row) => row.message_handle === read[0]?.message_handle);
			if (overlap >= 0) rows = [...rows.slice(0, overlap), ...read];
			else {
				// There are more new rows than a page has. Those in between are read when someone scrolls there.
				rows = read;
				cursor = before;
				from = 0;
				isFollowing = true;
			}
			draw();
		},
		/** The newest message of the open conversation that has been read. */
		newest() {
			return rows.at(-1) ?? null;
		},
		/** Scrolls to the end at the next change. */
		follow() {
			isFollowing = true;
		},
	};
};
