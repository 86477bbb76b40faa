import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { FaultKind } from './faults';

/**
 * What belongs to a request: its connection, where it has one, who sent it, the fault that happens to it, and the text of
 * its body once it has been read.
 */
export type Env = {
	Bindings: Partial<HttpBindings>;
	Variables: { admin: string; fault?: FaultKind; bodyText?: string };
};

/** A request together with its answer. */
export type Call = Context<Env>;

/** Whether the sandbox has cut the connection, so that there is no answer. */
export const isConnectionCut = (response: Response): boolean => response === RESPONSE_ALREADY_SENT;
