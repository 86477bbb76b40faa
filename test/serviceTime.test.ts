import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import ts from 'typescript';
import { serviceTimeMs } from '../nodes/TwoWayMessaging/serviceTime';
import { filesIn, read } from './support/files';

const NODES = 'nodes/TwoWayMessaging';

/** Reads the dates in a process whose machine is in another time zone. */
function readIn(zone: string, dates: Array<string | number>): Array<number | null> {
	const source = read(`${NODES}/serviceTime.ts`);
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	const { outputText } = ts.transpileModule(source, { compilerOptions });
	const program = `${outputText}
		const dates = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
		console.log(JSON.stringify(dates.map((date) => exports.serviceTimeMs(date))));`;
	const answer = execFileSync(process.execPath, ['-e', program], {
		input: JSON.stringify(dates),
		env: { ...process.env, TZ: zone },
	});
	return JSON.parse(answer.toString()) as Array<number | null>;
}

const ZONES = ['UTC', 'Asia/Tokyo', 'America/St_Johns'];

const NINE = Date.UTC(2026, 0, 2, 9);

const MEANT: Array<[number | null, Array<string | number>]> = [
	[
		NINE,
		[
			...['2026-01-02T09:00:00', '2026-01-02 09:00:00'],
			...['2026-01-02T09:00:00.000000', '20260102T090000'],
			...['2026-01-02T09:00:00Z', '2026-01-02T09:00:00z', '20260102T090000Z'],
			...['2026-01-02T09:00:00+00:00', '2026-01-02T12:00:00+03:00', '2026-01-02T09:00:00+00'],
			...['2026-01-02 12:00:00 +0300', '2026-01-02 12:00:00+03', '2026-01-02 09:00:00 UTC'],
			...['2026-01-02T09:00:00 +00:00', '2026-01-02T12:00:00 +0300'],
			...['Fri, 02 Jan 2026 09:00:00 GMT', 'Fri, 2 Jan 2026 12:00:00 +0300'],
			...[String(NINE / 1_000), String(NINE), NINE / 1_000, NINE],
		],
	],
	[NINE + 123, ['2026-01-02T09:00:00.123456789Z']],
	[NINE + 312, ['2026-01-02T09:00:00,312Z', '2026-01-02T09:00:00,312']],
	[NINE + 312, ['20260102T090000.312Z', '20260102T120000,312+03']],
	[NINE + 500, ['2026-01-02T12:00:00.5+0300', '2026-01-02T12:00:00.5+03']],
	[NINE + 500, [`${NINE / 1_000}.5`, NINE / 1_000 + 0.5]],
	[Date.UTC(2000, 0, 1), ['946684800']],
	[Date.UTC(9999, 11, 31, 23, 59, 59), ['9999-12-31T23:59:59Z']],
	[
		null,
		[
			...['0001-01-01T00:00:00Z', '0001-01-01T00:00:00', '1970-01-01T00:00:00Z'],
			...['1970-01-01T00:00:00+00', 'Thu, 01 Jan 1970 00:00:00 GMT', '000000005'],
			...['', 'now', '5', '2026', '20260102', '17673444000000', '-1767344400', '1767344400Z'],
			...['2026-01-02', '2026-01-02T09:00', '2026-01-02 09:00Z', '20260102T0900'],
			...['message 2026-01-02', '1/2/2026 9:00 AM', 'Fri, 02 Jan 2026 09:00:00'],
			...['2026-13-02T09:00:00Z', '2026-01-02T09:00:00+00:00+00:00', 0, 5, -1, 1e13],
		],
	],
];
const DATES = MEANT.flatMap(([timeMs, dates]) => dates.map((date) => ({ date, timeMs })));

describe('a date of the service', () => {
	test.each(ZONES)('means the same moment where the machine is in the zone %s', (zone) => {
		const dates = DATES.map(({ date }) => date);
		const times = readIn(zone, dates);
		expect(dates.map((date, at) => ({ date, timeMs: times[at] }))).toEqual(DATES);
	});

	test('is a moment that can be shown, or no date, whatever the value is', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.anything(), fc.double(), fc.stringMatching(/^[-+:.,TZ \d]*$/)),
				(value) => {
					const timeMs = serviceTimeMs(value);
					if (!Number.isNaN(timeMs)) expect(new Date(timeMs).getTime()).toBe(timeMs);
				},
			),
		);
	});

	test('is no date where it is neither a text nor a Unix time', () => {
		for (const value of [undefined, null, true, 5, Infinity, Number.NaN, 10n, {}, [], new Date()]) {
			expect(serviceTimeMs(value)).toBeNaN();
		}
	});

	test('is read in one place, so that no zone of a machine comes in', () => {
		const reading = filesIn(NODES, '.ts').filter((file) =>
			read(file)
				.replace(/\/\*[^]*?\*\//g, '')
				.includes('Date.parse('),
		);
		expect(reading).toEqual([`${NODES}/serviceTime.ts`]);
	});
});
