import { count } from '../../text';
import { briefBody, contents, type ReadBrief } from './briefs';
import type { DateFormatter } from './dates';
import { Html, markup } from './html';
import type { ReportData, ReportRow } from '../report-data';
import { head, tail } from './page';
import { labelled, searchBox } from './rows';
import { shortened } from './visible-text';

/** What a client gets to see. */
export interface Shared extends Pick<ReportData, 'columns'> {
	title: string;
	/** The finished briefs. */
	rows: readonly ReportRow[];
	now: number;
}

/** The finished briefs to pass on: without rows that failed, allowance, commands, and what lies in this folder. */
export async function* sharePage(
	{ title, rows, columns, now }: Shared,
	read: ReadBrief,
	dates: DateFormatter,
): AsyncGenerator<Html> {
	const anchors = new Map(rows.map((row, index) => [row, `brief-${index + 1}`]));
	yield head(title);
	yield markup`<nav aria-label="On this page">
${contents(anchors)}
</nav>
<main>
<header id="top">
<p class="eyebrow">Creator briefs</p>
<h1><bdi>${shortened(title, 120)}</bdi></h1>
<p class="lead">${count(rows.length, 'brief')}, ${dates.date(now)}</p>
</header>
<section id="briefs" class="print-all" aria-label="Briefs">
${rows.length < 2 ? null : searchBox({ rows, columns }, 'Search: product or title')}<div id="rows">
`;
	for (const [row, anchor] of anchors) {
		const file = row.record?.file ?? '';
		const name = shortened(row.product, 180);
		const heading = shortened(row.title, 200) || name;
		yield markup`<article id="${anchor}" class="ready">
<details${rows.length === 1 ? markup` open` : null}>
<summary><h3><bdi>${heading}</bdi></h3><p class="soft"><bdi>${name}</bdi>${labelled(row, columns)}</p></summary>
<div class="brief" dir="auto">
${briefBody(await read(file), heading, Infinity)}</div>
<p class="back"><a href="#top">Back to the top</a></p>
</details>
</article>
`;
	}
	yield markup`</div>
</section>
</main>
${tail(rows.length)}`;
}
