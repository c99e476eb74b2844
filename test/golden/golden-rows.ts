import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BriefInput } from '../../core/api/types';

/** A row of a golden CSV: held up because something in it is wrong, or with all that must never change about it. */
type GoldenRow = { number: number } & (
	{ refused: true } | { id: string; key: string; input: BriefInput }
);

export interface GoldenCsv {
	/** In csv/ beside this file. */
	file: string;
	/** The start of the SHA-256 of the file, which shows whether the fixture is damaged or the code changed. */
	bytes: string;
	/** As --batch gives it; without it the batch is named after the file. */
	batch?: string;
	/** As the command line gives them. */
	options?: { encoding?: string; delimiter?: string; map?: string[]; set?: string[] };
	/** The rows that show a sign of damage, which are ordered only after a yes. */
	signs?: number[];
}

export const GOLDEN_CSVS: GoldenCsv[] = [
	{ file: 'products.csv', bytes: 'caf23fb2ffcc0af4' },
	{ file: 'products-again.csv', bytes: '661447c93f7b8a26', batch: 'products.csv' },
	{ file: 'sep-utf-16be.csv', bytes: '4d73016a3b4014af' },
	{
		file: 'utf-16le-without-mark.csv',
		bytes: '615ed4fbb223b2e0',
		options: { encoding: 'utf-16le' },
	},
	{
		file: 'artikel.csv',
		bytes: '2b618a4e4e8acf75',
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
	{ file: 'mac.csv', bytes: 'a37e7313ee96e41b' },
	{ file: 'bom.csv', bytes: '0f95ea12079f161e', signs: [13] },
	{ file: 'plainest-header.csv', bytes: '452c4c983b6db11b' },
	{ file: 'links.csv', bytes: '09379c2cc2177e91' },
	{ file: 'numbers.csv', bytes: '866156037166fcbf', options: { delimiter: '^' } },
	{ file: 'duplicates.csv', bytes: 'ccdd3180bc7e32db' },
	{
		file: 'damaged.csv',
		bytes: 'b80b8ede1a50f7f4',
		options: { encoding: 'windows-1252' },
		signs: [4],
	},
	{ file: 'damaged-shapes.csv', bytes: '080750cc8c60e3a1', signs: [3, 4, 6, 7, 8, 13, 14] },
	{ file: 'damaged-words.csv', bytes: '4e7043696d72fe8d' },
	{ file: 'damaged-headers.csv', bytes: '4b89aa6c486409f4' },
	{ file: 'damaged-texts.csv', bytes: 'ffe6d151585f43cb', signs: [2, 3, 4, 5, 6, 7, 8, 9] },
	{ file: 'damaged-ids.csv', bytes: '69bdb23ef1ffa633', signs: [2, 3, 4] },
	{ file: 'damaged-links.csv', bytes: '7df159f05d3ca89f', signs: [2, 3, 4] },
];

/**
 * All rows of a golden CSV, in the order of the file, from rows/ beside this file. The inputs were written by hand, from
 * what a person reads in the CSV. IDs and keys, those of generation 1, were computed from them by a program of their own
 * (Python's json and hashlib, none of this project's code):
 * - ID: the first 32 hex digits of the SHA-256 of the JSON list of [field, value] pairs, sorted by field, each text in
 *   the spelling in which it is compared;
 * - key: the first 16 bytes of the SHA-256 of the parts "brief-batch", batch, ID and generation, each written
 *   as its length in bytes, a colon, itself and a comma; with the bits of a UUID of version 4 set.
 */
export function goldenRowsOf({ file }: GoldenCsv): GoldenRow[] {
	const path = join(__dirname, 'rows', file.replace(/csv$/, 'jsonl'));
	const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
	return lines.map((line) => JSON.parse(line) as GoldenRow);
}
