import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/** Stands for a database round trip: whoever else is ready runs in between. */
const roundTrip = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The store behind `helpers.checkProcessedAndRecord`, in memory. Like n8n's own it reads one row,
 * waits, and writes that row back, so writers at the same moment lose each other's entries.
 */
export class ProcessedData implements IDataDeduplicator {
	private readonly rows = new Map<string, string[]>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		assertEntries(options);
		const key = rowKey(scope, contextData);
		const known = new Set(this.rows.get(key));
		await roundTrip();

		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			if (known.has(String(item))) output.processed.push(item);
			else {
				output.new.push(item);
				known.add(String(item));
			}
		}
		this.rows.set(key, [...known].slice(-(options.maxEntries || known.size)));
		await roundTrip();
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		assertEntries(options);
		const key = rowKey(scope, contextData);
		const known = [...(this.rows.get(key) ?? [])];
		await roundTrip();
		const gone = new Set(items.map(String));
		this.rows.set(
			key,
			known.filter((entry) => !gone.has(entry)),
		);
	}

	async clearAllProcessedItems(scope: DeduplicationScope, contextData: ICheckProcessedContextData) {
		this.rows.delete(rowKey(scope, contextData));
	}

	async getProcessedDataCount(scope: DeduplicationScope, contextData: ICheckProcessedContextData) {
		return this.rows.get(rowKey(scope, contextData))?.length ?? 0;
	}
}

const rowKey = (scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData) =>
	JSON.stringify([workflow.id, scope === 'node' ? node?.id : '']);

const assertEntries = ({ mode }: ICheckProcessedOptions) => {
	if (mode !== 'entries') throw new Error(`The engine remembers entries only, not "${mode}"`);
};

// n8n-core allows one store for each process, which n8n's server sets at its start.
void DataDeduplicationService.init(new ProcessedData());
