import type { SendResponse } from '../serviceFacts';
import { REFUSALS } from '../../../nodes/TwoWayMessaging/contract';
import { urlIn, e164, readFields, textIn } from '../fields';
import type { Call } from '../http';
import { refuseRequest, refuseSend } from '../refusals';
import { anyLine, namedLine } from '../routing/lineChoice';
import type { Message } from '../state/messages';
import type { World } from '../world';

/** POST /v1/send-message (§4.1). assumption: the conditions of §7 are checked in the order in which §7 names them. */
export const sendMessage = async (c: Call, world: World) => {
	const fields = await readFields(c);
	const number = e164(textIn(fields, 'number'), 'number');
	const content = textIn(fields, 'content') ?? '';
	const mediaUrl = urlIn(fields, 'media_url');
	const lineHandle = textIn(fields, 'line_handle');
	// The service accepts and checks it, and never calls it (§2.1).
	urlIn(fields, 'status_callback');
	if (world.character.keepText(content) === '' && mediaUrl === null) {
		return refuseRequest(c, 422, REFUSALS.nothingToSend, 'content');
	}

	const contact = world.contacts.get(number);
	const refuse = (reason: string) => {
		world.refuse({ contact, lineHandle, content, mediaUrl, reason });
		return refuseSend(c, reason);
	};
	const nowMs = world.settings.clock.now();
	const choice =
		lineHandle === null
			? anyLine(world.lines, world.conversations, contact, nowMs)
			: namedLine(world.lines, lineHandle);
	if ('refusal' in choice) return refuse(choice.refusal);
	if (contact.isOptedOut) return refuse(REFUSALS.optedOut);
	if (choice.line.blockedAtMs !== null) return refuse(REFUSALS.lineBlocked);

	return c.json(sendResponse(world.accept({ line: choice.line, contact, content, mediaUrl })), 201);
};

/** The answer to a send (§2.2): the text as sent, without a channel and a date. */
const sendResponse = ({ handle, conversation, content, status }: Message): SendResponse => ({
	status,
	message_handle: handle,
	to: conversation.contact.number,
	content,
	service: null,
	is_outbound: true,
	error_message: null,
	date_sent: null,
});
