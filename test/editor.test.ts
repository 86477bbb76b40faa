import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../credentials/TwoWayMessagingApi.credentials';
import { TwoWayMessaging } from '../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import './support/environment';
import { Instance, parametersOf } from './support/instance';

/** A field as a person meets it, and where. */
type Field = { path: string; field: INodeProperties };

const isField = (entry: object): entry is INodeProperties => 'type' in entry && 'name' in entry;

/** The fields of a panel and those inside its collections, without the fields of n8n's own schedule. */
const fieldsOf = (properties: INodeProperties[], path: string): Field[] =>
	properties.flatMap((field) => {
		const own = { path: `${path} › ${field.displayName}`, field };
		const inner = field.type === 'collection' ? (field.options ?? []).filter(isField) : [];
		return [own, ...fieldsOf(inner, own.path)];
	});

const nodes = [new TwoWayMessaging(), new TwoWayMessagingTrigger()].map(
	({ description }) => description,
);
const fields = [
	...nodes.flatMap(({ displayName, properties }) => fieldsOf(properties, displayName)),
	...fieldsOf(new TwoWayMessagingApi().properties, 'Credential'),
];
const choices = fields.flatMap(({ path, field }) =>
	['options', 'multiOptions'].includes(field.type)
		? ((field.options ?? []) as INodePropertyOptions[]).map((choice) => ({ path, field, choice }))
		: [],
);

/** Letters of a label that a collection shows, in a window of usual width. */
const LONGEST_LABEL = 26;

const pathsOf = (wrong: Array<{ path: string }>) => wrong.map(({ path }) => path);
const wordsOf = (text = ''): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

describe('what the editor shows', () => {
	test('says of every field more than its label does', () => {
		const needsWords = fields.filter(
			({ field: { type, name } }) =>
				!['notice', 'collection'].includes(type) && !['resource', 'operation'].includes(name),
		);
		const wrong = needsWords.filter(({ field }) => {
			const label = wordsOf(field.displayName);
			return wordsOf(field.description).filter((word) => !label.includes(word)).length < 3;
		});
		expect(needsWords.length).toBeGreaterThan(30);
		expect(pathsOf(wrong)).toEqual([]);
	});

	test('shows an example in every field that people type a text into', () => {
		const wrong = fields.filter(
			({ field: { type, typeOptions, placeholder } }) =>
				type === 'string' && !typeOptions?.password && !placeholder?.startsWith('e.g. '),
		);
		expect(pathsOf(wrong)).toEqual([]);
	});

	test('names in its label what every number counts, or lets people choose it below', () => {
		const numbers = fields.filter(
			({ field: { type, name } }) => type === 'number' && name !== 'limit',
		);
		const isChosenBelow = (number: Field) =>
			fields[fields.indexOf(number) + 1]?.field.displayName === 'Unit';
		const wrong = numbers.filter(
			(number) =>
				!/ \((Seconds|Hours|Megabytes|Times)\)$|^Max Events /.test(number.field.displayName) &&
				!isChosenBelow(number),
		);
		expect(numbers).not.toEqual([]);
		expect(pathsOf(wrong)).toEqual([]);
	});

	test('has labels that are short enough for the editor', () => {
		const wrong = fields.filter(
			({ field: { type, displayName } }) => type !== 'notice' && displayName.length > LONGEST_LABEL,
		);
		expect(pathsOf(wrong)).toEqual([]);
	});

	test('explains every choice but those that explain themselves', () => {
		const wrong = choices.filter(
			({ field, choice }) =>
				!['resource', 'statusStyle', 'resumeUnit'].includes(field.name) &&
				wordsOf(choice.description).length < 2,
		);
		expect(choices.length).toBeGreaterThan(20);
		expect(pathsOf(wrong)).toEqual([]);
	});

	test('offers every default among the choices', () => {
		const wrong = fields.filter(({ field }) => {
			const values = choices
				.filter((choice) => choice.field === field)
				.map(({ choice }) => choice.value);
			return field.type === 'options' && !values.includes(field.default as string);
		});
		expect(pathsOf(wrong)).toEqual([]);
	});

	test('has a name and an action for every operation in the list of nodes', () => {
		const operations = choices.filter(({ field }) => field.name === 'operation');
		const wrong = operations.filter(({ choice }) => !choice.action?.match(/^[A-Z][a-z ]+$/));
		expect(operations.length).toBeGreaterThan(5);
		expect(wrong.map(({ choice }) => choice.name)).toEqual([]);
	});

	test('spells n8n as n8n does', () => {
		expect(JSON.stringify([nodes, fields])).not.toMatch(/N8n|N8N/);
	});

	test('names the events under the trigger on the canvas as the list does', () => {
		const instance = new Instance({
			nodeTypes: [new TwoWayMessagingTrigger()],
			credentialTypes: [],
			credentials: {},
		});
		const parameters = { events: ['receive', 'line_blocked'] };
		const node = instance.node({ type: 'twoWayMessagingTrigger', parameters });
		const { subtitle } = new TwoWayMessagingTrigger().description;
		const { expression } = instance.workflow([node]);
		expect(expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(
			'Message Received, Line Blocked',
		);
	});

	describe('a question, of a node of version', () => {
		const instance = new Instance({
			nodeTypes: [new TwoWayMessaging()],
			credentialTypes: [],
			credentials: {},
		});
		const nodeOf = (typeVersion: number, parameters: object) =>
			instance.node({
				type: 'twoWayMessaging',
				typeVersion,
				parameters: { resource: 'message', operation: 'sendAndWait', ...parameters },
			});

		test.each([
			[1, {}, 1],
			[1, { limitWaitTime: true }, 2],
			[1.1, {}, 2],
			[1.1, { operation: 'send' }, 1],
		])('%d with %j has %d outputs', (typeVersion, parameters, count) => {
			const node = nodeOf(typeVersion, parameters);
			const { expression } = instance.workflow([node]);
			const { outputs } = new TwoWayMessaging().description;
			expect(
				expression.getSimpleParameterValue(node, outputs as string, 'internal', {}),
			).toHaveLength(count);
		});

		test.each([
			[1, false],
			[1.1, true],
		])('%d can expect certain answers: %s', (typeVersion, can) => {
			const parameters = parametersOf(instance, nodeOf(typeVersion, { responseType: 'reply' }));
			expect('expected' in parameters).toBe(can);
		});
	});

	test('says how to see an event, for both ways of receiving events', () => {
		const notices = new TwoWayMessagingTrigger().description.properties.filter(
			({ type }) => type === 'notice',
		);
		expect(notices.map(({ displayOptions }) => displayOptions?.show?.receiveBy)).toEqual([
			['webhook'],
			['polling'],
		]);
	});

	test('shows one schedule of checks for each way of receiving events, as n8n activates no workflow without it', () => {
		const schedules = fields.filter(({ field }) => field.name === 'pollTimes');
		const receiveBy = fields.find(({ field }) => field.name === 'receiveBy')?.field;
		const ways = choices
			.filter(({ field }) => field === receiveBy)
			.map(({ choice }) => choice.value);
		const shown = schedules.flatMap(({ field }) => field.displayOptions?.show?.receiveBy);
		expect(shown.sort()).toEqual(ways.sort());
	});
});
