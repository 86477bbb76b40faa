import { urlRefusal } from '../../../nodes/TwoWayMessaging/trigger/registration/register';

const SERVICE = 'https://api.example.com';
const LOCAL = 'http://localhost:5678';

test.each<[url: string, service: string, reason?: string]>([
	['https://n8n.example.com', SERVICE],
	['https://10.0.0.5', SERVICE],
	['https://n8n.internal', SERVICE],
	['https://localhost:5678', SERVICE, 'exists only on the machine'],
	[LOCAL, SERVICE, 'exists only on the machine'],
	['http://127.0.0.1:5678', SERVICE, 'exists only on the machine'],
	['http://[::1]:5678', SERVICE, 'exists only on the machine'],
	['http://0.0.0.0:5678', SERVICE, 'exists only on the machine'],
	['http://n8n.example.com', SERVICE, 'not encrypted'],
	['http://192.168.1.4:5678', SERVICE, 'not encrypted'],
	['localhost:5678', SERVICE, 'not encrypted'],
	['', SERVICE, 'not a complete one'],
	[LOCAL, 'http://localhost:4010'],
	[LOCAL, 'http://127.0.0.1:4010'],
	[LOCAL, 'http://[::1]:4010'],
	[LOCAL, 'http://sandbox:4010'],
	[LOCAL, 'http://host.docker.internal:4010'],
	[LOCAL, 'http://192.168.1.9:4010'],
	[LOCAL, 'http://172.20.0.3:4010'],
	[LOCAL, 'https://172.32.0.1', 'exists only on the machine'],
	[LOCAL, 'https://localhost.example.com', 'exists only on the machine'],
	[LOCAL, 'https://127.example.com.', 'exists only on the machine'],
])('a service can deliver to a URL unless it is not local as that is: %s by %s', (...row) => {
	const [url, service, reason] = row;
	const refusal = urlRefusal(url && `${url}/webhook/x`, service);
	if (reason) expect(refusal).toContain(reason);
	else expect(refusal).toBeUndefined();
});
