import { ObservableObject, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { triggerCall } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { readSaved } from '../../nodes/TwoWayMessaging/trigger/savedState';
import { CopyOfChecks, writeSaved } from '../../nodes/TwoWayMessaging/trigger/writeSaved';
import { TestClock } from '../support/testClock';

/** Static data of a workflow, as n8n watches it. */
const watched = () => {
	const ofWorkflow = ObservableObject.create({ node: {} }, undefined, {
		ignoreEmptyOnFirstChild: true,
	}) as { node: IDataObject; __dataChanged: boolean };
	return ofWorkflow;
};

describe('the copy of the checks gets what another of n8n’s calls writes', () => {
	const registration = { account: 'a', url: 'https://n8n.example', events: [], fingerprint: 'f' };
	const write = (mode: string) => {
		const [read, ofChecks] = [watched(), watched()];
		const caller = {
			getWorkflow: () => ({ id: 'w1' }),
			getNode: () => ({ id: 'n1' }),
			getMode: () => mode,
			getWorkflowStaticData: () => read.node,
		} as unknown as IWebhookFunctions;
		const call = triggerCall(caller, new ProcessMemory(new TestClock()));
		call.memory.part(CopyOfChecks).data = ofChecks.node;
		writeSaved(call, { registration });
		expect(readSaved(caller, 'registration')).toEqual(registration);
		expect(read.__dataChanged).toBe(true);
		return ofChecks;
	};

	test('and n8n does not save it for that, as other nodes have their data in it', () => {
		const ofChecks = write('webhook');
		expect(JSON.parse(JSON.stringify(ofChecks))).toEqual({
			node: { registration: JSON.stringify(registration) },
		});
		expect(ofChecks.__dataChanged).toBe(false);
	});

	test('but for what a test in the editor writes', () => {
		expect(JSON.parse(JSON.stringify(write('manual')))).toEqual({ node: {} });
	});
});
