import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../../harness/paths';

/** A message that a user can meet, as it stands in the source; what is put in at run time is “…”. */
export interface Message {
	text: string;
	file: string;
}

const ROOMS = ['batch', 'service', 'nodes', 'credentials'];

/** Errors, and the reasons of parked rows, are made with their text as the argument of this number. */
const MADE_WITH: Readonly<Record<string, number>> = {
	Failure: 0,
	SendFailure: 0,
	ConnectionGone: 0,
	UserError: 0,
	NodeOperationError: 1,
	NodeApiError: 1,
	forPerson: 0,
	forLater: 0,
};

/** Properties and constants that hold the text of an error, where a cure or a description stands beside them. */
const TEXTS = new Set(['what', 'message']);
const CURES = new Set(['cure', 'description']);

/** These hold such a text whatever stands beside them. */
const ALWAYS = new Set(['doubt', 'why']);

/** Functions that return such a text. */
const SENTENCES = /^(parkText|reasonText|unknownText)$/;

/** All messages, each once. */
export function messagesOfSource(): Message[] {
	const found = new Map<string, string>();
	for (const file of ROOMS.flatMap((room) => sourcesUnder(join(repositoryRoot, room)))) {
		const source = ts.createSourceFile(
			file,
			readFileSync(file, 'utf8'),
			ts.ScriptTarget.Latest,
			true,
		);
		for (const text of messagesIn(source)) {
			if (!found.has(text)) found.set(text, relative(repositoryRoot, file));
		}
	}
	return [...found].map(([text, file]) => ({ text, file }));
}

function sourcesUnder(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		if (/^(node_modules|dist)$/.test(entry.name)) return [];
		const path = join(folder, entry.name);
		return entry.isDirectory() ? sourcesUnder(path) : path.endsWith('.ts') ? [path] : [];
	});
}

function messagesIn(source: ts.SourceFile): string[] {
	const takers = functionsThatTakeText(source);
	const texts: string[] = [];
	visit(source, (node) => {
		if (ts.isNewExpression(node)) {
			const at = MADE_WITH[node.expression.getText()];
			if (at !== undefined) texts.push(...textsOf(node.arguments?.[at], source));
		} else if (ts.isCallExpression(node)) {
			const name = node.expression.getText();
			const at = takers.get(name) ?? MADE_WITH[name];
			if (at !== undefined) texts.push(...textsOf(node.arguments[at], source));
		} else if (ts.isObjectLiteralExpression(node)) {
			texts.push(...textsOfObject(node, source));
		} else if (ts.isVariableDeclaration(node) && ALWAYS.has(node.name.getText())) {
			texts.push(...textsOf(node.initializer, source));
		} else if (ts.isFunctionDeclaration(node) && SENTENCES.test(node.name?.text ?? '')) {
			visit(node, (inner) => {
				if (ts.isReturnStatement(inner)) texts.push(...textsOf(inner.expression, source));
			});
		}
	});
	// What has no word of its own is put together from other messages.
	return texts.filter((text) => wordsOf(text).length > 0);
}

/** The functions of a file that take the text of an error as a parameter, with that parameter's number. */
function functionsThatTakeText(source: ts.SourceFile): Map<string, number> {
	const takers = new Map<string, number>();
	visit(source, (node) => {
		if (!ts.isFunctionLike(node)) return;
		const names = node.parameters.map((parameter) => parameter.name.getText());
		const at = names.findIndex((name) => TEXTS.has(name));
		if (at === -1 || !names.some((name) => CURES.has(name))) return;
		const { parent } = node;
		const name = ts.isVariableDeclaration(parent) ? parent.name : node.name;
		if (name !== undefined) takers.set(name.getText(), at);
	});
	return takers;
}

function textsOfObject(object: ts.ObjectLiteralExpression, source: ts.SourceFile): string[] {
	const names = object.properties.map((property) => property.name?.getText() ?? '');
	// The test of the credential has no other place than the message.
	const isCredential = source.fileName.includes('.credentials.');
	const hasCure = isCredential || names.some((name) => CURES.has(name));
	return object.properties.flatMap((property) => {
		const name = property.name?.getText() ?? '';
		if (!ALWAYS.has(name) && !(hasCure && TEXTS.has(name)) && name !== 'problem') return [];
		if (ts.isShorthandPropertyAssignment(property)) return textsOf(property.name, source);
		if (!ts.isPropertyAssignment(property)) return [];
		const { initializer } = property;
		// A problem is a pair of its text and its cure.
		if (name === 'problem')
			return ts.isArrayLiteralExpression(initializer)
				? textsOf(initializer.elements[0], source)
				: [];
		return textsOf(initializer, source);
	});
}

/** The texts that an expression can have. A name stands for what constants of this name in the file hold. */
function textsOf(expression: ts.Expression | undefined, source: ts.SourceFile): string[] {
	if (expression === undefined) return [];
	if (ts.isStringLiteralLike(expression)) return [expression.text];
	if (ts.isTemplateExpression(expression)) {
		const { head, templateSpans } = expression;
		const text = head.text + templateSpans.map(({ literal }) => `…${literal.text}`).join('');
		return [text.replace(/…+/g, '…').trim()];
	}
	if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression, source);
	if (ts.isConditionalExpression(expression)) {
		return [expression.whenTrue, expression.whenFalse].flatMap((one) => textsOf(one, source));
	}
	if (ts.isBinaryExpression(expression)) return textsOf(expression.right, source);
	if (ts.isCallExpression(expression)) return textsOfCall(expression, source);
	if (!ts.isIdentifier(expression)) return [];
	const texts: string[] = [];
	visit(source, (node) => {
		if (!ts.isVariableDeclaration(node) || node.name.getText() !== expression.text) return;
		if (node.initializer !== undefined && !ts.isIdentifier(node.initializer))
			texts.push(...textsOf(node.initializer, source));
	});
	return texts;
}

/** What a function of the file returns that is called for a text. */
function textsOfCall({ expression }: ts.CallExpression, source: ts.SourceFile): string[] {
	const texts: string[] = [];
	visit(source, (node) => {
		if (!ts.isFunctionDeclaration(node) || node.name?.text !== expression.getText()) return;
		visit(node, (inner) => {
			if (ts.isReturnStatement(inner) && inner.expression?.kind !== ts.SyntaxKind.CallExpression)
				texts.push(...textsOf(inner.expression, source));
		});
	});
	return texts;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
	see(node);
	ts.forEachChild(node, (child) => {
		visit(child, see);
	});
}

export function wordsOf(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How much of two texts is the same words in the same order: 1 where all are, 0 where none is. */
export function likeness(one: string, other: string): number {
	const [a, b] = [wordsOf(one), wordsOf(other)];
	let row = new Array<number>(b.length + 1).fill(0);
	for (const word of a) {
		const next = [0];
		for (const [at, candidate] of b.entries()) {
			next.push(
				word === candidate ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0),
			);
		}
		row = next;
	}
	return (2 * (row.at(-1) ?? 0)) / (a.length + b.length);
}
