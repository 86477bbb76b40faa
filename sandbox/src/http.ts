import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { FaultKind } from './faults';

/** What a request brings along: the connection, where there is one, who is asking, and the fault that befell it. */
export type Env = {
	Bindings: Partial<HttpBindings>;
	Variables: { admin: string; fault?: FaultKind };
};

/** A request and its answer in the making. */
export type Call = Context<Env>;
