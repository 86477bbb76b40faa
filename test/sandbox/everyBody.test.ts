import fc from 'fast-check';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { CONTACT, FRONT_DESK, newService, serviceOf } from './service';

const NAMES = [
	...['number', 'content', 'media_url', 'line_handle', 'status_callback'],
	...['url', 'events', 'secret', 'from', 'to', 'reason', 'limits', 'is_active', 'label'],
	...['imessage', 'opted_out', 'fail_next', 'path', 'kind', 'times', 'service', 'as'],
];

test.each(CHARACTER_NAMES)(
	'§7 no JSON makes a service that is %s answer with a server error, and a refusal has a sentence',
	async (character) => {
		const { call } = serviceOf(character)({ requestLimits: { all: 1e9, sendMessage: 1e9 } });
		const paths = [
			['POST', '/v1/send-message'],
			['POST', '/v1/account/webhooks'],
			['POST', '/sandbox/inbound'],
			['POST', '/sandbox/faults'],
			['POST', '/sandbox/deliveries/none/redeliver'],
			['POST', `/sandbox/lines/${FRONT_DESK}/block`],
			['PATCH', `/sandbox/lines/${FRONT_DESK}`],
			['PATCH', `/sandbox/contacts/${encodeURIComponent(CONTACT)}`],
		] as const;
		const values = [CONTACT, FRONT_DESK, 'https://receiver.example/', ['receive'], 'hello'];
		const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...values));
		const body = fc.oneof(fc.dictionary(fc.constantFrom(...NAMES), value), fc.jsonValue());
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...paths), body, async ([method, path], given) => {
				const answer = await call(method, path, given);
				expect(answer.status).toBeLessThan(500);
				if (answer.status >= 400) {
					const { message, error_message: refusal } = answer.body;
					expect(message ?? refusal).toEqual(expect.any(String));
				}
			}),
			{ numRuns: 200 },
		);
	},
);

const SEND = { number: CONTACT, content: 'Hi' };
const WEBHOOK = { url: 'https://receiver.example/', events: ['receive'] };
const TEXT = { from: CONTACT, content: 'Hi' };
const FAULT = { path: '/v1/send-message', kind: 'html' };

test.each<[path: string, field: string, right: object, wrong: unknown[]]>([
	[
		...(['POST /v1/send-message', 'number', SEND] as const),
		['5551230001', '+0155512300', '+1 555 123', 'tel:+15551230001', '', 15551230001, undefined],
	],
	['POST /v1/send-message', 'content', SEND, [7]],
	['POST /v1/send-message', 'media_url', SEND, ['ftp://a.example/a', 'no', ['https://a.example/']]],
	['POST /v1/send-message', 'line_handle', SEND, [3]],
	['POST /v1/account/webhooks', 'url', WEBHOOK, [undefined, 'no', 'ftp://receiver.example', 7]],
	[
		...(['POST /v1/account/webhooks', 'events', WEBHOOK] as const),
		[undefined, [], 'receive', ['receive', 'sneeze'], [null]],
	],
	['POST /v1/account/webhooks', 'secret', WEBHOOK, [5]],
	['POST /sandbox/inbound', 'from', TEXT, [undefined, '555']],
	['POST /sandbox/inbound', 'content', TEXT, [undefined]],
	['POST /sandbox/inbound', 'to', TEXT, ['+15559999999']],
	['POST /sandbox/inbound', 'service', TEXT, ['fax']],
	['POST /sandbox/inbound', 'media_url', TEXT, ['file:///etc/passwd']],
	['POST /sandbox/clock', 'advance_seconds', {}, [undefined, -1, '5', 1e15]],
	['POST /sandbox/character', 'character', {}, [undefined, 'kind', null]],
	['POST /sandbox/faults', 'path', FAULT, [undefined, '/v1/nothing']],
	['POST /sandbox/faults', 'kind', FAULT, [undefined, 'explode']],
	['POST /sandbox/faults', 'times', FAULT, [0]],
	['POST /sandbox/faults', 'probability', FAULT, [0, -0.5, 1.1, '0.5', true]],
	['GET /lookup', 'number', {}, ['', '555']],
	['GET /sandbox/messages', 'number', {}, ['bob']],
	['GET /sandbox/messages', 'to', {}, [1]],
	['GET /sandbox/messages', 'status', {}, ['LOST']],
	['GET /sandbox/messages', 'after', {}, ['unknown']],
	['GET /sandbox/messages', 'before', {}, ['unknown']],
	['GET /sandbox/messages', 'wait_ms', {}, [-1, 600_001, 'soon']],
])('§2.1 §2.4 %s refuses a wrong %s, names it, and does nothing', async (...given) => {
	const [path, field, right, wrong] = given;
	const { call } = newService();
	const [method = '', url = ''] = path.split(' ');
	const before = (await call('GET', '/sandbox/state')).body;
	for (const value of wrong) {
		const answer =
			method === 'GET'
				? await call(method, `${url}?${field}=${String(value)}`)
				: await call(method, url, { ...right, [field]: value });
		expect([value, answer.status]).toEqual([value, 422]);
		if (url.startsWith('/v1/')) expect(answer.body['message']).toContain(field);
		expect([value, answer.body['errors']]).toEqual([value, { [field]: [answer.body['message']] }]);
	}
	expect((await call('GET', '/sandbox/state')).body).toEqual(before);
});
