const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Headers that curl sets by itself. */
const OWN_HEADERS =
	/^(host|connection|content-length|accept-encoding|user-agent|transfer-encoding)$/;
const SECRETS = { 'x-api-key': '$API_KEY', 'x-api-secret': '$API_SECRET' };

const command = (method, url, headers, body) =>
	[
		`curl -X ${method} ${quote(url)}`,
		...Object.entries(headers)
			.filter(([name]) => !OWN_HEADERS.test(name))
			.map(([name, value]) =>
				// In double quotes the shell inserts the person's own secret.
				SECRETS[name] ? `-H "${name}: ${SECRETS[name]}"` : `-H ${quote(`${name}: ${value}`)}`,
			),
		...body,
	].join(' \\\n  ');

/** A logged call as a curl command, which takes the key pair from $API_KEY and $API_SECRET. */
export const callAsCurl = ({ method, path, request }) => {
	const isForm = request.headers['content-type']?.startsWith('multipart/');
	const { 'content-type': _boundary, ...others } = request.headers;
	if (isForm) return command(method, location.origin + path, others, ["-F 'file=@FILE'"]);
	const body = request.body === null ? [] : [`--data-raw ${quote(request.body)}`];
	return command(method, location.origin + path, request.headers, body);
};

/** An attempt to deliver as a curl command, with the signature it carried. */
export const attemptAsCurl = ({ url, body }, { headers }) =>
	command('POST', url, headers, [`--data-raw ${quote(body)}`]);
