import { CHARACTER_NAMES } from '../../sandbox/src';
import { tidyText } from '../../sandbox/src/characters/tidyText';
import { serviceOf } from './service';

const of = (text: string, count: number) => text.repeat(count);

/** Texts of about a megabyte, each of a kind that careless code takes minutes or hours to read. */
const LONG_TEXTS: Array<[string, string]> = [
	['full stops and a letter', `${of('.', 900_000)}a`],
	['a word and exclamation marks', `STOP${of('!', 900_000)}x`],
	['spaces and a letter', `${of(' ', 900_000)}a`],
	['spaces after a letter, between letters', of(`a${of(' ', 999)}`, 900)],
	['line ends', `${of('\n', 400_000)}a`],
	['carriage returns', `${of('\r', 400_000)}a`],
	['combining marks of one class', `a${of('\u0301', 450_000)}`],
	['combining marks in the wrong order', `a${of('\u0301', 225_000)}${of('\u0323', 225_000)}`],
	['combining marks in alternating order', `a${of('\u0301\u0323', 225_000)}`],
	['runs of marks that are just not long', of(`a${of('\u0301', 15)}${of('\u0323', 15)}`, 15_000)],
	['beginnings of URLs', of('http://', 128_000)],
	['quotation marks and backslashes', of('"\\', 240_000)],
];

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	// None of these tests measures a time: with code that takes the square of a text's length they would not end.
	test.each(LONG_TEXTS)('takes a long text of %s', async (_kind, content) => {
		const { sandbox, register, text, send, page, posted } = serviceOf(character)();
		await register(['receive']);
		expect((await text(content)).content).toBe(content);
		expect((await send({ content })).status).toBe(201);
		await sandbox.settled();
		expect(posted).toHaveLength(1);
		expect((await page()).rows).toHaveLength(2);
	});

	test.each(LONG_TEXTS)('refuses a request whose number is %s', async (_kind, number) => {
		expect((await serviceOf(character)().send({ number })).status).toBe(422);
	});

	test('still takes STOP for STOP with many full stops behind it', async () => {
		const { send, text } = serviceOf(character)();
		await text(`${of(' ', 1_000)}stop${of('.!', 400_000)}${of('\n', 1_000)}`);
		expect((await send()).status).toBe(422);
	});
});

describe('The composed form of a text', () => {
	test.each([
		['e\u0301', '\u00e9'],
		['a\u0301\u0323', '\u1ea1\u0301'],
		[`x${of('\u0301', 29)}\u0323`, `x\u0323${of('\u0301', 29)}`],
		['\u1112\u1161\u11ab', '\ud55c'],
	])('of %j is %j', (text, composed) => {
		expect(tidyText(text)).toBe(composed);
	});

	test('leaves a run of more than thirty combining marks as it is, and composes what is around it', () => {
		const run = `${of('\u0301', 16)}${of('\u0323', 16)}`;
		expect(tidyText(`e\u0301 x${run}e\u0301`)).toBe(`\u00e9 x${run}\u00e9`);
	});
});

describe('An upload', () => {
	test.each([
		['dashes', '-'],
		['line ends', '\r\n'],
		['almost the boundary', '\r\n--form'],
	])('of ten megabytes of %s is taken', async (_kind, unit) => {
		const { sandbox, credential } = serviceOf('literal')();
		const count = Math.floor((10 * 1024 * 1024) / unit.length);
		const answer = await sandbox.app.request('/media', {
			method: 'POST',
			headers: { ...credential, 'content-type': 'multipart/form-data; boundary=form-boundary' },
			body: `--form-boundary\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${of(unit, count)}\r\n--form-boundary--\r\n`,
		});
		expect(answer.status).toBe(201);
	});

	test('with a megabyte of white space for a type is refused', async () => {
		const { sandbox, credential } = serviceOf('literal')();
		const answer = await sandbox.app.request('/media', {
			method: 'POST',
			headers: { ...credential, 'content-type': 'multipart/form-data; boundary=form-boundary' },
			body: `--form-boundary\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: image/${of(' ', 1_000_000)};${of(' ', 1_000_000)}\r\n\r\nx\r\n--form-boundary--\r\n`,
		});
		expect(answer.status).toBe(422);
	});
});
