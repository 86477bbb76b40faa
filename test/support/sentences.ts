import ts from 'typescript';

/** Fewer words are a name or a value. */
const WORDS_OF_A_SENTENCE = 3;

/** Properties whose value is shown to a person, or stands in the log. */
const SAYS = ['message', 'reason'];

/** What is called with a reason, or assigned one, shows it however short it is. */
const SAYS_A_REASON = ['refused', 'reason'];

/** What only somebody who changes the code can cause. */
const FOR_PROGRAMMERS = ['TypeError', 'RangeError'];

/**
 * Every sentence in a source file that a person can come to read as a message or in n8n's log, with `…` for
 * what is filled in. The words of the panels are left out: those stand in properties such as `description`.
 */
export function sentencesOf(file: string, source: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isForProgrammers(node)) return;
		const text = textOf(node);
		if (text !== undefined && isSaid(node)) {
			const sentence = withoutNames(text);
			if (isSentence(sentence) || isReason(node)) found.push(sentence);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
	return found;
}

/** A text of the code; what a template fills in is three dots. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Whether the text is no value of a property, but for those that say something. */
function isSaid(node: ts.Node): boolean {
	for (let at = node.parent; at; at = at.parent) {
		if (ts.isFunctionLike(at)) return true;
		if (ts.isPropertyAssignment(at)) return SAYS.includes(at.name.getText());
		if (ts.isPropertyDeclaration(at)) return false;
	}
	return true;
}

/** The node's name in front and the item's number behind are not part of what is said. */
function withoutNames(text: string): string {
	return text
		.replace(/ \[item …\]$/, '')
		.replace(/^…:? /, '')
		.trim();
}

/** Markup, styles and expressions hold words, too. */
function isSentence(text: string): boolean {
	const words = text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
	return words.length >= WORDS_OF_A_SENTENCE && !/[<{]/.test(text);
}

function isReason({ parent }: ts.Node): boolean {
	let name: ts.Node | undefined;
	if (ts.isCallExpression(parent)) name = parent.expression;
	else if (ts.isVariableDeclaration(parent)) name = parent.name;
	else if (ts.isBinaryExpression(parent)) name = parent.left;
	return name !== undefined && ts.isIdentifier(name) && SAYS_A_REASON.includes(name.text);
}

function isForProgrammers(node: ts.Node): boolean {
	return ts.isNewExpression(node) && FOR_PROGRAMMERS.includes(node.expression.getText());
}
