import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { BriefView, Sandbox } from '../../sandbox/sandbox';

/*
 * Compares the briefs of the sandbox with a folder of brief-batch: its journal, results.csv and files. The sandbox is
 * independent of the program, so this also finds mistakes that the program does not notice.
 *
 *     Product 3 has 2 briefs                            paid twice (P1)
 *     brief 46210132 is not in the journal              lost (P2)
 *     results/mug-46210132.json is not complete            (P6)
 *     row “Mug” has a brief of “Pan”                    (P12)
 */

export interface PaymentCheck {
	/** The number of briefs of each product that was deliberately ordered more than once. */
	readonly orderedAgain?: Readonly<Record<string, number>>;
	/** The run was killed: results.csv and the files can be older than the journal. */
	readonly isUnfinished?: boolean;
}

interface Folder {
	/** The briefs that were ordered through the API. */
	readonly ordered: readonly BriefView[];
	readonly all: ReadonlyMap<string, BriefView>;
	readonly out: string;
}

/** @param out the folder that --out names */
export function findPaymentFaults(sandbox: Sandbox, out: string, check: PaymentCheck): string[] {
	const briefs = sandbox.briefs();
	const all = new Map(briefs.map((brief) => [brief.id, brief]));
	const folder = { ordered: briefs.filter(({ ordinal }) => ordinal !== null), all, out };
	return [
		...findPaidTwice(folder, check),
		...findLost(folder),
		...findBrokenFiles(folder),
		...(check.isUnfinished === true ? [] : findWrongResults(folder)),
	];
}

function findPaidTwice({ ordered }: Folder, { orderedAgain = {} }: PaymentCheck): string[] {
	const keys = countEach(ordered.flatMap(({ idempotencyKeys }) => [...new Set(idempotencyKeys)]));
	const names = countEach(ordered.map(({ product_name }) => product_name));
	return [
		...[...keys].flatMap(([key, count]) => (count > 1 ? [`key ${key} has ${count} briefs`] : [])),
		...[...names].flatMap(([name, count]) =>
			count > (orderedAgain[name] ?? 1) ? [`${name} has ${count} briefs`] : [],
		),
	];
}

/** A brief is known by its ID, or by the key of an order that is unconfirmed. */
function findLost({ ordered, out }: Folder): string[] {
	const journal = readIfExists(join(out, 'journal.jsonl'));
	return ordered.flatMap(({ id, idempotencyKeys }) =>
		[id, ...idempotencyKeys].some((name) => journal.includes(name))
			? []
			: [`brief ${id} is not in the journal`],
	);
}

function findBrokenFiles({ all, out }: Folder): string[] {
	const folder = join(out, 'results');
	const names = existsSync(folder) ? readdirSync(folder) : [];
	const briefFaults = names
		.filter((name) => name.endsWith('.json'))
		.flatMap((name) => {
			const brief = parseBrief(readFileSync(join(folder, name), 'utf8'));
			if (brief === null) return [`results/${name} is not complete`];
			const { id, product_name, markdown } = brief;
			const isOwn = all.get(id)?.product_name === product_name;
			if (!isOwn || !name.includes(`-${id.slice(0, 8)}`))
				return [`results/${name} has brief ${id}`];
			const text = readIfExists(join(folder, name.replace(/json$/, 'md')));
			const isComplete = text === '' || text === `${(markdown ?? '').trimEnd()}\n`;
			return isComplete ? [] : [`results/${name} and its .md differ`];
		});
	const ends = { 'results.csv': /\n$/, 'report.html': /<\/html>\s*$/ };
	const cut = Object.entries(ends).filter(([name, end]) => {
		const text = readIfExists(join(out, name));
		return text !== '' && !end.test(text);
	});
	return [...briefFaults, ...cut.map(([name]) => `${name} is not complete`)];
}

/** Each ready row must have the files of its brief, and each brief of the journal must be in a line. */
function findWrongResults({ ordered, all, out }: Folder): string[] {
	const rows: Array<Record<string, string>> = parse(readIfExists(join(out, 'results.csv')), {
		columns: true,
		bom: true,
	});
	const shown = new Set(rows.map(({ brief_id }) => brief_id));
	const journal = readIfExists(join(out, 'journal.jsonl'));
	const missing = ordered.filter(({ id }) => journal.includes(id) && !shown.has(id));
	const wrong = rows.flatMap((row) => {
		const { brief_id = '', brief_status = '', brief_file = '' } = row;
		const name = row['Product Name'] ?? '';
		const brief = all.get(brief_id);
		if (brief_id !== '' && brief?.product_name !== name)
			return [`row “${name}” has a brief of “${brief?.product_name ?? 'another workspace'}”`];
		if (brief_status !== 'ready') return [];
		const json = readIfExists(join(out, brief_file.replace(/md$/, 'json')));
		const hasFiles = parseBrief(json)?.id === brief_id && existsSync(join(out, brief_file));
		return hasFiles ? [] : [`row “${name}” is ready without the files of its brief`];
	});
	return [...missing.map(({ id }) => `brief ${id} is not in results.csv`), ...wrong];
}

interface SavedBrief {
	readonly id: string;
	readonly product_name: string;
	readonly markdown: string | null;
}

function parseBrief(text: string): SavedBrief | null {
	try {
		return JSON.parse(text) as SavedBrief;
	} catch {
		return null;
	}
}

function readIfExists(file: string): string {
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function countEach(names: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return counts;
}
