import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Failure } from '../../failure';

const PREFIX = 'CREATOR_BRIEFING_';

/** How people write the prefix by mistake, perhaps behind “set ” or “$env:”, which shells of Windows take. */
const NEARLY_PREFIX = /creator[-_. ]?brief/i;

/**
 * The variables that a file sets, in the form of dotenv, as Node.js itself reads it. No message shows a value: the API
 * key may be among them.
 * @param known the variables of brief-batch. A name that is not among them is a typing error, and a setting forgotten
 * @throws {Failure} where the file, or a part of it, would go unread
 */
export function readEnvFile(file: string, known: ReadonlySet<string>): Record<string, string> {
	const text = readText(file);
	const variables = parseEnv(text) as Record<string, string>;
	const swallowed = Object.keys(variables).filter((name) => name.includes('\n'));
	const lines = text.split('\n');
	const at = lines.findIndex(
		(line) => isMalformed(line) || swallowed.some((name) => name.startsWith(`${line.trim()}\n`)),
	);
	if (at !== -1) {
		throw new Failure(
			`Line ${at + 1} of the file ${file} sets nothing.`,
			'Write NAME=value there, or begin it with # where it is a comment.',
		);
	}
	const cut = lines.findIndex(isCutOff);
	if (cut !== -1) {
		throw new Failure(
			`Line ${cut + 1} of the file ${file} is read only in part: its value ends at a # or at a quotation mark.`,
			`Put the whole value in quotation marks of a kind that is not in it: "…", '…' or \`…\`. A comment after a value stands between blanks: “ # …”.`,
		);
	}
	refuseTwice(file, lines);
	refuseUnknown(`file ${file}`, variables, known);
	return variables;
}

/**
 * A name with a typing error would lose its setting without a word: a limit, or a text for every row.
 * @throws {Failure} that names it
 */
export function refuseUnknown(
	where: string,
	variables: Readonly<Record<string, string | undefined>>,
	known: ReadonlySet<string>,
): void {
	const name = Object.keys(variables).find((each) => NEARLY_PREFIX.test(each) && !known.has(each));
	if (name === undefined) return;
	throw new Failure(
		`The ${where} sets ${name}, which brief-batch does not know.`,
		`The variables are ${PREFIX}API_KEY, and one for each option that brief-batch run --help lists, such as ${PREFIX}LEAVE_SLOTS for --leave-slots.`,
	);
}

/** Of a variable that is set twice Node.js takes the last value, and drops the first without a word. */
function refuseTwice(file: string, lines: readonly string[]): void {
	const setOn = new Map<string, number>();
	for (const [at, line] of lines.entries()) {
		const name = /^\s*(?:export\s+)?(CREATOR_BRIEFING_\w+)\s*=/.exec(line)?.[1];
		if (name === undefined) continue;
		const before = setOn.get(name);
		if (before !== undefined) {
			throw new Failure(
				`Lines ${before} and ${at + 1} of the file ${file} both set ${name}, and only one of them would count.`,
				`Keep one of them. Several values of ${PREFIX}MAP or ${PREFIX}SET stand in one variable, within one pair of quotation marks, each on a line of its own.`,
			);
		}
		setOn.set(name, at + 1);
	}
}

/** Node.js skips such a line without a word. Some versions also take a line without “=” for a part of the next name. */
function isMalformed(line: string): boolean {
	return /^\s*(export\s+)?CREATOR_BRIEFING_\w*(?!\w)(?!\s*=)/.test(line);
}

/** Where Node.js drops the rest of a value without a word: a key would be refused, and half of a text be ordered. */
function isCutOff(line: string): boolean {
	const value = /^\s*(?:export\s+)?CREATOR_BRIEFING_\w+\s*=\s*(.*?)\s*$/.exec(line)?.[1] ?? '';
	const quoted = /^(["'`]).*?\1\s*(.*)$/.exec(value);
	if (quoted !== null) return !/^(#.*)?$/.test(quoted[2] ?? '');
	if (/^["'`]/.test(value)) return false;
	const at = value.indexOf('#');
	return at !== -1 && !(/^(.*\s)?$/.test(value.slice(0, at)) && /^#+(\s|$)/.test(value.slice(at)));
}

function readText(file: string): string {
	let bytes: Uint8Array;
	try {
		bytes = readFileSync(file);
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? '';
		throw new Failure(
			`The file ${file} of --env-file cannot be read (${code}).`,
			'Check its path, and that the user who runs this may read it.',
		);
	}
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		if (!text.includes('\0')) return text;
	} catch {
		// It is in another encoding, too.
	}
	throw new Failure(
		`The file ${file} of --env-file is not text in UTF-8.`,
		'Save it as UTF-8: some editors on Windows save UTF-16 otherwise.',
	);
}
