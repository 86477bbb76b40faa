/**
 * Countries whose numbers have one form, by the plans that their regulators publish through the ITU. Where a number for texts
 * has another form abroad than at home, as in Argentina, the country is missing: its numbers need their plus.
 *
 * A saved workflow has the country by ISO 3166. `code` is the country code without a plus, and `trunk` what is dialled in front
 * of a number inside the country, and is no part of it; empty for none.
 */
const TABLE: ReadonlyArray<
	[country: string, name: string, code: string, trunk: string, least: number, most: number]
> = [
	['AU', 'Australia', '61', '0', 9, 9],
	['AT', 'Austria', '43', '0', 8, 13],
	['BE', 'Belgium', '32', '0', 8, 9],
	['BR', 'Brazil', '55', '0', 10, 11],
	['BG', 'Bulgaria', '359', '0', 8, 9],
	['CL', 'Chile', '56', '', 9, 9],
	['CN', 'China', '86', '0', 10, 11],
	['CO', 'Colombia', '57', '', 10, 10],
	['CR', 'Costa Rica', '506', '', 8, 8],
	['HR', 'Croatia', '385', '0', 8, 9],
	['CY', 'Cyprus', '357', '', 8, 8],
	['CZ', 'Czechia', '420', '', 9, 9],
	['DK', 'Denmark', '45', '', 8, 8],
	['EC', 'Ecuador', '593', '0', 8, 9],
	['EG', 'Egypt', '20', '0', 9, 10],
	['EE', 'Estonia', '372', '', 7, 8],
	['FI', 'Finland', '358', '0', 7, 10],
	['FR', 'France', '33', '0', 9, 9],
	['DE', 'Germany', '49', '0', 8, 11],
	['GR', 'Greece', '30', '', 10, 10],
	['GT', 'Guatemala', '502', '', 8, 8],
	['HK', 'Hong Kong', '852', '', 8, 8],
	['HU', 'Hungary', '36', '06', 8, 9],
	['IS', 'Iceland', '354', '', 7, 7],
	['IN', 'India', '91', '0', 10, 10],
	['ID', 'Indonesia', '62', '0', 9, 12],
	['IE', 'Ireland', '353', '0', 8, 9],
	['IL', 'Israel', '972', '0', 8, 9],
	['IT', 'Italy', '39', '', 9, 11],
	['JP', 'Japan', '81', '0', 9, 10],
	['KE', 'Kenya', '254', '0', 9, 9],
	['KW', 'Kuwait', '965', '', 8, 8],
	['LV', 'Latvia', '371', '', 8, 8],
	['LT', 'Lithuania', '370', '0', 8, 8],
	['LU', 'Luxembourg', '352', '', 6, 9],
	['MY', 'Malaysia', '60', '0', 8, 10],
	['MT', 'Malta', '356', '', 8, 8],
	['MX', 'Mexico', '52', '', 10, 10],
	['MA', 'Morocco', '212', '0', 9, 9],
	['NL', 'Netherlands', '31', '0', 9, 9],
	['NZ', 'New Zealand', '64', '0', 8, 10],
	['NG', 'Nigeria', '234', '0', 10, 10],
	['NO', 'Norway', '47', '', 8, 8],
	['PK', 'Pakistan', '92', '0', 10, 10],
	['PA', 'Panama', '507', '', 7, 8],
	['PE', 'Peru', '51', '0', 8, 9],
	['PH', 'Philippines', '63', '0', 10, 10],
	['PL', 'Poland', '48', '', 9, 9],
	['PT', 'Portugal', '351', '', 9, 9],
	['QA', 'Qatar', '974', '', 8, 8],
	['RO', 'Romania', '40', '0', 9, 9],
	['SA', 'Saudi Arabia', '966', '0', 9, 9],
	['RS', 'Serbia', '381', '0', 8, 9],
	['SG', 'Singapore', '65', '', 8, 8],
	['SK', 'Slovakia', '421', '0', 9, 9],
	['SI', 'Slovenia', '386', '0', 8, 8],
	['ZA', 'South Africa', '27', '0', 9, 9],
	['KR', 'South Korea', '82', '0', 8, 10],
	['ES', 'Spain', '34', '', 9, 9],
	['SE', 'Sweden', '46', '0', 7, 9],
	['CH', 'Switzerland', '41', '0', 9, 9],
	['TW', 'Taiwan', '886', '0', 8, 9],
	['TH', 'Thailand', '66', '0', 8, 9],
	['TR', 'Türkiye', '90', '0', 10, 10],
	['UA', 'Ukraine', '380', '0', 9, 9],
	['AE', 'United Arab Emirates', '971', '0', 8, 9],
	['GB', 'United Kingdom', '44', '0', 10, 10],
	['US', 'United States, Canada', '1', '1', 10, 10],
	['UY', 'Uruguay', '598', '0', 8, 8],
	['VN', 'Vietnam', '84', '0', 9, 10],
];

/** Digits that no number begins with: only Italy's may begin with a zero, and no area of the code 1 begins with 0 or 1. */
const NOT_FIRST: Record<string, string> = { IT: '', US: '01' };

/**
 * What a number begins with that has lost its trunk digit, in countries whose numbers have so many lengths that a neighbour's
 * number fits: those of mobiles, which are the ones that get texts.
 */
const WITHOUT_TRUNK: Record<string, RegExp> = { AT: /^6/, DE: /^1[5-7]/, ID: /^8/, NZ: /^2/ };

/** How each country writes its numbers: what stands behind the country code, and the same in words. */
export const NUMBERING_PLANS = TABLE.map(([country, name, code, trunk, least, most]) => {
	const not = NOT_FIRST[country] ?? '0';
	const digits = least === most ? `${least}` : `${least} to ${most}`;
	return {
		...{ country, name, code, trunk },
		national: new RegExp(`^${not && `(?![${not}])`}\\d{${least},${most}}$`),
		form: `${digits} digits${not && `, of which the first is not ${[...not].join(' or ')}`}`,
	};
});

export type NumberingPlan = (typeof NUMBERING_PLANS)[number];

/**
 * The international number that digits mean in a country:
 *
 * ```ts
 * inCountry('015112345678', germany) === '+4915112345678';
 * ```
 *
 * A list may hold numbers as they are dialled at home, those that have lost their zero in a spreadsheet, and those that have
 * lost their plus. Where two of these fit, nothing is guessed.
 *
 * @returns undefined where they fit the country's plan in no way, or in two ways
 */
export function inCountry(digits: string, plan: NumberingPlan): string | undefined {
	const { country, code, trunk, national } = plan;
	const mobile = WITHOUT_TRUNK[country];
	const readings: string[] = [];
	if (trunk !== '' && digits.startsWith(trunk)) readings.push(digits.slice(trunk.length));
	else if (mobile?.test(digits) ?? true) readings.push(digits);
	const behindCode = digits.startsWith(code) ? digits.slice(code.length) : '';
	// Otherwise it may be a number of the country that has lost its trunk digit, too.
	if (mobile?.test(behindCode) || !mobile || !national.test(digits)) readings.push(behindCode);
	const fitting = new Set(readings.filter((reading) => national.test(reading)));
	const [only] = fitting;
	return fitting.size === 1 ? `+${code}${only}` : undefined;
}
