import { withControlTable } from '../../sandbox/controlTable';
import type { Operation } from '../../sandbox/src/control/description/operation';
import type { Schema } from '../../sandbox/src/control/description/schema';
import { openApi } from '../../sandbox/src/control/openApi';
import { read } from '../support/files';
import { differences } from '../support/schemas';
import { CONTACT, FRONT_DESK, newService } from './service';

const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
		method.toUpperCase(),
		path,
		operation,
	]),
);

const named = ({ $ref }: Schema): Schema | undefined =>
	$ref ? openApi.components.schemas[$ref.split('/').at(-1)!] : undefined;

/** A service that could not deliver an event, and what fills in a path of its control calls. */
const withEvent = async () => {
	const service = newService({}, () => 500);
	await service.register(['receive']);
	await service.text('Hi');
	await service.sandbox.settled();
	const idOf = async (list: string) => {
		const { body } = await service.call('GET', `/sandbox/${list}`);
		return (body[list] as Array<{ id: string }>)[0]!.id;
	};
	const ids = { deliveries: await idOf('deliveries'), webhooks: await idOf('webhooks') };
	const filled = (path: string) =>
		path
			.replace('{number}', encodeURIComponent(CONTACT))
			.replace('{line_handle}', FRONT_DESK)
			.replace('{id}', path.includes('webhooks') ? ids.webhooks : ids.deliveries);
	return { ...service, filled };
};

describe('The OpenAPI description', () => {
	test('has every control call that there is, and no other', () => {
		const { routes } = newService().sandbox.app;
		const there = routes
			.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/sandbox/'))
			.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
		const described = operations.map(([method, path]) => `${method} ${path}`);
		expect([...described].sort()).toEqual([...new Set(there)].sort());
	});

	test('names each parameter of a path, refers to schemas that there are, and names each call once', () => {
		for (const [, path, { parameters = [] }] of operations) {
			const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
			expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
		}
		const refs = [...JSON.stringify(openApi).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!);
		expect(refs.filter((to) => !named({ $ref: to }))).toEqual([]);
		const ids = operations.map(([, , { operationId }]) => operationId);
		expect(new Set(ids).size).toBe(ids.length);
	});

	test('is served to programs', async () => {
		const { call } = newService();
		expect((await call('GET', '/sandbox/openapi.json')).body).toEqual(
			JSON.parse(JSON.stringify(openApi)),
		);
	});

	test('asks for a body only where a call without one is refused', async () => {
		const withBody = operations.filter(([, , { requestBody }]) => requestBody);
		expect(withBody.length).toBeGreaterThan(5);
		for (const [method, path, { requestBody, operationId }] of withBody) {
			const { call, filled } = await withEvent();
			const { status } = await call(method, filled(path));
			expect([operationId, status >= 400]).toEqual([operationId, requestBody!.required]);
		}
	});

	test('is what the README’s table is made from', () => {
		const readme = read('sandbox/README.md');
		expect(readme).toBe(withControlTable(readme));
	});

	test('says what the answers are like', async () => {
		const { call, send, filled } = await withEvent();
		await send();
		await call('POST', '/v1/account/webhooks', { url: 'no' });
		/** What fills the calls in, in an order in which each of them works. */
		const calls: Array<[id: string, body?: object]> = [
			['text', { from: CONTACT, content: 'Hello' }],
			['addFault', { path: '/v1/me', kind: 'slow' }],
			['changeCharacter', { character: 'generous' }],
			['advanceClock', { advance_seconds: 60 }],
			['changeContact', { fail_next: true }],
			['changeLine', { limits: { hourly: 5 } }],
			['blockLine', {}],
			['unblockLine'],
			['redeliver', {}],
			...['findMessages', 'calls', 'deliveries', 'webhooks', 'faults'].map((id): [string] => [id]),
			...['state', 'clearFaults', 'removeWebhook'].map((id): [string] => [id]),
			['reset', {}],
		];
		for (const [id, body] of calls) {
			const [method, path, { responses }] = operations.find(
				([, , { operationId }]) => operationId === id,
			)!;
			const answer = await call(method, filled(path), body);
			const schema = responses[String(answer.status)]?.content?.['application/json']?.schema;
			expect([id, answer.status, schema !== undefined]).toEqual([id, answer.status, true]);
			expect([id, differences(answer.body, schema!, named)]).toEqual([id, []]);
		}
	});
});
