import type { IHttpRequestOptions, INode } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { connect, type Connection } from '../../nodes/TwoWayMessaging/service/request';
import { TestClock } from '../support/testClock';

/** What n8n's request function gives for an answer of any status. */
export type Response = { statusCode: number; headers: Record<string, string>; body: unknown };

export type Respond = (options: IHttpRequestOptions) => Response | Promise<Response>;

export const response = (statusCode: number, body: unknown, headers = {}): Response => ({
	statusCode,
	headers,
	body,
});

/** What a node of ours asks the service with, where a test answers; `asked` and `warnings` are what came of it. */
export async function connectionTo(respond: Respond, memory = new ProcessMemory(new TestClock())) {
	const asked: IHttpRequestOptions[] = [];
	const warnings: string[] = [];
	const context = {
		getNode: () => ({ name: 'Node', parameters: {} }) as unknown as INode,
		getCredentials: async () => ({
			baseUrl: 'https://service.example',
			apiKey: 'k-1',
			apiSecret: 's-1',
		}),
		logger: { warn: (message: string) => warnings.push(message) },
		helpers: {
			httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions) => {
				asked.push(options);
				return await respond(options);
			},
		},
	} as unknown as Parameters<typeof connect>[0];
	const connection: Connection = await connect(context, memory);
	return { connection, asked, warnings };
}
