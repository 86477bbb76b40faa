import { createHmac } from 'node:crypto';

/** The value of the `Service-Signature` header (§6.4): `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`. */
export const signatureHeader = (secret: string, body: string, unixSeconds: number): string => {
	const digest = createHmac('sha256', secret)
		.update(`${unixSeconds}.${body}`, 'utf8')
		.digest('hex');
	return `t=${unixSeconds},v1=${digest}`;
};
