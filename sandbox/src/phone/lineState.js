import { button, element } from './elements.js';
import { call } from './service.js';

/** The one state that a line has for a person. The service has two flags: what is off does not also have to be blocked. */
export const lineState = (line) => {
	if (!line.is_active) return 'Off';
	return line.blocked_at === null ? 'Active' : 'Blocked';
};

const TONES = { Active: 'good', Off: 'quiet', Blocked: 'bad' };

/** A line's state as a badge; null where the line is as it should be. */
export const stateBadge = (line) => {
	const state = lineState(line);
	return state === 'Active' ? null : element('span', { className: `badge ${TONES[state]}` }, state);
};

const changeState = async (line, wanted) => {
	const path = `/sandbox/lines/${line.line_handle}`;
	const isActive = wanted !== 'Off';
	const isBlocked = line.blocked_at !== null;
	if (line.is_active !== isActive) await call('PATCH', path, { is_active: isActive });
	if (wanted === 'Active' && isBlocked) await call('POST', `${path}/unblock`);
	if (wanted === 'Blocked' && !isBlocked) {
		await call('POST', `${path}/block`, { reason: 'Blocked on the phone page' });
	}
};

/** The three states of a line, one of which it has. */
export const stateChoice = (line) =>
	element(
		'div',
		{ className: 'choices', attributes: { role: 'group', 'aria-label': `${line.label} is` } },
		Object.keys(TONES).map((state) => {
			const isOn = lineState(line) === state;
			return button(state, () => void (isOn || changeState(line, state)), {
				className: isOn ? TONES[state] : '',
				attributes: { 'aria-pressed': String(isOn) },
			});
		}),
	);
