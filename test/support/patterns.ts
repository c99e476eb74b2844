import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(__dirname, '../..');

/** A regular expression of the product, and where it is. */
export interface FoundPattern {
	/** File and line. */
	place: string;
	pattern: RegExp;
}

interface PatternsInSource {
	/** Written between slashes. */
	literals: FoundPattern[];
	/** How many `new RegExp(…)` are made when the file is loaded, and how many inside functions. */
	made: number;
	madeInFunctions: number;
}

/** Gives all sources of a room. */
export function sourcesOf(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) return /^(dist|node_modules)$/.test(entry.name) ? [] : sourcesOf(path);
		return entry.name.endsWith('.ts') ? [path] : [];
	});
}

/** Reads the patterns of a source from its syntax tree, so that none is missed. */
export function patternsIn(file: string): PatternsInSource {
	const text = readFileSync(join(root, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const found: PatternsInSource = { literals: [], made: 0, madeInFunctions: 0 };
	const visit = (node: ts.Node, isInFunction: boolean): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			const end = node.text.lastIndexOf('/');
			const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
			found.literals.push({ place: `${file}:${line + 1}`, pattern });
		}
		const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
		if (isCall && node.expression.getText() === 'RegExp')
			found[isInFunction ? 'madeInFunctions' : 'made'] += 1;
		const isInside = isInFunction || ts.isFunctionLike(node);
		ts.forEachChild(node, (child) => visit(child, isInside));
	};
	visit(source, false);
	return found;
}

/** Gives the patterns that this file makes with `new RegExp(…)` while it is loaded. */
export function patternsOfLoading(file: string): FoundPattern[] {
	const load = () => jest.isolateModules(() => jest.requireActual(join(root, file)));
	return patternsMade(file, load);
}

/** Gives the patterns that this file makes with `new RegExp(…)` during a call. */
export function patternsMade(file: string, call: () => void): FoundPattern[] {
	const made: FoundPattern[] = [];
	const Original = RegExp;
	const note = (pattern: RegExp): RegExp => {
		// Others are of libraries, or of files that this one imports.
		const [, , , caller = ''] = (new Error().stack ?? '').split('\n');
		if (caller.includes(file)) made.push({ place: file, pattern });
		return pattern;
	};
	type Given = [pattern: string | RegExp, flags?: string];
	globalThis.RegExp = new Proxy(Original, {
		construct: (_, given: Given) => note(new Original(...given)),
		apply: (_, __, given: Given) => note(Original(...given)),
	});
	try {
		call();
	} finally {
		globalThis.RegExp = Original;
	}
	return made;
}

/** A group's opening, a class of characters, an escape, a count, a word, or one character. */
const ATOM =
	/\(\?(?:[:=!]|<[=!]|<\w+>)|\[\^?(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\u(?:\{[\da-f]+\}|[\da-f]{4})|\\[^]|\{\d+,?\d*\}|[\p{L}\d]+(?![*+?{])|[^]/giu;

/** Gives pieces of text that a pattern is about, in its own order: characters of each class, words and signs. */
export function piecesOf({ source }: RegExp): string[] {
	const pieces: string[] = [];
	for (const [atom] of source.matchAll(ATOM)) {
		const [, times] = /^\{(\d+)/.exec(atom) ?? [];
		if (times === undefined) pieces.push(...piecesOfAtom(atom));
		else pieces.push(pieces.pop()?.repeat(Math.max(1, Number(times))) ?? '');
	}
	return pieces;
}

function piecesOfAtom(atom: string): string[] {
	if (/^\(\?|^[()|?*+^$]$|^\\[bB]$/.test(atom)) return [];
	if (/^\[\^|^(\.|\\[wDSpP].*)$/.test(atom)) return ['a'];
	if (atom === '\\d') return ['1'];
	if (atom === '\\s') return [' ', '\n'];
	const [, code] = /^\\u\{?([\da-f]+)/i.exec(atom) ?? [];
	if (code !== undefined) return [String.fromCodePoint(parseInt(code, 16))];
	if (atom.startsWith('[') && atom.length > 1) {
		return membersOf(atom).flatMap(piecesOfAtom).slice(0, 8);
	}
	return [atom.replace('\\', '')];
}

/** Gives the members of a class one after the other. */
function membersOf(atom: string): string[] {
	const members = atom.slice(1, -1).match(/\\p\{[^}]*\}|\\u[\da-f]{4}|\\.|[^]/giu) ?? [];
	return members.map((one) => (/^[()|?*+^$.]$/.test(one) ? `\\${one}` : one));
}
