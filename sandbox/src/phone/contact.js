import { button, byId, element, redraw, toggle } from './elements.js';
import { lineState, stateBadge, stateChoice } from './lineState.js';
import { call, contactPath } from './service.js';
import { lineName } from './words.js';

const USUAL_REASON = 'The message could not be sent';

/** How the next messages go to the customer. The channel that they have used stays. */
const channelHint = ({ imessage, service }) => {
	if (service === 'SMS' || service === 'RCS') {
		return `Gets ${service} until the customer writes an iMessage`;
	}
	return imessage
		? 'When off, the next message falls back to SMS'
		: 'The next message goes by SMS, and later ones too until the customer writes an iMessage';
};

/** The switches for the open customer, and the state of the conversation's line. */
const drawerContent = (contact, line) => {
	const change = (fields) => void call('PATCH', contactPath(contact.number), fields);
	const reason = element('input', {
		type: 'text',
		value: contact.fail_next ?? USUAL_REASON,
		disabled: contact.fail_next !== null,
	});
	return [
		toggle(
			'Has iMessage',
			contact.imessage,
			(isOn) => change({ imessage: isOn }),
			channelHint(contact),
		),
		toggle(
			'Opted out',
			contact.opted_out,
			(isOn) => change({ opted_out: isOn }),
			'As after STOP: the service refuses to send to this number',
		),
		toggle(
			'Next message fails',
			contact.fail_next !== null,
			(isOn) => change({ fail_next: isOn ? reason.value || true : null }),
			'The line takes it and cannot send it (ERROR)',
		),
		element('label', { className: 'field' }, 'Reason', reason),
		element('div', { className: 'row' }, element('small', {}, lineName(line)), stateChoice(line)),
	];
};

/** Creates the top of the phone: the customer's number and line, and the drawer with the switches. */
export const createContact = ({ back }) => {
	const head = byId('phone-head');
	const details = byId('contact');
	let isOpen = false;

	const showOpen = () => {
		const opener = byId('details');
		details.hidden = !isOpen || !opener;
		opener?.setAttribute('aria-expanded', String(isOpen));
	};

	document.addEventListener('keydown', (event) => {
		if (event.key !== 'Escape' || event.isComposing || !isOpen) return;
		const hadFocus = details.contains(document.activeElement);
		isOpen = false;
		showOpen();
		if (hadFocus) byId('details')?.focus();
	});

	return {
		/** Shows the customer and the line of a conversation; null for a new text. */
		show(contact, line) {
			redraw(
				head,
				[contact?.number, line?.label, line && lineState(line), contact?.opted_out],
				() => [
					button('‹', back, { ariaLabel: 'Back to the conversations', className: 'back quiet' }),
					element(
						'div',
						{ className: 'who' },
						element('h2', {}, contact?.number ?? 'New text'),
						element(
							'p',
							{},
							line ? lineName(line) : 'Text a line from any number',
							line && stateBadge(line),
						),
					),
					contact
						? button(
								'Details',
								() => {
									isOpen = !isOpen;
									showOpen();
								},
								{ id: 'details', className: 'quiet', attributes: { 'aria-controls': 'contact' } },
							)
						: null,
				],
			);
			if (contact && line) redraw(details, [contact, line], () => drawerContent(contact, line));
			showOpen();
		},
	};
};
