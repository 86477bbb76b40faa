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

const WEBHOOK = { url: 'https://receiver.example/', events: ['receive'] };
const FAULT = { path: '/v1/send-message', kind: 'html' };

/** What is refused because of the field that is named last. */
const REFUSED: Array<[string, Array<[object, string]>]> = [
	[
		'POST /v1/account/webhooks',
		[
			...[undefined, 'not an address', 'ftp://receiver.example', 7].map((url): [object, string] => [
				{ ...WEBHOOK, url },
				'url',
			]),
			...[undefined, [], 'receive', ['receive', 'sneeze'], [null]].map(
				(events): [object, string] => [{ ...WEBHOOK, events }, 'events'],
			),
			[{ ...WEBHOOK, secret: 5 }, 'secret'],
		],
	],
	[
		'POST /sandbox/inbound',
		[
			[{ content: 'Hi' }, 'from'],
			[{ from: '555', content: 'Hi' }, 'from'],
			[{ from: CONTACT }, 'content'],
			[{ from: CONTACT, content: 'Hi', to: '+15559999999' }, 'to'],
			[{ from: CONTACT, content: 'Hi', service: 'fax' }, 'service'],
			[{ from: CONTACT, media_url: 'file:///etc/passwd' }, 'media_url'],
		],
	],
	[
		'POST /sandbox/clock',
		[{}, { advance_seconds: -1 }, { advance_seconds: '5' }, { advance_seconds: 1e15 }].map(
			(body) => [body, 'advance_seconds'],
		),
	],
	[
		'POST /sandbox/character',
		[{}, { character: 'kind' }, { character: null }].map((body) => [body, 'character']),
	],
	[
		'POST /sandbox/faults',
		[
			[{ kind: 'html' }, 'path'],
			[{ ...FAULT, path: '/v1/nothing' }, 'path'],
			[{ path: FAULT.path }, 'kind'],
			[{ ...FAULT, kind: 'explode' }, 'kind'],
			[{ ...FAULT, times: 0 }, 'times'],
			...[0, -0.5, 1.1, '0.5', true].map((probability): [object, string] => [
				{ ...FAULT, probability },
				'probability',
			]),
		],
	],
	...['number=bob', 'to=1', 'status=LOST', 'after=unknown', 'before=unknown', 'wait_ms=-1']
		.concat('wait_ms=600001', 'wait_ms=soon')
		.map((query): [string, Array<[object, string]>] => [
			`GET /sandbox/messages?${query}`,
			[[{}, query.split('=')[0]!]],
		]),
];

test.each(REFUSED)(
	'§2.4 %s names the field because of which it refuses, and does nothing',
	async (path, rows) => {
		const { call } = newService();
		const [method = '', url = ''] = path.split(' ');
		const before = (await call('GET', '/sandbox/state')).body;
		for (const [body, field] of rows) {
			const answer = await call(method, url, method === 'GET' ? undefined : body);
			expect([body, answer.status]).toEqual([body, 422]);
			expect([body, answer.body['errors']]).toEqual([body, { [field]: [answer.body['message']] }]);
		}
		expect((await call('GET', '/sandbox/state')).body).toEqual(before);
	},
);
