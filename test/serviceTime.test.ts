import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { serviceTimeMs } from '../nodes/TwoWayMessaging/serviceTime';

const NODES = join(__dirname, '../nodes/TwoWayMessaging');

/** Reads the dates in a process whose machine is in another time zone. */
function readIn(zone: string, dates: string[]): Array<number | null> {
	const source = readFileSync(join(NODES, 'serviceTime.ts'), 'utf8');
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

const DATES: Array<[string, number | null]> = [
	['2026-01-02T09:00:00', NINE],
	['2026-01-02T09:00', NINE],
	['2026-01-02 09:00:00', NINE],
	['2026-01-02T09:00:00.000000', NINE],
	['2026/01/02 09:00:00', NINE],
	['1/2/2026 9:00 AM', NINE],
	['Fri, 02 Jan 2026 09:00:00', NINE],
	['2026-01-02', NINE - 9 * 3_600_000],
	['2026-01-02T09:00:00Z', NINE],
	['2026-01-02T09:00:00z', NINE],
	['2026-01-02T09:00:00+00:00', NINE],
	['2026-01-02T12:00:00+03:00', NINE],
	['2026-01-02T12:00:00.5+0300', NINE + 500],
	['2026-01-02 12:00:00 +0300', NINE],
	['2026-01-02 12:00:00+03', NINE],
	['2026-01-02 09:00:00 UTC', NINE],
	['Fri, 02 Jan 2026 09:00:00 GMT', NINE],
	['Fri, 02 Jan 2026 04:00:00 EST', NINE],
	['Fri Jan 02 2026 12:00:00 GMT+0300 (Moscow Standard Time)', NINE],
	['', null],
	['now', null],
];

describe('a date of the service', () => {
	test.each(ZONES)('means the same moment where the machine is in the zone %s', (zone) => {
		const read = readIn(
			zone,
			DATES.map(([date]) => date),
		);
		expect(DATES.map(([date], at) => [date, read[at]])).toEqual(DATES);
	});

	test('without a zone is in UTC, whatever the date and the machine’s zone are', () => {
		const dates = fc
			.sample(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), 500)
			.map((date) => date.toISOString());
		const bare = dates.map((date) => date.replace('Z', ''));
		for (const zone of ZONES) {
			expect(readIn(zone, bare)).toEqual(dates.map((date) => Date.parse(date)));
		}
	});

	test('is no date where it is no text', () => {
		for (const value of [undefined, null, 5, {}, []]) expect(serviceTimeMs(value)).toBeNaN();
	});

	test('is read in one place, so that no zone of a machine comes in', () => {
		const files = readdirSync(NODES, { recursive: true, encoding: 'utf8' });
		const reading = files.filter((file) => {
			if (!file.endsWith('.ts')) return false;
			const code = readFileSync(join(NODES, file), 'utf8').replace(/\/\*[^]*?\*\//g, '');
			return code.includes('Date.parse(');
		});
		expect(reading).toEqual(['serviceTime.ts']);
	});
});
