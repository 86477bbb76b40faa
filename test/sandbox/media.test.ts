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
	test('§4.8 an upload gets a URL, from which everybody can fetch it', async () => {
		const service = newService();
		const { status, body } = await upload(service, new File([PNG], 'a.png', { type: 'image/png' }));
		expect(status).toBe(201);
		expect(body['media_url']).toMatch(/^http:\/\/sandbox\.example\/sandbox\/media\//);
		const served = await service.sandbox.app.request(body['media_url']!);
		expect(served.headers.get('content-type')).toBe('image/png');
		expect(new Uint8Array(await served.arrayBuffer())).toEqual(PNG);
	});

	test('an upload is served in a way that no script in it can run', async () => {
		const service = newService();
		const svg = new File(['<svg><script>1</script></svg>'], 'a.svg', { type: 'image/svg+xml' });
		const { body } = await upload(service, svg);
		const served = await service.sandbox.app.request(body['media_url']!);
		expect(served.headers.get('content-security-policy')).toBe('sandbox');
		expect(served.headers.get('x-content-type-options')).toBe('nosniff');
	});

	test.each([
		['no file', null, 'file'],
		['a text where the file should be', 'text', 'file'],
		['a file in another field', new File([PNG], 'a.png', { type: 'image/png' }), 'media'],
		['a web page', new File(['<html>'], 'a.html', { type: 'text/html' }), 'file'],
		['a file without a type', new File(['x'], 'a'), 'file'],
	])('assumption (§8.3): %s is answered 422', async (_case, file, field) => {
		const { status, body } = await upload(newService(), file, field);
		expect(status).toBe(422);
		expect(body['message']).toEqual(expect.any(String));
	});

	test('a body that is not a form is answered 422', async () => {
		expect((await newService().call('POST', '/media', { file: 'x' })).status).toBe(422);
	});

	test.each([1, 1024 * 1024])(
		'assumption (§8.3): a file %i bytes above 10 MB is answered 413, with how much is taken',
		async (more) => {
			const bytes = new Uint8Array(10 * 1024 * 1024 + more);
			const large = new File([bytes], 'a.png', { type: 'image/png' });
			const { status, body } = await upload(newService(), large);
			expect([status, body['message']]).toEqual([413, 'The file is larger than 10 MB.']);
		},
	);

	test('a refused type is answered with those that are accepted', async () => {
		const zip = new File(['x'], 'a.zip', { type: 'application/zip' });
		expect((await upload(newService(), zip)).body['message']).toBe(
			'A file of type application/zip is not accepted. Send a picture, sound, a film, a PDF, plain text or a contact card.',
		);
	});

	test('an unknown URL is answered 404', async () => {
		expect((await newService().call('GET', '/sandbox/media/none')).status).toBe(404);
	});
});
