import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(__dirname, '..', 'docs', 'performance.md');

/** Puts new figures into a section of docs/performance.md. The rest of the page is written by hand. */
export function writeFigures(heading: string, figures: string): void {
	const page = readFileSync(PAGE, 'utf8');
	const begin = page.indexOf(`## ${heading}\n`);
	const next = page.indexOf('\n## ', begin);
	if (begin < 0 || next < 0) throw new Error(`${PAGE} has no section “${heading}”`);
	const section = `## ${heading}\n\n${figures.trim()}\n`;
	writeFileSync(PAGE, page.slice(0, begin) + section + page.slice(next));
}
