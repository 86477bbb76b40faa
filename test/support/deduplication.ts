import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator as Store,
	IDeduplicationOutput,
	IExecuteFunctions,
} from 'n8n-workflow';

/** Takes the place of a database round trip: other work runs in between. */
const otherWork = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Each write makes a row of its own. Names are only ever added to those of the row before. */
type Row = { mode: string; names: Set<string> };

/**
 * The store behind `helpers.checkProcessedAndRecord`, in memory. Like n8n's own store it reads a row, waits and writes the
 * row back, so that writers at the same time lose each other's entries. When there is no row, only one of them can insert
 * it. A row of another mode is refused.
 */
export class ProcessedData implements Store {
	private readonly rows = new Map<string, Row>();

	constructor(private readonly roundTrip = otherWork) {}

	checkProcessedAndRecord: Store['checkProcessedAndRecord'] = async (
		...[items, scope, contextData, options]
	) => {
		assertEntries(options);
		const key = rowKey(scope, contextData);
		const row = this.rows.get(key);
		const read = row?.names.size ?? 0;
		await this.roundTrip();
		if (row && row.mode !== options.mode) throw new Error('An incompatible setting was used');

		// What others have added meanwhile is unknown to this writer. Where nobody has, thousands of names need no copy.
		const isAlone = row && row === this.rows.get(key);
		const known = isAlone ? row.names : new Set([...(row?.names ?? [])].slice(0, read));
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			if (known.has(String(item))) output.processed.push(item);
			else {
				output.new.push(item);
				known.add(String(item));
			}
		}
		if (!row && this.rows.has(key)) throw new Error('The key is not unique');
		const most = options.maxEntries || known.size;
		const names = known.size > most ? new Set([...known].slice(-most)) : known;
		// An update changes nothing when the row was removed in the meantime.
		if (!row || this.rows.has(key)) this.rows.set(key, { mode: options.mode, names });
		await this.roundTrip();
		return output;
	};

	removeProcessed: Store['removeProcessed'] = async (items, scope, contextData, options) => {
		assertEntries(options);
		const key = rowKey(scope, contextData);
		const { mode, names } = this.rows.get(key) ?? { mode: options.mode, names: [] };
		const left = new Set(names);
		await this.roundTrip();
		for (const item of items) left.delete(String(item));
		this.rows.set(key, { mode, names: left });
	};

	clearAllProcessedItems: Store['clearAllProcessedItems'] = async (scope, contextData) => {
		await this.roundTrip();
		this.rows.delete(rowKey(scope, contextData));
	};

	getProcessedDataCount: Store['getProcessedDataCount'] = async (scope, contextData, options) => {
		await this.roundTrip();
		if (options.mode !== 'entries') return 0;
		return this.rows.get(rowKey(scope, contextData))?.names.size ?? 0;
	};
}

/** What an execution of a node gets from n8n to use the table with. */
export const tableHelpers = (data: ProcessedData, context: ICheckProcessedContextData) =>
	({
		checkProcessedAndRecord: async (items, scope, options) =>
			await data.checkProcessedAndRecord(items, scope, context, options),
		removeProcessed: async (items, scope, options) =>
			await data.removeProcessed(items, scope, context, options),
		clearAllProcessedItems: async (scope, options) =>
			await data.clearAllProcessedItems(scope, context, options),
		getProcessedDataCount: async (scope, options) =>
			await data.getProcessedDataCount(scope, context, options),
	}) satisfies Partial<IExecuteFunctions['helpers']>;

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
