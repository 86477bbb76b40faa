import { element } from './elements.js';

const types = new Map();

/** The type of an upload, asked for once. */
const typeOf = (path) => {
	if (!types.has(path)) {
		types.set(
			path,
			fetch(path, { method: 'HEAD' })
				.then((answer) => (answer.ok ? (answer.headers.get('content-type') ?? '') : ''))
				.catch(() => ''),
		);
	}
	return types.get(path);
};

/** The path of an upload to this sandbox, by whatever name it was reached; null for any other address. */
const uploadPath = (address) => {
	const url = new URL(address);
	return url.port === location.port && url.pathname.startsWith('/sandbox/media/')
		? url.pathname
		: null;
};

const linkTo = (address, label) =>
	element(
		'a',
		{ href: address, target: '_blank', rel: 'noopener noreferrer', className: 'media-link' },
		element('span', { attributes: { 'aria-hidden': 'true' } }, '↗ '),
		label,
	);

/**
 * What a message has attached. An upload is shown; what lies on another host is a link, as this page asks
 * nobody else for anything.
 */
export const attachmentOf = (address, onLoad) => {
	const path = uploadPath(address);
	if (!path) return linkTo(address, `Media on ${new URL(address).host}`);
	const place = element('div', { className: 'media' });
	void typeOf(path).then((type) => {
		const [kind] = type.split('/');
		const shown =
			kind === 'image'
				? element('img', { src: path, alt: 'Attached picture', onload: onLoad })
				: kind === 'video' || kind === 'audio'
					? element(kind, { src: path, controls: true, ariaLabel: `Attached ${kind}` })
					: linkTo(path, type ? `Attached file (${type})` : 'Media that is no longer kept');
		place.replaceChildren(shown);
		onLoad();
	});
	return place;
};
