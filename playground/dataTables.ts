import type { N8nRest } from './rest';

/** What a column of a Data Table holds. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'date';

/** A Data Table by its name, with the columns that a person sees, and what is in it to begin with. */
export type DataTable = {
	name: string;
	columns: Record<string, ColumnType>;
	rows?: TableRow[];
};

const [ANNA, BEN, OTHER_BEN] = [
	{ name: 'Anna', number: '+15551230001' },
	{ name: 'Ben', number: '+15551230002' },
	{ name: 'Ben', number: '+15551230006' },
];

/** Noon of a day from now on, in the time zone that the playground's n8n has too. */
const noonInDays = (days: number): string => {
	const noon = new Date();
	noon.setDate(noon.getDate() + days);
	noon.setHours(12, 0, 0, 0);
	return noon.toISOString();
};

/**
 * The Data Tables that the examples keep their state in. The examples look for them by name, so that an import elsewhere
 * finds them too. n8n takes any table whose name contains that name, so none of these may contain another.
 */
export const DATA_TABLES: DataTable[] = [
	{
		name: 'Appointments',
		columns: { name: 'string', number: 'string', time: 'string', day: 'date' },
		rows: [
			{ ...ANNA, time: '10:00', day: noonInDays(1) },
			{ ...OTHER_BEN, time: '11:30', day: noonInDays(1) },
			{ name: 'Carla', number: '+15551230007', time: '9:00', day: noonInDays(3) },
		],
	},
	{
		name: 'Follow-ups',
		columns: {
			number: 'string',
			name: 'string',
			state: 'string',
			texts_sent: 'number',
			next_text_at: 'date',
		},
		rows: [ANNA, BEN],
	},
	{ name: 'Handovers', columns: { customer: 'string', line: 'string', taken_at: 'date' } },
	{
		name: 'Outreach people',
		columns: { name: 'string', number: 'string' },
		rows: [
			ANNA,
			BEN,
			{ name: 'Carla', number: '+44 7700 900123' },
			{ name: 'Dora, whose country code is missing', number: '555 0104' },
		],
	},
	{
		name: 'Survey people',
		columns: { name: 'string', number: 'string' },
		rows: [ANNA, OTHER_BEN],
	},
	{ name: 'Text opt-outs', columns: { number: 'string', consent: 'string', said_at: 'date' } },
];

/** A row of a Data Table. */
export type TableRow = Record<string, string | number | boolean | null>;

/** How many tables, or rows of a table, are asked for. */
const PAGE = 100;

/** The Data Tables of the person who is logged in to n8n. */
export class DataTables {
	constructor(private readonly rest: N8nRest) {}

	/** Creates the tables that are not there yet. One that is there stays as it is, with its rows. */
	async provide(tables: DataTable[]): Promise<void> {
		if (tables.length === 0) return;
		const existing = (await this.list()).map(({ name }) => name);
		for (const { name, columns, rows } of tables.filter(
			(table) => !existing.includes(table.name),
		)) {
			const named = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
			await this.rest.call('post', await this.path(), { name, columns: named });
			if (rows) await this.add(name, rows);
		}
	}

	/** Adds rows to a table, as a person does who fills in only some of its columns. */
	async add(table: string, rows: TableRow[]): Promise<void> {
		const path = (await this.rowsPath(table)).replace(/rows$/, 'insert');
		await this.rest.call('post', path, { data: rows });
	}

	/** The rows of a table, the oldest first. */
	async rows(table: string): Promise<TableRow[]> {
		const path = `${await this.rowsPath(table)}?take=${PAGE}&sortBy=id:asc`;
		return (await this.rest.call<{ data: TableRow[] }>('get', path)).data;
	}

	/** Changes the rows of a table that have this value in this column. */
	async change(table: string, column: string, value: string, change: TableRow): Promise<void> {
		const filter = { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] };
		await this.rest.call('patch', await this.rowsPath(table), { filter, data: change });
	}

	private async list(): Promise<Array<{ id: string; name: string }>> {
		const path = `${await this.path()}?take=${PAGE}`;
		return (await this.rest.call<{ data: Array<{ id: string; name: string }> }>('get', path)).data;
	}

	private async rowsPath(table: string): Promise<string> {
		const found = (await this.list()).find(({ name }) => name === table);
		if (!found) throw new Error(`n8n has no Data Table ${table}`);
		return `${await this.path()}/${found.id}/rows`;
	}

	/** Tables belong to a project; each person has one of their own. */
	private async path(): Promise<string> {
		const { id } = await this.rest.call<{ id: string }>('get', '/projects/personal');
		return `/projects/${id}/data-tables`;
	}
}
