import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import type { Schema } from '../sandbox/src/control/description/schema';
import { TriggerService } from './integration/triggerService';
import { OPERATIONS as ALL } from './support/operations';
import { withPicture } from './support/picture';
import { differences } from './support/schemas';
import { TestService } from './support/service';

const FOLDER = join(__dirname, '../nodes/TwoWayMessaging/__schema__/v1.0.0');

/** Null fits every type, as the value is not known yet. */
const schemaOf = (operation: string) =>
	JSON.parse(readFileSync(join(FOLDER, `${operation}.json`), 'utf8'), (name, value: unknown) =>
		name === 'type' ? [value, 'null'] : value,
	) as Schema;

/** `resource/operation` of everything the dropdowns offer. */
const OPERATIONS = ALL.map(({ resource, operation }) => `${resource}/${operation}`);

test("the trigger's fields can be dragged before anything has come: its schema has a text's", async () => {
	// n8n asks for it by the version, as the trigger has no operations.
	const [version] = [new TwoWayMessagingTrigger().description.version].flat();
	const schema = schemaOf(`../v${version}.0.0`);
	const trigger = await TriggerService.start();
	try {
		const n8n = await trigger.listen();
		await trigger.text('hello', { media_url: 'https://files.example/cat.jpg' });
		const [item] = n8n.items;
		expect(differences(item, schema)).toEqual([]);
		// What only a message that failed has is not in the item.
		const wanted = Object.keys(schema.properties ?? {}).filter((name) => name !== 'error_message');
		expect(Object.keys(item ?? {})).toEqual(wanted);
	} finally {
		await trigger.stop();
	}
});

/** An item's fields stand in the order of its schema, in which the editor shows both. */
function expectOrder(item: object, { properties = {} }: Schema): void {
	expect(Object.keys(item)).toEqual(Object.keys(properties).filter((name) => name in item));
}

const OPTED_OUT = '+15551230002';

describe('the output schemas, from which the editor offers fields', () => {
	let service: TestService;
	let mediaUrl: string;

	beforeAll(async () => {
		service = await TestService.start({ lookupAfterMs: 0 });
		await service.run({
			parameters: { resource: 'message', operation: 'send', number: '+15551230001', content: 'hi' },
		});
		const parameters = { resource: 'media', operation: 'upload' };
		const uploaded = await service.run({ parameters, files: withPicture() });
		mediaUrl = String(uploaded.json('Node')[0]?.media_url);
		await service.control.post('/sandbox/inbound', { from: OPTED_OUT, content: 'STOP' });
	});

	afterAll(async () => await service.stop());

	test('exist for every operation, and for nothing else', () => {
		const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.map((file) => file.replace(/\.json$/, ''));

		expect(files.sort()).toEqual([...OPERATIONS].sort());
	});

	test.each(OPERATIONS)('name what people look for first, and no ID, of %s', (name) => {
		const columns = Object.keys(schemaOf(name).properties ?? {});
		const first = columns.slice(0, Math.max(0, Math.min(5, columns.length - 2)));
		expect(first.filter((column) => column.endsWith('_handle'))).toEqual([]);
	});

	const LINE = { __rl: true, mode: 'number', value: '+15550100001' };

	test.each(OPERATIONS)('have the fields that %s really outputs', async (name) => {
		const [resource, operation] = name.split('/');
		const [sent] = await service.accepted();
		const parameters: INodeParameters = {
			resource: resource ?? '',
			operation: operation ?? '',
			// A question to who has opted out ends at once, so that there is an item.
			number: name === 'message/sendAndWait' ? OPTED_OUT : '+15551230001',
			content: 'hi',
			messageHandle: sent?.message_handle ?? '',
			line: LINE,
			mediaUrl,
			// An answer by text needs a trigger that listens.
			responseType: 'approval',
			options: {},
		};
		if (name === 'line/getMany') delete parameters.line;

		// As if the customer had texted it.
		const json = { ...sent, from: sent?.to, to: sent?.from, is_outbound: false };
		const files = withPicture().map((item) => ({ ...item, json }));
		const run = await service.run({ parameters, files });

		const items = [0, 1, 2].flatMap((output) => run.json('Node', output));
		expect(items.length).toBeGreaterThan(0);
		expect(items.flatMap((item) => differences(item, schemaOf(name)))).toEqual([]);
		for (const item of items) expectOrder(item, schemaOf(name));
	});
});
