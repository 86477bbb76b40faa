import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** What a request brings along: the connection, where there is one, and who is asking. */
export type Env = { Bindings: Partial<HttpBindings>; Variables: { admin: string } };

/** A request and its answer in the making. */
export type Call = Context<Env>;
