import { PATHS, type EventKind } from '../../contract';
import { isFields } from '../../message';
import { explain, toNodeError } from '../../transport/errors';
import { spellingsOf } from '../../transport/redact';
import { ask, withSecrets, type Answer, type Connection } from '../../transport/request';

/** What is registered (§2.4). */
export type UrlToRegister = { url: string; events: EventKind[]; secret: string };

/** What the service says of it. */
export type Registered = {
	/** The service's own ID of the registration, where its answer gave one. */
	id?: string;
	/** Whether the service knew the URL already, so that it may sign with the secret of an earlier registration. */
	wasKnown: boolean;
};

/**
 * Registers a URL with the service (§4.7). This is the only place that does.
 *
 * @param mayBeAway whether a service that cannot be reached is no reason to throw
 * @returns undefined when the service cannot be reached
 * @throws NodeApiError when the service refuses
 */
export async function registerUrl(
	asking: Connection,
	{ url, events, secret }: UrlToRegister,
	mayBeAway: boolean,
): Promise<Registered | undefined> {
	const connection = withSecrets(asking, spellingsOf([secret]));
	const outcome = await ask(connection, {
		method: 'POST',
		path: PATHS.webhooks,
		body: { url, events, secret },
	});
	const isAway = outcome.kind !== 'answer' || outcome.status >= 500;
	if (isAway && mayBeAway) return undefined;
	if (outcome.kind === 'answer' && isAccepted(outcome)) {
		const id = registrationId(outcome.body);
		return { wasKnown: outcome.status === 409, ...(id && { id }) };
	}
	const words = explain(outcome, connection.settings.baseUrl);
	throw toNodeError(connection, outcome, undefined, {
		...words,
		// While a workflow is published or tested, n8n shows the message alone: it has to say what to do.
		message: `Events could not be registered: ${words.message}. ${words.description}`,
	});
}

/**
 * assumption: any 2xx means that the service accepts, and 409 that the URL is registered already (§4.7). A page of
 * another server means neither.
 */
function isAccepted({ status, body }: Answer): boolean {
	const isPage = typeof body === 'string' && body.trim() !== '';
	return !isPage && ((status >= 200 && status < 300) || status === 409);
}

/** assumption: the record has its ID in one of these places (§2.6 does not show it). */
function registrationId(body: unknown): string | undefined {
	if (!isFields(body)) return undefined;
	const { id, webhook_id: webhookId, webhook, data } = body;
	const inner = [webhook, data].map((record) => (isFields(record) ? record.id : undefined));
	const found = [id, webhookId, ...inner].find(
		(value) => typeof value === 'string' || typeof value === 'number',
	);
	return found === undefined ? undefined : String(found);
}
