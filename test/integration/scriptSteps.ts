import fc from 'fast-check';

/** A step of a generated script, which is drawn the more often the more it weighs. */
export const step = <Does extends string, More extends object>(
	weight: number,
	does: Does,
	more = {} as { [Name in keyof More]: fc.Arbitrary<More[Name]> },
) => ({
	weight,
	arbitrary: fc.record({ does: fc.constant(does), ...more }) as unknown as fc.Arbitrary<
		{ does: Does } & More
	>,
});
