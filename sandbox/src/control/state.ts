import { readPageSize } from '../fields';
import type { Call } from '../http';
import { contactBody } from '../state/contacts';
import { lineBody } from '../state/lines';
import { findConversations } from '../messageSearch';
import { controlRow, type Message } from '../state/messages';
import { refusedSendBody } from '../state/refusedSends';
import type { Conversation } from '../state/conversations';
import type { World } from '../world';
import { faultsBody } from './faults';
import { webhooksBody } from './webhooks';

/**
 * GET /sandbox/state?limit&find&conversation_handle: the whole organization, the conversations with the most recent activity
 * first. `find` shows only those with these words; the one with the handle comes in any case, as the phone has it open.
 */
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
		conversations: [...wantedConversations(c, world)].map(([conversation, found]) => {
			const last = world.messages.lastOf(conversation);
			const refused = world.refusedSends.lastOf(conversation);
			return {
				conversation_handle: conversation.handle,
				line_handle: conversation.line.handle,
				contact: contactBody(conversation.contact),
				last_message: last ? controlRow(last) : null,
				last_refusal: refused ? refusedSendBody(refused) : null,
				found_message: found ? controlRow(found) : null,
			};
		}),
		counts: { conversations: world.conversations.count, messages: world.messages.count },
		webhooks: webhooksBody(world),
		faults: faultsBody(world),
	});
};

/** The conversations that are wanted, each with the message that it was found by. */
const wantedConversations = (c: Call, world: World): Map<Conversation, Message | undefined> => {
	const limit = readPageSize(c, 100, 10_000);
	const words = c.req.query('find')?.trim() ?? '';
	const shown =
		words === ''
			? new Map(world.conversations.latest(limit).map((one) => [one, undefined]))
			: findConversations(world, words, limit);
	const asked = world.conversations.get(c.req.query('conversation_handle') ?? '');
	if (asked && !shown.has(asked)) shown.set(asked, undefined);
	return shown;
};
