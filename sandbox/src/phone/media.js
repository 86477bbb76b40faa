import { element } from './elements.js';

const types = new Map();

/** Asks for the type of an upload, once. */
const fetchType = (path) => {
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

/** The path of an upload to this sandbox, under any host name; null for any other URL. */
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
 * The media of a message. An upload is shown; media on another host is a link, because this page loads nothing from
 * other hosts.
 */
export const drawAttachment = (address, onLoad) => {
	const path = uploadPath(address);
	if (!path)
		return linkTo(address, `Media on ${new URL(address).host} (the sandbox does not open it)`);
	const place = element('div', { className: 'media' });
	void fetchType(path).then((type) => {
		const [kind] = type.split('/');
		const shown =
			kind === 'image'
				? element('img', { src: path, alt: 'Attached picture', onload: onLoad })
				: kind === 'video' || kind === 'audio'
					? element(kind, { src: path, controls: true, ariaLabel: `Attached ${kind}` })
					: linkTo(
							path,
							type ? `Attached file (${type})` : 'Media that the sandbox does not have any more',
						);
		place.replaceChildren(shown);
		onLoad();
	});
	return place;
};
