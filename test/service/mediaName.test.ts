import fc from 'fast-check';
import { fileNameOf, mediaTypeOf } from '../../nodes/TwoWayMessaging/service/mediaName';
import { secretsFrom } from '../../nodes/TwoWayMessaging/service/redact';

const at = (path: string) => new URL(path, 'https://a.example/');

test.each([
	['image/PNG; charset=binary', 'image/png'],
	['nonsense', undefined],
	['application/octet-stream', undefined],
	[undefined, undefined],
])('the kind of a file is as the server says it: %s', (contentType, kind) => {
	expect(mediaTypeOf(contentType)).toBe(kind);
});

describe('the name of a file', () => {
	test.each([
		['attachment; filename="menu.pdf"', '/x', 'application/pdf', 'menu.pdf'],
		['attachment; filename=menu.pdf', '/x', 'application/pdf', 'menu.pdf'],
		["inline; filename=x.pdf; filename*=UTF-8''men%C3%BC.pdf", '/x', undefined, 'menü.pdf'],
		[undefined, '/files/a%20cat.png?token=1', 'image/png', 'a cat.png'],
		[undefined, '/media/4711', 'image/jpeg', '4711.jpg'],
		[undefined, '/media/4711', 'application/vnd.ms-excel', '4711'],
		[undefined, '/media/4711', undefined, '4711'],
		[undefined, '/', 'image/gif', 'file.gif'],
		['attachment; filename=""', '/', undefined, 'file'],
		['attachment; filename="%E0%A4%A.txt"', '/', undefined, '%E0%A4%A.txt'],
	])('is read from %s and %s', (disposition, path, mimeType, name) => {
		expect(fileNameOf(disposition, at(path), mimeType, secretsFrom([]))).toBe(name);
	});

	test.each([
		['attachment; filename="../../etc/passwd"', 'passwd'],
		['attachment; filename="C:\\\\temp\\\\a.txt"', 'a.txt'],
		["attachment; filename*=UTF-8''..%2F..%2Fa.txt", 'a.txt'],
		['attachment; filename="..hidden.txt"', 'hidden.txt'],
		["attachment; filename*=UTF-8''a%00%E2%80%AEb.txt", 'ab.txt'],
		[`attachment; filename="${'a'.repeat(500)}.txt"`, `${'a'.repeat(96)}.txt`],
	])('is never a path, hidden or endless: %s', (disposition, name) => {
		expect(fileNameOf(disposition, at('/x'), undefined, secretsFrom([]))).toBe(name);
	});

	const SECRET = 'topsecret_abc_9876';
	const escaped = [...SECRET].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

	test.each([
		['in the path', undefined, `/media/${SECRET}.jpg`, '•••.jpg'],
		['escaped in the path', undefined, `/media/${escaped}.jpg`, '•••.jpg'],
		['escaped', `attachment; filename*=UTF-8''${escaped}.jpg`, '/x', '•••.jpg'],
		['apart by what is no part of a name', 'filename="topsecret:_abc_9876.jpg"', '/x', '•••.jpg'],
		['apart by what no one sees', 'filename="topsecret\u200b_abc_9876.jpg"', '/x', '•••.jpg'],
		['in a long name', `filename="${SECRET}${'a'.repeat(90)}"`, '/x', `•••${'a'.repeat(90)}`],
	])('never has a secret that came %s', (_, disposition, path, name) => {
		expect(fileNameOf(disposition, at(path), undefined, secretsFrom([SECRET]))).toBe(name);
	});

	test('never has a secret, however its characters are escaped and mixed with others', () => {
		const mixed = fc.tuple(
			fc.constantFrom('', ':', '\u200b', '%3A', '%E2%80%8B', '\u0001', '"%', '|'),
			fc.boolean(),
		);
		fc.assert(
			fc.property(
				fc.array(mixed, { minLength: SECRET.length, maxLength: SECRET.length }),
				fc.constantFrom("filename*=UTF-8''", 'filename=', ''),
				fc.string(),
				(mixes, header, behind) => {
					const said = mixes
						.map(([between, isEscaped], index) => {
							const one = SECRET.charAt(index);
							return between + (isEscaped ? `%${one.charCodeAt(0).toString(16)}` : one);
						})
						.join('');
					const url = at('/x');
					if (header === '') url.pathname = said + behind;
					const disposition = header === '' ? undefined : header + said + behind;
					expect(fileNameOf(disposition, url, 'image/jpeg', secretsFrom([SECRET]))).not.toContain(
						SECRET,
					);
				},
			),
		);
	});

	test('never has a secret that its ending would complete', () => {
		const secrets = secretsFrom(['a-secret.jpg']);
		expect(fileNameOf(undefined, at('/a-secret'), 'image/jpeg', secrets)).toBe('•••');
	});
});
