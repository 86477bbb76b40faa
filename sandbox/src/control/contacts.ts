import type { Fields } from '../fields';
import { booleanIn, e164, readFieldsIfAny } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import { contactBody } from '../state/contacts';
import type { World } from '../world';

const USUAL_REASON = 'The message could not be sent';

/** PATCH /sandbox/contacts/:number {imessage, opted_out, fail_next}: changes a contact. */
export const changeContact = async (c: Call, world: World) => {
	const number = e164(c.req.param('number') ?? null, 'number');
	const fields = await readFieldsIfAny(c);
	const hasIMessage = booleanIn(fields, 'imessage');
	const isOptedOut = booleanIn(fields, 'opted_out');
	const failNext = failNextIn(fields);

	const contact = world.contacts.get(number);
	contact.hasIMessage = hasIMessage ?? contact.hasIMessage;
	contact.isOptedOut = isOptedOut ?? contact.isOptedOut;
	if (failNext !== undefined) contact.failNext = failNext;
	world.changes.publish({ type: 'contact' });
	return c.json(contactBody(contact));
};

/** Reads `fail_next`: a reason, true for the usual reason, false or null for no failure. */
const failNextIn = (fields: Fields): string | null | undefined => {
	const value = fields['fail_next'];
	if (value === undefined || typeof value === 'string') return value || undefined;
	if (value === true) return USUAL_REASON;
	if (value === false || value === null) return null;
	throw new BadRequest('The fail_next field must be a reason, true, false or null.', 'fail_next');
};
