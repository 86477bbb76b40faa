import { fileNameOf, mediaTypeOf } from '../../nodes/TwoWayMessaging/transport/mediaName';

const at = (path: string) => new URL(path, 'https://a.example/');

describe('the kind of a file', () => {
	test.each([
		['image/PNG; charset=binary', '/x', 'image/png'],
		['application/octet-stream', '/photo.JPG', 'image/jpeg'],
		[undefined, '/voice.m4a?size=2', 'audio/mp4'],
		['nonsense', '/x.pdf', 'application/pdf'],
		['application/octet-stream', '/x', undefined],
		[undefined, '/', undefined],
	])('is read from %s and %s: %s', (contentType, path, kind) => {
		expect(mediaTypeOf(contentType, at(path))).toBe(kind);
	});
});

describe('the name of a file', () => {
	test.each([
		['attachment; filename="menu.pdf"', '/x', 'application/pdf', 'menu.pdf'],
		['attachment; filename=menu.pdf', '/x', 'application/pdf', 'menu.pdf'],
		["inline; filename=x.pdf; filename*=UTF-8''men%C3%BC.pdf", '/x', undefined, 'menü.pdf'],
		[undefined, '/files/a%20cat.png?token=1', 'image/png', 'a cat.png'],
		[undefined, '/media/4711', 'image/jpeg', '4711.jpg'],
		[undefined, '/media/4711', undefined, '4711'],
		[undefined, '/', 'image/gif', 'file.gif'],
		['attachment; filename=""', '/', undefined, 'file'],
		['attachment; filename="%E0%A4%A.txt"', '/', undefined, '%E0%A4%A.txt'],
	])('is read from %s and %s', (disposition, path, mimeType, name) => {
		expect(fileNameOf(disposition, at(path), mimeType)).toBe(name);
	});

	test.each([
		['attachment; filename="../../etc/passwd"', 'passwd'],
		['attachment; filename="C:\\\\temp\\\\a.txt"', 'a.txt'],
		["attachment; filename*=UTF-8''..%2F..%2Fa.txt", 'a.txt'],
		['attachment; filename="..hidden.txt"', 'hidden.txt'],
		["attachment; filename*=UTF-8''a%00%E2%80%AEb.txt", 'ab.txt'],
		[`attachment; filename="${'a'.repeat(500)}.txt"`, `${'a'.repeat(96)}.txt`],
	])('is never a path, hidden or endless: %s', (disposition, name) => {
		expect(fileNameOf(disposition, at('/x'), undefined)).toBe(name);
	});
});
