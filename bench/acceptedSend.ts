import type { SendResponse } from '../sandbox/src/serviceFacts';

/** The body with which the service accepts a send (§2.2). */
export const acceptedSend = (
	{ number, content }: { number: string; content: string },
	handle: string,
): SendResponse => ({
	status: 'QUEUED',
	message_handle: handle,
	to: number,
	content,
	service: null,
	is_outbound: true,
	error_message: null,
	date_sent: null,
});
