import { HEADERS } from '../../nodes/TwoWayMessaging/contract';

/** The key pair of the sandboxes in these benches. */
export const KEY_PAIRS = [{ key: 'bench-key', secret: 'bench-secret' }];

/** The headers of a request with that key pair. */
export const CREDENTIAL = { [HEADERS.apiKey]: 'bench-key', [HEADERS.apiSecret]: 'bench-secret' };
