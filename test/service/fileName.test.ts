import fc from 'fast-check';
import { fileNameOf, mediaTypeOf } from '../../nodes/TwoWayMessaging/service/downloadMedia';
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
		['/files/a%20cat.png?token=1', 'image/png', 'a cat.png'],
		['/media/4711', 'image/jpeg', '4711.jpg'],
		['/media/4711', 'application/vnd.ms-excel', '4711'],
		['/media/4711', undefined, '4711'],
		['/', 'image/gif', 'file.gif'],
		['/%E0%A4%A.txt', undefined, '%E0%A4%A.txt'],
	])('is the end of its URL: %s', (path, mimeType, name) => {
		expect(fileNameOf(at(path), mimeType, secretsFrom([]))).toBe(name);
	});

	test.each([
		['/..%2F..%2Fa.txt', 'a.txt'],
		['/C:%5Ctemp%5Ca.txt', 'a.txt'],
		['/..hidden.txt', 'hidden.txt'],
		['/a%00%E2%80%AEb.txt', 'ab.txt'],
		[`/${'a'.repeat(500)}.txt`, `${'a'.repeat(96)}.txt`],
	])('is never a path, hidden or endless: %s', (path, name) => {
		expect(fileNameOf(at(path), undefined, secretsFrom([]))).toBe(name);
	});

	const SECRET = 'topsecret_abc_9876';

	test.each([
		['as it is', `/media/${SECRET}.jpg`, '•••.jpg'],
		['apart by what no one sees', '/topsecret\u200b_abc_9876.jpg', '•••.jpg'],
		['in a long name', `/${SECRET}${'a'.repeat(90)}`, `•••${'a'.repeat(90)}`],
	])('never has a secret that came %s', (_, path, name) => {
		expect(fileNameOf(at(path), undefined, secretsFrom([SECRET]))).toBe(name);
	});

	test('never has a secret, however its characters are escaped and mixed with others', () => {
		const mixed = fc.tuple(
			fc.constantFrom('', ':', '\u200b', '%3A', '%E2%80%8B', '\u0001', '"%', '|'),
			fc.boolean(),
		);
		fc.assert(
			fc.property(
				fc.array(mixed, { minLength: SECRET.length, maxLength: SECRET.length }),
				fc.string(),
				(mixes, behind) => {
					const url = at('/x');
					url.pathname = mixes
						.map(([between, isEscaped], index) => {
							const one = SECRET.charAt(index);
							return between + (isEscaped ? `%${one.charCodeAt(0).toString(16)}` : one);
						})
						.concat(behind)
						.join('');
					expect(fileNameOf(url, 'image/jpeg', secretsFrom([SECRET]))).not.toContain(SECRET);
				},
			),
		);
	});

	test('never has a secret that its ending would complete', () => {
		const secrets = secretsFrom(['a-secret.jpg']);
		expect(fileNameOf(at('/a-secret'), 'image/jpeg', secrets)).toBe('•••');
	});
});
