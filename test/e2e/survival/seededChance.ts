/** Random draws that are the same for the same seed, so that a failed test can be repeated. */
export class SeededChance {
	private constructor(private state: number) {}

	/** Uses the seed in `SURVIVAL_SEED`, or a random one, and prints it. */
	static ofTest(name: string): SeededChance {
		const seed = Number(process.env.SURVIVAL_SEED ?? Math.floor(Math.random() * 2 ** 32));
		process.stderr.write(`${name}: repeat with SURVIVAL_SEED=${seed}\n`);
		return new SeededChance(seed >>> 0);
	}

	/** A number from 0 up to 1. */
	fraction(): number {
		// mulberry32 is short, and random enough for times and orders.
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number from `least` to `most`, both included. */
	between(least: number, most: number): number {
		return least + Math.floor(this.fraction() * (most - least + 1));
	}
}
