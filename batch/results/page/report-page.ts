import type { ReportData } from '../report-data';
import { allowanceSection } from './allowance-section';
import { attention } from './attention';
import { anchorsOf, contents, type ReadBrief } from './briefs';
import { glance } from './glance';
import { Html, markup } from './html';
import { rowList } from './rows';
import { COPYING, SCRIPT_SOURCES, SEARCHING } from './script';
import { STYLE } from './style';
import { visibleLine } from './visible-text';
import { lanesOf, stretchOf, timeline } from './timeline';
import type { DateFormatter } from './dates';

/** Nothing is loaded, and nothing runs but searching and copying, even if a brief got markup into the page. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src ${SCRIPT_SOURCES}; img-src data:`;

/** Makes the whole report. */
export async function page(
	data: ReportData,
	read: ReadBrief,
	dates: DateFormatter,
	now: number,
): Promise<Html> {
	const { batch, baseUrl, isUnderWay, lastRun } = data.records;
	const end = Date.parse(lastRun?.at ?? '');
	const until = isUnderWay || Number.isNaN(end) ? now : end;
	const bars = lanesOf(data.tries, until);
	const anchors = anchorsOf(data.rows);
	const byKey = new Map([...anchors].map(([{ record }, anchor]) => [record?.key, anchor]));
	const allowance = allowanceSection(data, now);
	const toDo = attention(data);

	return markup`${head(batch ?? 'Batch')}<nav aria-label="On this page">
<ul>
<li><a href="#top">At a glance</a></li>
${toDo !== null ? markup`<li><a href="#attention">What to do next</a></li>` : null}
${allowance === null ? null : markup`<li><a href="#allowance">Allowance</a></li>`}
${stretchOf(bars) !== null ? markup`<li><a href="#slots">Slots over time</a></li>` : null}
${data.rows.length > 0 ? markup`<li><a href="#briefs">Briefs</a></li>` : null}
</ul>
${contents(anchors)}
</nav>
<main>
${glance(data, bars, dates)}${toDo}${allowance}${timeline(bars, dates, ({ record }) => byKey.get(record.key) ?? null)}${await rowList(data, read, dates)}<footer class="soft">
<p>Made by brief-batch on ${dates.dateTime(now)}${
		baseUrl === null ? null : markup`, with the service at ${visibleLine(baseUrl, 200)}`
	}. Every row and what came of it: <a href="results.csv">results.csv</a>.</p>
</footer>
</main>
${tail(data.rows.length > 1 ? [SEARCHING, COPYING] : [COPYING])}`;
}

/** Makes all that is above what is read. */
export function head(title: string): Html {
	return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${visibleLine(title, 120)} · creator briefs</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
`;
}

/** Makes all that is below it. */
export function tail(scripts: readonly string[]): Html {
	return markup`${scripts.map((script) => markup`<script>${new Html(script)}</script>`)}
</body>
</html>
`;
}
