/** Draws that are the same for the same seed, so that a run that went wrong can be had again. */
export class Chance {
	private state: number;

	constructor(readonly seed: number) {
		this.state = seed >>> 0;
	}

	/** The chance of one test: `SURVIVAL_SEED`, or one drawn at random; printed either way. */
	static ofTest(name: string): Chance {
		const given = process.env.SURVIVAL_SEED;
		const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 32);
		if (!Number.isSafeInteger(seed)) throw new Error(`SURVIVAL_SEED is no whole number: ${given}`);
		process.stderr.write(`${name}: again with SURVIVAL_SEED=${seed}\n`);
		return new Chance(seed);
	}

	/** A number from 0 up to 1. */
	fraction(): number {
		// mulberry32: small, and random enough for moments and orders.
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number of a range, both ends included. */
	between(least: number, most: number): number {
		return least + Math.floor(this.fraction() * (most - least + 1));
	}

	/** The same things in another order. */
	shuffled<Thing>(things: readonly Thing[]): Thing[] {
		const left = [...things];
		return things.map(() => left.splice(this.between(0, left.length - 1), 1)[0] as Thing);
	}
}
