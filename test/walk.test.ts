import { measureWalks } from '../bench/walk';

const MOST: Awaited<ReturnType<typeof measureWalks>> = {
	received: { files: 33, functions: 142 },
	found: { files: 36, functions: 161 },
	sent: { files: 21, functions: 65 },
	sentOnce: { files: 24, functions: 89 },
};

let walks: typeof MOST;
beforeAll(async () => {
	walks = await measureWalks();
}, 120_000);

test.each([
	["a customer's text, from webhook() to the item", 'received'],
	['one that a check finds, from the check to the item', 'found'],
	['a message, from execute() to its request', 'sent'],
	['a message with Send Only Once Per', 'sentOnce'],
] as const)(
	'no more files and functions of the nodes than these are on the way of %s',
	(_, way) => {
		const { files, functions } = walks[way];
		const most = MOST[way];

		expect({
			files: Math.max(files, most.files),
			functions: Math.max(functions, most.functions),
		}).toEqual(most);
	},
);
