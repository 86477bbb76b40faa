import { notify } from './notices.js';

/**
 * Calls the sandbox. Returns its answer, or null after it has told the person why the sandbox refused. Everything that
 * this page does goes through here, so that a test can do it as well.
 */
export const call = async (method, path, body) => {
	const isForm = body instanceof FormData;
	try {
		const answer = await fetch(path, {
			method,
			body: isForm || body === undefined ? body : JSON.stringify(body),
			headers: isForm || body === undefined ? {} : { 'content-type': 'application/json' },
		});
		const data = await answer.json();
		if (answer.ok) return data;
		notify(data.message, 'refusal');
	} catch {
		// The page reads again as soon as the sandbox is back; the badge at the top says that it does not answer.
		if (method !== 'GET') {
			notify('The sandbox did not answer. Is it still running in its terminal?', 'refusal');
		}
	}
	return null;
};

/** The path of a contact's control endpoint. */
export const contactPath = (number) => `/sandbox/contacts/${encodeURIComponent(number)}`;
