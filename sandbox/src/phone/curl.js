const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** What curl sets by itself. */
const OWN = /^(host|connection|content-length|accept-encoding|user-agent|transfer-encoding)$/;
const SECRETS = { 'x-api-key': '$API_KEY', 'x-api-secret': '$API_SECRET' };

const command = (method, url, headers, body) =>
	[
		`curl -X ${method} ${quoted(url)}`,
		...Object.entries(headers)
			.filter(([name]) => !OWN.test(name))
			.map(([name, value]) =>
				// Double quotes: the shell puts the person's own secret in.
				SECRETS[name] ? `-H "${name}: ${SECRETS[name]}"` : `-H ${quoted(`${name}: ${value}`)}`,
			),
		...body,
	].join(' \\\n  ');

/** A logged call as a curl command; the key pair comes from $API_KEY and $API_SECRET. */
export const callAsCurl = ({ method, path, request }) => {
	const isForm = request.headers['content-type']?.startsWith('multipart/');
	const { 'content-type': _boundary, ...others } = request.headers;
	if (isForm) return command(method, location.origin + path, others, ["-F 'file=@FILE'"]);
	const body = request.body === null ? [] : [`--data-raw ${quoted(request.body)}`];
	return command(method, location.origin + path, request.headers, body);
};

/** An attempt to deliver as a curl command, with the signature it carried. */
export const attemptAsCurl = ({ url, body }, { headers }) =>
	command('POST', url, headers, [`--data-raw ${quoted(body)}`]);
