import { parseTimestamp } from '../core/api/timestamps';
import type { BriefSummary } from '../core/api/types';
import { MONTHS } from '../core/dates';
import { quote } from '../core/input/text';
import {
	makeFinding,
	makeStep,
	type CommandWords,
	type Finding,
	type NextStep,
} from '../core/finding';
import { formatCount } from '../core/text';

/** Returns “2, 3 and 7”, or “2, 3, 4 and 12 more”. */
export function listWords(words: readonly string[], max = 8): string {
	if (words.length > max) return `${words.slice(0, max).join(', ')} and ${words.length - max} more`;
	return words.length < 2
		? words.join()
		: `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** Returns “Name” and “Audience”, in quotation marks. As many names are listed as fit into a message. */
export function listQuoted(texts: readonly string[], max = 20): string {
	return listWords(texts.map(quote), max);
}

/** Text that no shell changes. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Returns a command, or a part of it, as a user can paste it into a shell: `--map 'Offer $5=campaign_terms'`. */
export function formatCommand(command: CommandWords): string {
	return command.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
	if (PLAIN.test(word)) return word;
	// cmd.exe and PowerShell understand double quotes. In a POSIX shell, only single quotes protect $ and !.
	return process.platform === 'win32'
		? `"${word.replaceAll('"', '""')}"`
		: `'${word.replaceAll("'", "'\\''")}'`;
}

/** Control characters other than line ends, and characters that change the direction of writing. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Shows control characters as ␛ and the like, so that text from outside cannot rewrite what a terminal shows. */
export function toVisibleText(text: string): string {
	return text.replace(CONTROLS, (character) => {
		const code = character.charCodeAt(0);
		return code < 32 ? String.fromCharCode(0x2400 + code) : '\ufffd';
	});
}

/** Returns a finding as lines: the message, then each next step with its commands below it. */
export function formatFinding({ message, nextSteps }: Finding): string[] {
	const lines = [message, ...nextSteps.flatMap(formatNextStep)];
	return lines.filter((line) => line !== '').map(toVisibleText);
}

export function formatNextStep({ text, commands = [] }: NextStep): string[] {
	return [text, ...commands.map((command) => `  ${formatCommand(command)}`)];
}

/** Returns a finding as one line. */
export function formatInOneLine({ message, nextSteps }: Finding): string {
	const steps = nextSteps.flatMap(({ text, commands = [] }) => [
		text,
		commands.map(formatCommand).join(' | '),
	]);
	return [message, ...steps].filter((text) => text !== '').join(' ');
}

/** Returns the finding about a file that the user has named and Node.js cannot read. */
export function describeUnreadableFile(file: string, error: unknown): Finding {
	const { code = '' } = error as NodeJS.ErrnoException;
	return makeFinding(
		code === 'ENOENT' ? `File not found: ${file}.` : `Cannot read ${file} (${code}).`,
		makeStep('Check the path, and that your user has permission to read the file.'),
	);
}

/** Returns “brief 70a42f64” or “briefs 70a42f64 and d031a274”. */
export function nameBriefs(ids: readonly string[]): string {
	return `${ids.length === 1 ? 'brief' : 'briefs'} ${listWords(ids)}`;
}

/** Returns, for example, “Mug” (https://…, since 10 November, 12:04 UTC), each brief once. */
export function describeRunningBriefs(briefs: readonly BriefSummary[]): string {
	const texts = briefs.map(({ product_name, url, created_at }) => {
		const createdAt = parseTimestamp(created_at);
		const since = createdAt === null ? '' : `, since ${formatMinute(createdAt)}`;
		return `${quote(product_name)} (${url}${since})`;
	});
	return listWords([...new Set(texts)]);
}

/** Returns “row 7” or “rows 2, 3 and 7”. */
export function nameRows(numbers: readonly number[]): string {
	return `${numbers.length === 1 ? 'row' : 'rows'} ${listWords(numbers.map(String))}`;
}

/** Returns “40 seconds”, “12 minutes”, “2 h 13 min” or “5 days”. */
export function formatDuration(ms: number): string {
	if (ms < 60_000) return formatCount(Math.max(1, Math.round(ms / 1000)), 'second');
	const minutes = Math.round(ms / 60_000);
	if (minutes < 60) return formatCount(minutes, 'minute');
	if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
	return formatCount(Math.round(minutes / 1440), 'day');
}

/** Returns “27 November, 07:00 UTC+1”, in the time zone of this computer. */
export function formatMinute(ms: number): string {
	const date = new Date(ms);
	const day = `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`;
	return `${day}, ${date.toTimeString().slice(0, 5)} ${formatZone(date)}`;
}

function formatZone(date: Date): string {
	const offset = -date.getTimezoneOffset();
	if (offset === 0) return 'UTC';
	const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
	return `UTC${offset < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${minutes}`}`;
}
