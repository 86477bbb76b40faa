/** Creates an element with properties and children. Texts are never read as HTML. */
export const element = (name, properties = {}, ...children) => {
	const made = document.createElement(name);
	const { attributes = {}, ...rest } = properties;
	for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
	Object.assign(made, rest);
	made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
	return made;
};

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

const shown = new WeakMap();

/**
 * Makes a list show these items and changes only what is different. It keeps the element of each key, so that the
 * focus, open details and the scroll position stay. `draw(item, element | null)` returns the element.
 */
export const reconcile = (list, items, getKey, draw) => {
	const before = shown.get(list) ?? new Map();
	const after = new Map();
	for (const item of items) {
		const key = getKey(item);
		const known = before.get(key);
		const looks = JSON.stringify(item);
		if (known?.looks === looks) after.set(key, known);
		else after.set(key, { looks, element: draw(item, known?.element ?? null) });
	}
	for (const [key, { element: old }] of before) {
		if (after.get(key)?.element !== old) old.remove();
	}
	let place = list.firstElementChild;
	for (const { element: wanted } of after.values()) {
		if (wanted === place) place = place.nextElementSibling;
		else list.insertBefore(wanted, place);
	}
	shown.set(list, after);
};

/** A switch with a label and an explanation below it. */
export const toggle = (label, isOn, onChange, hint) => {
	const input = element('input', {
		type: 'checkbox',
		checked: isOn,
		attributes: { role: 'switch' },
		onchange: () => onChange(input.checked),
	});
	return element(
		'label',
		{ className: 'toggle' },
		input,
		element('span', {}, label, hint ? element('small', {}, hint) : null),
	);
};

/** A button with a label. */
export const button = (label, onclick, properties = {}) =>
	element('button', { type: 'button', onclick, ...properties }, label);

/**
 * Draws a part of the page again if what it shows has changed. The focus stays, and nothing changes while someone is
 * typing there.
 */
export const redraw = (part, looks, children) => {
	const key = JSON.stringify(looks);
	if (part.dataset.looks === key) return;
	const focused = part.contains(document.activeElement) ? document.activeElement : null;
	if (focused?.matches('input:not([type=checkbox])')) return;
	part.dataset.looks = key;
	const selector = 'button, input, select';
	const place = [...part.querySelectorAll(selector)].indexOf(focused);
	part.replaceChildren(...children().filter((child) => child !== null));
	if (place >= 0) part.querySelectorAll(selector)[place]?.focus();
};
