import fc from 'fast-check';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { isFileOfService } from '../../nodes/TwoWayMessaging/service/downloadMedia';

const HOST = 'https://api.example.com';

const isFile = (path: string, baseUrl = `${HOST}/api`) =>
	isFileOfService({ baseUrl }, new URL(`${HOST}${path}`));

const ENDPOINTS = Object.values(PATHS).filter((path) => path !== PATHS.media);

/** A character as it is, or in one of the spellings that some server reads as the same. */
const spelled = (character: string) => {
	const escaped = `%${(character.codePointAt(0) ?? 0).toString(16)}`;
	return fc.constantFrom(
		...[character, character.toUpperCase(), escaped, escaped.toUpperCase()],
		...[escaped.replace('%', '%25'), escaped.replace('%', '%2525')],
	);
};

/** A slash that some server or proxy reads as one, with what stands for nothing around it. */
const slash = fc.constantFrom(
	...['/', '//', '/./', '/%2e/', '%2f', '%252F', '/x/../', '/x/%2E%2e/', '/x/..%2f', '/;/', '\\'],
	...['%5c', '/x/.%2e/', ';a=b/', '/%00', '/\t', '/%20', '/x%2f..%2f', '/%252e/', '/.;/'],
);

const spellingOf = (path: string) =>
	fc
		.tuple(
			...[...path.slice(1)].map((character) => (character === '/' ? slash : spelled(character))),
		)
		.map((parts) => parts.join(''));

describe('the key pair', () => {
	test.each(ENDPOINTS)('does not go to %s in any spelling', (path) => {
		fc.assert(
			fc.property(
				fc.constantFrom('', '/api', '/api/v1', '/another', '/media'),
				fc.oneof(fc.constant('/'), slash),
				spellingOf(path),
				fc.constantFrom('', '/', '?limit=1', '/1', '.json', ';x=1', '%20', '/x/../1', '#a'),
				(folder, first, spelling, end) => {
					// A URL that names another host by its slashes is none of the service's.
					fc.pre(URL.canParse(`${HOST}${folder}${first}${spelling}${end}`));
					expect(isFile(`${folder}${first}${spelling}${end}`)).toBe(false);
				},
			),
			{ numRuns: 500 },
		);
	});

	test('goes to files with usual names, in any folder', () => {
		const name = fc
			.tuple(fc.uuid(), fc.constantFrom('.jpg', '.JPG', '', '.tar.gz', '(1).png', '_a-b.heic'))
			.map((parts) => parts.join(''));
		const folder = fc.constantFrom('', '/media', '/api/media', '/v1/media', '/files/2026', '/me');
		fc.assert(
			fc.property(folder, name, (inFolder, file) => {
				expect(isFile(`${inFolder}/${file}`)).toBe(true);
			}),
		);
	});

	test.each([
		['cannot be decoded', '/media/%ff.jpg'],
		['is escaped twice', '/media/a%252ejpg'],
		['has a folder in a name', '/media/a%2fb.jpg'],
		['has a parameter', '/media/a;b.jpg'],
		['has a control character', '/media/a%00.jpg'],
	])('does not go where the path %s, as servers read it in different ways', (_, path) => {
		expect(isFile(path)).toBe(false);
	});

	test('does not go to an endpoint in letters of another width', () => {
		expect(isFile(`/ｖ２/ｍessages`)).toBe(false);
	});

	test.each(['http://api.example.com', 'https://api.example.com:8443', 'https://example.com'])(
		'does not go to %s, which is another origin',
		(origin) => {
			const url = new URL(`${origin}/media/1.jpg`);
			expect(isFileOfService({ baseUrl: HOST }, url)).toBe(false);
		},
	);
});
