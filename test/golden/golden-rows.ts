import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BriefInput } from '../../core/api/types';

/** A row of a golden CSV: refused because of a wrong value, or with its golden input. */
type GoldenRow = { number: number } & ({ refused: true } | { input: BriefInput });

export interface GoldenCsv {
	/** The name of a file in csv/. */
	file: string;
	/** Options of the command line. */
	options?: { encoding?: string; map?: string[]; set?: string[] };
	/** Numbers of the rows that show damage, which the user confirms. */
	damaged?: number[];
}

export const GOLDEN_CSVS: GoldenCsv[] = [
	{ file: 'products.csv' },
	{ file: 'products-again.csv', damaged: [3] },
	{ file: 'shop-template.csv' },
	{ file: 'sep-utf-16be.csv' },
	{
		file: 'utf-16le-without-mark.csv',
		options: { encoding: 'utf-16le' },
	},
	{
		file: 'artikel.csv',
		options: {
			encoding: 'windows-1252',
			map: ['Artikel=product_name', 'Nummer=product_id', 'ziel-gruppe=audience', 'Name=objective'],
			set: [
				'audience= Everyone',
				'campaign_terms=20 % = net',
				'reference_urls=https://video.example.com/?a=1 | https://video.example.com/b',
			],
		},
	},
	{ file: 'mac.csv' },
	{ file: 'bom.csv', damaged: [13] },
	{ file: 'plainest-header.csv' },
	{ file: 'links.csv' },
	{ file: 'numbers.csv' },
	{ file: 'duplicates.csv' },
	{
		file: 'damaged.csv',
		options: { encoding: 'windows-1252' },
		damaged: [3, 4],
	},
	{ file: 'damaged-shapes.csv', damaged: [3, 4, 5, 6, 7, 8, 9, 14] },
	{ file: 'damaged-words.csv', damaged: [12] },
	{ file: 'damaged-headers.csv' },
	{ file: 'damaged-texts.csv', damaged: [2, 3, 4, 5, 7, 8, 9] },
	{ file: 'no-letters.csv', damaged: [2, 3] },
	{ file: 'damaged-ids.csv', damaged: [2, 3, 4] },
	{ file: 'damaged-links.csv', damaged: [2, 3, 4] },
];

/** Returns the rows of a golden CSV from rows/. Their inputs were written by hand, from what the CSV shows. */
export function readGoldenRows({ file }: GoldenCsv): GoldenRow[] {
	const path = join(__dirname, 'rows', file.replace(/csv$/, 'jsonl'));
	const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
	return lines.map((line) => JSON.parse(line) as GoldenRow);
}

interface GoldenKeys {
	/** The key of each row of a golden CSV, by file and row number. */
	readonly rows: Record<string, Record<string, string>>;
	readonly orders: ReadonlyArray<{ input: BriefInput; supersedes: string; key: string }>;
}

/** The keys of golden orders, which a program that shares no code with this project computed. */
export const GOLDEN_KEYS = JSON.parse(
	readFileSync(join(__dirname, 'keys.json'), 'utf8'),
) as GoldenKeys;
