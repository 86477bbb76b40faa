import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/** Takes the place of a database round trip: other work runs in between. */
const roundTrip = async () => await new Promise<void>((resolve) => setImmediate(resolve));

type Row = { mode: string; data: string[] };

/**
 * The store behind `helpers.checkProcessedAndRecord`, in memory. Like n8n's own store it reads a row, waits and writes the
 * row back, so that writers at the same time lose each other's entries. When there is no row, only one of them can insert
 * it. A row of another mode is refused.
 */
export class ProcessedData implements IDataDeduplicator {
	private readonly rows = new Map<string, Row>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		assertEntries(options);
		const key = rowKey(scope, contextData);
		const row = this.rows.get(key);
		const known = new Set(row?.data);
		await roundTrip();
		if (row && row.mode !== options.mode) throw new Error('An incompatible setting was used');

		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			if (known.has(String(item))) output.processed.push(item);
			else {
				output.new.push(item);
				known.add(String(item));
			}
		}
		if (!row && this.rows.has(key)) throw new Error('The key is not unique');
		const data = [...known].slice(-(options.maxEntries || known.size));
		// An update changes nothing when the row was removed in the meantime.
		if (!row || this.rows.has(key)) this.rows.set(key, { mode: options.mode, data });
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
		const { mode, data: known } = this.rows.get(key) ?? { mode: options.mode, data: [] };
		await roundTrip();
		const gone = new Set(items.map(String));
		this.rows.set(key, { mode, data: known.filter((entry) => !gone.has(entry)) });
	}

	async clearAllProcessedItems(scope: DeduplicationScope, contextData: ICheckProcessedContextData) {
		this.rows.delete(rowKey(scope, contextData));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		if (options.mode !== 'entries') return 0;
		return this.rows.get(rowKey(scope, contextData))?.data.length ?? 0;
	}
}

const rowKey = (scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData) =>
	JSON.stringify([workflow.id, scope === 'node' ? node?.id : '']);

const assertEntries = ({ mode }: ICheckProcessedOptions) => {
	// In every mode that n8n does not know, it keeps entries.
	if (['latestIncrementalKey', 'latestDate'].includes(mode)) {
		throw new Error(`The engine remembers entries only, not "${mode}"`);
	}
};

// n8n-core allows one store in each process, which n8n's server sets when it starts.
void DataDeduplicationService.init(new ProcessedData());
