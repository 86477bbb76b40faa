import { newService } from './service';

const PNG = new Uint8Array([137, 80, 78, 71]);

const upload = async (
	{ sandbox, credential }: ReturnType<typeof newService>,
	file: File | string | null,
	field = 'file',
) => {
	const form = new FormData();
	if (file !== null) form.set(field, file);
	const answer = await sandbox.app.request('http://sandbox.example/media', {
		method: 'POST',
		headers: credential,
		body: form,
	});
	return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

describe('POST /media', () => {
	test.each([
		['a picture', new File([PNG], 'a.png', { type: 'image/png' })],
		[
			'an SVG with a script',
			new File(['<svg><script>1</script></svg>'], 'a.svg', { type: 'image/svg+xml' }),
		],
	])(
		'§4.8 %s gets a URL, from which all can fetch it and where no script can run',
		async (_, file) => {
			const service = newService();
			const { status, body } = await upload(service, file);
			expect(status).toBe(201);
			expect(body['media_url']).toMatch(/^http:\/\/sandbox\.example\/sandbox\/media\//);
			const served = await service.sandbox.app.request(body['media_url']!);
			expect(served.headers.get('content-type')).toBe(file.type);
			expect(served.headers.get('content-security-policy')).toBe('sandbox');
			expect(served.headers.get('x-content-type-options')).toBe('nosniff');
			expect(await served.arrayBuffer()).toEqual(await file.arrayBuffer());
		},
	);

	const TAKEN = 'Send a picture, sound, a film, a PDF, plain text or a contact card.';
	const [NONE, LARGE] = ['The file field is required.', 'The file is larger than 10 MB.'];
	const large = (more: number) => new Uint8Array(10 * 1024 * 1024 + more);
	const png = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], 'a.png', { type: 'image/png' });

	test.each([
		['no file', 422, null, 'file', NONE],
		['a text where the file should be', 422, 'text', 'file', NONE],
		['a file in another field', 422, png(PNG), 'media', NONE],
		['a web page', 422, new File(['<html>'], 'a.html', { type: 'text/html' }), 'file', TAKEN],
		['a file without a type', 422, new File(['x'], 'a'), 'file', TAKEN],
		['a file of a byte above 10 MB', 413, png(large(1)), 'file', LARGE],
		['a file of a megabyte above 10 MB', 413, png(large(1024 * 1024)), 'file', LARGE],
	])('assumption (§8.3): %s is answered %i, and why', async (_case, expected, file, field, why) => {
		const { status, body } = await upload(newService(), file, field);
		expect([status, body['message']]).toEqual([expected, expect.stringContaining(why)]);
	});

	test('a body that is not a form is answered 422, and an unknown URL 404', async () => {
		const { call } = newService();
		expect((await call('POST', '/media', { file: 'x' })).status).toBe(422);
		expect((await call('GET', '/sandbox/media/none')).status).toBe(404);
	});
});
