import ts from 'typescript';

/** How many characters a title may have, so that a line of a report holds it. */
const LONGEST = 100;

/** Nothing but what stands for a case's values. */
const BARE = /^[^\p{L}]*(?:(?:%[a-zA-Z]|\$[\w.]+)[^\p{L}]*)+$/u;

/** What is wrong with the titles of the tests in a source file. */
export function wrongTitles(source: string): string[] {
	const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
	const titles: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && isTest(node.expression)) {
			const [title] = node.arguments;
			if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
				titles.push(title.getText().slice(1, -1).replaceAll('\\', ''));
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return titles.flatMap((title, at) => {
		if (BARE.test(title)) return [`has no words: ${title}`];
		if ([...title].length > LONGEST) return [`has more than ${LONGEST} characters: ${title}`];
		return titles.indexOf(title) < at ? [`stands in the file twice: ${title}`] : [];
	});
}

/** Whether this is `test`, or what `test.each(…)` makes: that call itself has the cases and no title. */
const isTest = (called: ts.Expression): boolean => {
	const made = ts.isCallExpression(called) ? called.expression : called;
	const each = ts.isTaggedTemplateExpression(made) ? made.tag : made;
	return called === each
		? /^(test|it)$/.test(called.getText())
		: /^(test|it)\.each/.test(each.getText());
};
