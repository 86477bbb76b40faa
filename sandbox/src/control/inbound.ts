import { SERVICES } from '../../../nodes/TwoWayMessaging/contract';
import { urlIn, choiceIn, e164, readFields, textIn } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import type { Contact } from '../state/contacts';
import type { Line } from '../state/lines';
import { controlRow } from '../state/messages';
import type { World } from '../world';

/** POST /sandbox/inbound {from, to?, content?, media_url?, service?}: a contact texts a line. */
export const inbound = async (c: Call, world: World) => {
	const fields = await readFields(c);
	const from = e164(textIn(fields, 'from'), 'from');
	const content = textIn(fields, 'content') ?? '';
	const mediaUrl = urlIn(fields, 'media_url');
	if (content === '' && mediaUrl === null) {
		throw new BadRequest('A message needs content or media_url.', 'content');
	}
	const service = choiceIn(fields, 'service', SERVICES) ?? null;
	const contact = world.contacts.get(from);
	const line = lineFor(world, contact, textIn(fields, 'to'));
	return c.json(controlRow(world.receive({ line, contact, content, mediaUrl, service })), 201);
};

/** The line with the number `to`; without `to`, the line of the contact's last conversation, else the first active line. */
const lineFor = (world: World, contact: Contact, to: string | null): Line => {
	const active = world.lines.all().filter((line) => line.isActive);
	const last = world.conversations.lastOf(contact)?.line;
	const usual = last?.isActive ? last : active[0];
	const line = to === null ? usual : world.lines.withNumber(to);
	if (line?.isActive) return line;
	const what = line ? `${nameOf(line)} is off and takes no text.` : `There is no line ${to}.`;
	throw new BadRequest(`${what} ${whoTakesTexts(active)}`, 'to');
};

const nameOf = ({ label, number }: Line): string => `${label} · ${number}`;

/** The lines that take a text. One that is blocked takes it, and cannot answer. */
const whoTakesTexts = (active: Line[]): string => {
	if (active.length === 0) return 'Every line is off: switch one on under Controls.';
	const names = active.map(
		(line) => `${nameOf(line)}${line.blockedAtMs === null ? '' : ' (blocked: it cannot answer)'}`,
	);
	return `Lines that take one: ${names.join(', ')}.`;
};
