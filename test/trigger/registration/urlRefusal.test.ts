import { urlRefusal } from '../../../nodes/TwoWayMessaging/trigger/registration/register';

const SERVICE = 'https://api.example.com';

describe('where the service can deliver events', () => {
	test.each([
		'https://n8n.example.com/webhook/x',
		'https://10.0.0.5/webhook/x',
		'https://n8n.internal/webhook/x',
	])('%s is accepted', (url) => {
		expect(urlRefusal(url, SERVICE)).toBeUndefined();
	});

	test.each([
		['https://localhost:5678/webhook/x', 'exists only on the machine'],
		['http://localhost:5678/webhook/x', 'exists only on the machine'],
		['http://127.0.0.1:5678/webhook/x', 'exists only on the machine'],
		['http://[::1]:5678/webhook/x', 'exists only on the machine'],
		['http://0.0.0.0:5678/webhook/x', 'exists only on the machine'],
		['http://n8n.example.com/webhook/x', 'not encrypted'],
		['http://192.168.1.4:5678/webhook/x', 'not encrypted'],
		['localhost:5678/webhook/x', 'not encrypted'],
		['', 'not a complete one'],
	])('%s is refused with the reason', (url, reason) => {
		expect(urlRefusal(url, SERVICE)).toContain(reason);
	});

	test.each([
		'http://localhost:4010',
		'http://127.0.0.1:4010',
		'http://[::1]:4010',
		'http://sandbox:4010',
		'http://host.docker.internal:4010',
		'http://192.168.1.9:4010',
		'http://172.20.0.3:4010',
	])('a service at %s is local itself, and can deliver to a local URL', (baseUrl) => {
		expect(urlRefusal('http://localhost:5678/webhook/x', baseUrl)).toBeUndefined();
	});

	test.each(['https://172.32.0.1', 'https://localhost.example.com', 'https://127.example.com.'])(
		'a service at %s is not local',
		(baseUrl) => {
			expect(urlRefusal('http://localhost:5678/webhook/x', baseUrl)).toBeDefined();
		},
	);
});
