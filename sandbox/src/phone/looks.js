/** The calls by which n8n looks whether something is new, again and again, and what each looks at. */
const LOOKS = [
	[/\/v2\/messages$/, 'history'],
	[/\/v1\/lines$/, 'lines'],
];

const lookedAt = ({ kind, entry }) =>
	kind === 'call' && LOOKS.find(([pattern]) => pattern.test(entry.path.split('?')[0]))?.[1];

/**
 * Whether an entry of the log is a look that went as usual; any other call has something to tell. That the node tries a date
 * for a cursor, which the document does not show, and goes on without it, is usual.
 */
const isLook = (one) =>
	Boolean(lookedAt(one)) &&
	one.entry.fault === null &&
	(one.entry.answer?.status === 200 ||
		(one.entry.answer?.status === 422 && one.entry.path.includes('before=')));

const keyOf = ({ kind, entry }) => `${kind} ${entry.id}`;

/**
 * Folds looks that stand one after the other into one entry. It is named after the older entry below it, so that it
 * stays the same one while looks come in.
 *
 * @returns the entries, newest first, each with a `key`
 */
export const foldLooks = (entries) => {
	const folded = [];
	for (const one of entries) {
		const last = folded.at(-1);
		if (!isLook(one)) folded.push({ ...one, key: keyOf(one) });
		else if (last?.kind === 'looks') last.looks.push(one.entry);
		else folded.push({ kind: 'looks', at: one.at, looks: [one.entry] });
	}
	folded.forEach((one, at) => {
		one.key ??= `looks after ${folded[at + 1]?.key ?? 'the beginning'}`;
	});
	return folded;
};

/** What folded looks were at: "14 looks at the history, 2 at the lines". */
export const looksText = (looks) => {
	const counts = LOOKS.map(([pattern, what]) => [
		looks.filter(({ path }) => pattern.test(path.split('?')[0])).length,
		what,
	]).filter(([count]) => count > 0);
	return counts
		.map(([count, what], at) =>
			at > 0
				? `${count} at the ${what}`
				: `${count} ${count === 1 ? 'look' : 'looks'} at the ${what}`,
		)
		.join(', ');
};
