import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXAMPLES_FOLDER } from '../../../playground/folders';
import type { WorkflowFile } from '../../../playground/rest';
import { checkAgain } from '../../support/playground/checks';
import { Customer } from '../../support/playground/customer';
import { waitUntil } from '../../support/waitUntil';
import type { Station } from './station';

const COMBINE_SECONDS = 6;

const ANNA = '+15551230001';
const BEN = '+15551230002';

/** Reads the example that answers every text, and makes it wait for more texts. */
const readPatientAutoReply = async (): Promise<WorkflowFile> => {
	const file = await readFile(join(EXAMPLES_FOLDER, 'auto-reply.json'), 'utf8');
	const autoReply = JSON.parse(file) as WorkflowFile;
	for (const { type, parameters } of autoReply.nodes) {
		if (!type.endsWith('Trigger')) continue;
		Object.assign(parameters, { checkEvery: 1, options: { combineSeconds: COMBINE_SECONDS } });
	}
	return autoReply;
};

/** Combine Texts. */
export const testCombined = (given: () => Station) => {
	let station: Station;
	let workflow: WorkflowFile;

	beforeAll(async () => {
		station = await given().cleared();
		workflow = await readPatientAutoReply();
		await station.publish(workflow);
		await station.waitUntilListening();
	});

	/** The answers to a customer, oldest first. */
	const answersTo = async (number: string): Promise<string[]> =>
		(await station.accepted()).filter(({ to }) => to === number).map(({ content }) => content);

	const waitForAnswers = async (number: string) =>
		await waitUntil(`an answer to ${number}`, async () => {
			const answers = await answersTo(number);
			return answers.length > 0 ? answers : undefined;
		});

	/** Sends texts one after the other, each after n8n has taken the event of the previous one. */
	const textAll = async (number: string, contents: string[]) => {
		const customer = new Customer(station.sandboxUrl, number);
		for (const content of contents) {
			const { attempts } = await customer.waitForDelivery(await customer.text(content));
			expect(attempts.map(({ status }) => status)).toEqual([200]);
		}
	};

	test('three short texts get one answer, and n8n takes each event at once', async () => {
		const startedAtMs = performance.now();
		await textAll(ANNA, ['Hi', 'are you open', 'tomorrow?']);
		expect(performance.now() - startedAtMs).toBeLessThan(COMBINE_SECONDS * 1_000);
		expect(await answersTo(ANNA)).toEqual([]);
		expect(await waitForAnswers(ANNA)).toEqual([
			expect.stringContaining('“Hi\nare you open\ntomorrow?”'),
		]);
		expect(await station.n8n.executions(workflow.id)).toHaveLength(1);
	});

	test('texts that wait for more when n8n is killed are answered once, after its next start', async () => {
		await textAll(BEN, ['My order', 'has not come', 'where is it?']);
		await station.kill();
		expect(await answersTo(BEN)).toEqual([]);
		await station.start();
		expect(await waitForAnswers(BEN)).toEqual([
			expect.stringContaining('“My order\nhas not come\nwhere is it?”'),
		]);
		await checkAgain(station.sandboxUrl, station);
		expect(await answersTo(BEN)).toHaveLength(1);
		expect(await answersTo(ANNA)).toHaveLength(1);
	});
};
