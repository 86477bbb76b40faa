import { readPageSize } from '../fields';
import type { Call } from '../http';
import { contactBody } from '../state/contacts';
import { lineBody } from '../state/lines';
import { controlRow } from '../state/messages';
import type { World } from '../world';
import { faultsBody } from './faults';
import { webhooksBody } from './webhooks';

/** GET /sandbox/state?limit: the whole organization, the conversations with the most recent activity first. */
export const state = (c: Call, world: World) => {
	const { clock } = world.settings;
	const nowMs = clock.now();
	return c.json({
		now: new Date(nowMs).toISOString(),
		character: world.characterName,
		workflows_url: world.settings.workflowsUrl,
		lines: world.lines.all().map((line) => ({
			...lineBody(line, nowMs),
			held_conversations: world.conversationLimiter.countWaiting(line),
		})),
		conversations: world.conversations.latest(readPageSize(c, 100, 10_000)).map((conversation) => {
			const last = world.messages.lastOf(conversation);
			return {
				conversation_handle: conversation.handle,
				line_handle: conversation.line.handle,
				contact: contactBody(conversation.contact),
				last_message: last ? controlRow(last) : null,
			};
		}),
		counts: { conversations: world.conversations.count, messages: world.messages.count },
		webhooks: webhooksBody(world),
		faults: faultsBody(world),
	});
};
