/** Random draws that are the same for the same seed, so that a failed test can be repeated. */
export class SeededChance {
	private state: number;

	constructor(readonly seed: number) {
		this.state = seed >>> 0;
	}

	/** Uses the seed in `SURVIVAL_SEED`, or a random one, and prints it. */
	static ofTest(name: string): SeededChance {
		const given = process.env.SURVIVAL_SEED;
		const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 32);
		if (!Number.isSafeInteger(seed))
			throw new Error(`SURVIVAL_SEED is not a whole number: ${given}`);
		process.stderr.write(`${name}: repeat with SURVIVAL_SEED=${seed}\n`);
		return new SeededChance(seed);
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

	/** The same things in a random order. */
	shuffled<Thing>(things: readonly Thing[]): Thing[] {
		const left = [...things];
		return things.map(() => left.splice(this.between(0, left.length - 1), 1)[0] as Thing);
	}
}
