import ts from 'typescript';

/** A text with fewer words is a name or a value. */
const WORDS_OF_A_SENTENCE = 3;

/** Properties whose values a person sees, in a message or in the log. */
const SAYS = ['message', 'reason'];

/** Functions and variables that take a reason. A person sees it, however short it is. */
const SAYS_A_REASON = ['refused', 'reason'];

/** What writes into n8n's log; the trigger's calls have a method of their own for it. */
const LOGS = /\blogger\.\w+$|\bcall\.warn$/;

/** Errors that only a change of the code can cause. */
const FOR_PROGRAMMERS = ['TypeError', 'RangeError'];

/**
 * Every sentence in a source file that a person can see in a message or in n8n's log, with `…` for the parts that are
 * filled in. It leaves out the texts of the panels, which are in properties such as `description`.
 */
export function sentencesOf(file: string, source: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isForProgrammers(node)) return;
		if (isForTheAssistant(node)) return;
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

/** The sentences of a source file that n8n's log shows. */
export function loggedIn(file: string, source: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && LOGS.test(node.expression.getText())) {
			found.push(...node.arguments.flatMap((argument) => sentencesOf(file, argument.getText())));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
	return found;
}

/** The text of a literal, with three dots for what a template fills in. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Whether a person can see the text: it is not the value of a property, except for those in SAYS. */
function isSaid(node: ts.Node): boolean {
	for (let at = node.parent; at; at = at.parent) {
		if (ts.isFunctionLike(at)) return true;
		if (ts.isPropertyAssignment(at)) return SAYS.includes(at.name.getText());
		if (ts.isPropertyDeclaration(at)) return false;
	}
	return true;
}

/** Removes the node's name at the start and the item's number at the end. */
function withoutNames(text: string): string {
	return text
		.replace(/ \[item …\]$/, '')
		.replace(/^(?:…:?|:) /, '')
		.trim();
}

/** Whether a text is a sentence, and not markup, a style or an expression. */
function isSentence(text: string): boolean {
	const words = text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
	return words.length >= WORDS_OF_A_SENTENCE && !/[<{]|\$(p|rawP)arameter\b/.test(text);
}

function isReason({ parent }: ts.Node): boolean {
	let name: ts.Node | undefined;
	if (ts.isCallExpression(parent)) name = parent.expression;
	else if (ts.isVariableDeclaration(parent)) name = parent.name;
	else if (ts.isBinaryExpression(parent)) name = parent.left;
	return name !== undefined && ts.isIdentifier(name) && SAYS_A_REASON.includes(name.text);
}

/** Whether a text is a hint for n8n's assistant, which no person sees. */
const isForTheAssistant = (node: ts.Node): boolean =>
	ts.isStringLiteralLike(node) &&
	ts.isCallExpression(node.parent) &&
	node.parent.expression.getText() === 'withBuilderHint';

function isForProgrammers(node: ts.Node): boolean {
	return ts.isNewExpression(node) && FOR_PROGRAMMERS.includes(node.expression.getText());
}
