import type { Brief } from '../../../service/api/resources';
import { count } from '../../text';
import { anchorsOf, article, briefBody, contents } from './briefs';
import { DateFormatter } from './dates';
import { markup, type Html } from './html';
import type { ReportRow } from '../report-data';
import { head, tail } from './report-page';
import { searchBox } from './rows';
import { SEARCHING } from './script';
import { visibleLine } from './visible-text';

/** The facts that a client gets to see. */
interface SharedFacts {
	title: string;
	/** The finished briefs. */
	rows: readonly ReportRow[];
	texts: ReadonlyMap<ReportRow, Brief>;
	now: number;
}

/** Makes a page of the finished briefs to pass on: without rows that failed, allowance, commands, and what lies in this folder. */
export function sharePage({ title, rows, texts, now }: SharedFacts): Html {
	const anchors = anchorsOf(rows);
	const briefs = [...anchors].map(([row, anchor]) => {
		const name = visibleLine(row.product, 180);
		const heading = visibleLine(row.title, 200) || name;
		const about = markup`<bdi>${name}</bdi>`;
		const isOpen = rows.length === 1;
		return article({ anchor, status: 'ready', title: heading, isOpen }, about, {
			above: null,
			body: briefBody(texts.get(row) ?? null, heading, Infinity),
		});
	});
	return markup`${head(title)}<nav aria-label="On this page">
${contents(anchors)}
</nav>
<main>
<header id="top">
<p class="eyebrow">Creator briefs</p>
<h1><bdi>${visibleLine(title, 120)}</bdi></h1>
<p class="lead">${count(rows.length, 'brief')}, ${new DateFormatter().date(now)}</p>
</header>
<section id="briefs" class="print-all" aria-labelledby="briefs-title">
<h2 id="briefs-title" class="unseen">Briefs</h2>
${rows.length < 2 ? null : searchBox('Search: product or title')}<div id="rows">
${briefs}</div>
</section>
</main>
${tail(rows.length > 1 ? [SEARCHING] : [])}`;
}
