import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import {
	SigningKeys,
	TOLERANCE_SECONDS,
	verifySignature,
} from '../nodes/TwoWayMessaging/trigger/verifySignature';
import { signatureHeader } from '../sandbox/src/webhooks/signature';
import { median, spread } from './measure';
import { inOwnProcess, offer } from './ownProcess';
import { atLeast, info, type Bench, type Line } from './table';
import { size } from './size';

const BODIES = { '1 KB': 1_024, '256 KB': 262_144 };
const ROUNDS = size(9, 1);
/** In each turn of a round both check the same number of bytes. Turns are short, so that a slower machine slows both. */
const TURNS = size(40, 2);
const BYTES_A_TURN = size(2 * 1_024 * 1_024, 65_536);

const SECRET = `whsec_${'0123456789abcdef'.repeat(4)}`;

/** Checks the signature of one body. */
type Check = () => boolean;
type Peer = 'bare' | 'stripe' | 'standardwebhooks';
/** How many checks each of the two makes in a second of processor time. */
type Rates = { ours: number; peer: number };

/**
 * How fast a signature is checked (§6.4), compared with only the HMAC and its comparison, without reading a header, and
 * with the libraries of Stripe and Standard Webhooks. None of them parses the body: Stripe's `constructEvent` would be
 * `verifyHeader` and then the parsing.
 *
 * Each pair takes turns in its own process, so that neither collects the garbage of a third one.
 */
export const verify: Bench = {
	conditions: [
		`${ROUNDS} rounds of ${TURNS} turns of ${BYTES_A_TURN / 1_024} KB each, in turns with each peer; the processor's time`,
	],
	async run() {
		const lines: Line[] = [];
		for (const [size, bytes] of Object.entries(BODIES)) {
			const rounds = async (peer: Peer) =>
				await inOwnProcess<Rates[]>(__filename, 'inTurns', { peer, bytes });
			const bare = await rounds('bare');
			const stripe = await rounds('stripe');
			const standardwebhooks = await rounds('standardwebhooks');

			const ratios = (of: Rates[]) => of.map(({ ours, peer }) => ours / peer);
			// Against the faster one the ratio is the lower one.
			const [faster] = [stripe, standardwebhooks]
				.map(ratios)
				.sort((a, b) => median(a) - median(b)) as [number[], number[]];
			const rate = (of: Rates[]) => median(of.map(({ peer }) => peer)).toFixed(0);
			lines.push(
				atLeast(`${size}: ours ÷ createHmac and timingSafeEqual`, median(ratios(bare)), 0.95),
				info('  each round', spread(ratios(bare), 2)),
				atLeast(`${size}: ours ÷ the faster library`, median(faster), 1),
				info('  each round', spread(faster, 2)),
				info(
					'  a second: ours, bare, stripe, standardwebhooks',
					[
						median(bare.map(({ ours }) => ours)).toFixed(0),
						...[bare, stripe, standardwebhooks].map(rate),
					].join(', '),
				),
			);
		}
		return lines;
	},
};

/** Makes our check and a peer's check of a body that is signed now. */
function makeChecks(body: Buffer, peer: Peer): { ours: Check; peer: Check } {
	const nowMs = Date.now();
	const t = Math.floor(nowMs / 1_000);
	// From the wire a header arrives as one text, and not as one that is joined when it is read first.
	const header = Buffer.from(signatureHeader(SECRET, body.toString(), t)).toString();
	// The trigger keeps the keys of its secrets as long as the process lives.
	const keys = new SigningKeys();
	const ours = () =>
		verifySignature({
			header,
			rawBody: body,
			secrets: [SECRET],
			keys,
			nowMs,
			toleranceSeconds: TOLERANCE_SECONDS,
		}) === 'genuine';
	const digits = header.slice(-64);
	const webhook = new Webhook(SECRET, { format: 'raw' });
	const headers = {
		'webhook-id': 'evt_1',
		'webhook-timestamp': String(t),
		'webhook-signature': webhook.sign('evt_1', new Date(t * 1_000), body),
	};
	// The two libraries throw an error when a signature is invalid.
	const peers: Record<Peer, Check> = {
		bare: () =>
			timingSafeEqual(
				createHmac('sha256', SECRET).update(`${t}.`).update(body).digest(),
				Buffer.from(digits, 'hex'),
			),
		stripe: () => Stripe.webhooks.signature!.verifyHeader(body, header, SECRET, TOLERANCE_SECONDS),
		standardwebhooks: () => webhook.verify(body, headers, { jsonParse: false }) === undefined,
	};
	return { ours, peer: peers[peer] };
}

offer(module, {
	async inTurns({ peer, bytes }: { peer: Peer; bytes: number }): Promise<Rates[]> {
		const event = { id: 'evt_1', type: 'receive', data: { message: { text: '' } } };
		event.data.message.text = 'x'.repeat(bytes - JSON.stringify(event).length);
		const checks = makeChecks(Buffer.from(JSON.stringify(event)), peer);
		const calls = BYTES_A_TURN / bytes;
		const round = (): Rates => {
			const tookMs = { ours: 0, peer: 0 };
			for (let turn = 0; turn < TURNS; turn += 1) {
				const order = turn % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const);
				for (const name of order) {
					const isGenuine = checks[name];
					const before = process.cpuUsage();
					for (let call = 0; call < calls; call += 1) {
						if (!isGenuine()) throw new Error(`${name} does not accept a genuine signature`);
					}
					const { user, system } = process.cpuUsage(before);
					tookMs[name] += (user + system) / 1_000;
				}
			}
			const rate = (ms: number) => (TURNS * calls * 1_000) / ms;
			return { ours: rate(tookMs.ours), peer: rate(tookMs.peer) };
		};
		// The first round only warms up the compiler.
		return [round, ...Array.from({ length: ROUNDS }, () => round)].map((go) => go()).slice(1);
	},
});
