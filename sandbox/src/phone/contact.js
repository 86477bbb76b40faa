import { button, byId, element, redraw, toggle } from './elements.js';
import { call, contactPath } from './service.js';

const USUAL_REASON = 'The message could not be sent';

/** What a person can change about the open contact and the line of the conversation. */
const drawer = (contact, line) => {
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
			contact.imessage
				? contact.service === 'SMS' || contact.service === 'RCS'
					? `Reached by ${contact.service} until the contact writes by iMessage`
					: 'Off: the next message falls back to SMS'
				: 'Messages go by SMS, and stay there',
		),
		toggle(
			'Opted out',
			contact.opted_out,
			(isOn) => change({ opted_out: isOn }),
			'As after STOP: sends to this number are refused',
		),
		toggle(
			'Next message fails',
			contact.fail_next !== null,
			(isOn) => change({ fail_next: isOn ? reason.value || true : null }),
			'The line cannot hand it off: status ERROR',
		),
		element('label', { className: 'field' }, 'Reason', reason),
		element(
			'div',
			{ className: 'row' },
			element('small', {}, `${line.label} · ${line.number}`),
			blockButton(line),
		),
	];
};

/** Blocks a line or lifts its block. */
export const blockButton = (line) =>
	button(
		line.blocked_at ? `Lift the block of ${line.label}` : `Block ${line.label}`,
		() =>
			void call(
				'POST',
				`/sandbox/lines/${line.line_handle}/${line.blocked_at ? 'unblock' : 'block'}`,
				{ reason: 'Blocked on the phone page' },
			),
	);

const STATES = [
	[(line) => !line.is_active, 'Inactive'],
	[(line) => line.blocked_at !== null, 'Blocked'],
];

/** What is wrong with a line in one word; null when nothing is. */
export const lineTrouble = (line) => STATES.find(([applies]) => applies(line))?.[1] ?? null;

/** The top of the phone: whose it is, and the drawer with the contact's switches. */
export const createContact = ({ back }) => {
	const head = byId('phone-head');
	const details = byId('contact');
	let isOpen = false;

	const showOpen = () => {
		const opener = byId('details');
		details.hidden = !isOpen || !opener;
		opener?.setAttribute('aria-expanded', String(isOpen));
	};

	return {
		/** Shows a conversation's contact and line; null stands for a new text. */
		show(contact, line) {
			redraw(
				head,
				[contact?.number, line?.label, line && lineTrouble(line), contact?.opted_out],
				() => [
					button('‹', back, { ariaLabel: 'Back to the conversations', className: 'back quiet' }),
					element(
						'div',
						{ className: 'who' },
						element('h2', {}, contact?.number ?? 'New text'),
						element(
							'p',
							{},
							line ? `${line.label} · ${line.number}` : 'Text a line as any number',
							line && lineTrouble(line)
								? element('span', { className: 'badge bad' }, lineTrouble(line))
								: null,
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
			if (contact && line) redraw(details, [contact, line], () => drawer(contact, line));
			showOpen();
		},
	};
};
