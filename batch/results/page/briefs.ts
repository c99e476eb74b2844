import type { Brief } from '../../../service/api/resources';
import type { RowStatus } from '../../folder/journal/row-status';
import type { Order } from '../../folder/records';
import { isBriefFileName } from '../../folder/brief-files';
import type { ReportRow } from '../report-data';
import { markup, webLink, type Html } from './html';
import { durationToTheSecond, type DateFormatter } from './dates';
import { renderMarkdown } from './markdown';
import { badge } from './statuses';
import { visibleLine } from './visible-text';

export type ReadBrief = (name: string) => Promise<Brief | null>;

/** Gives the anchor on the page of each row whose brief is there. */
export function anchorsOf(rows: readonly ReportRow[]): Map<ReportRow, string> {
	const readable = rows.filter(({ isReadable }) => isReadable);
	return new Map(readable.map((row, index) => [row, `brief-${index + 1}`]));
}

/** Lists links to the briefs. */
export function contents(anchors: ReadonlyMap<ReportRow, string>): Html | null {
	if (anchors.size < 2) return null;
	const items = [...anchors].map(
		([{ product }, anchor]) =>
			markup`<li><a href="#${anchor}"><bdi>${visibleLine(product, 80)}</bdi></a></li>
`,
	);
	return markup`<ol>
${items}</ol>`;
}

/** Shows a brief: a title to click on, and below it what can be read. */
export function article(
	{
		anchor,
		status,
		isOpen,
		title,
	}: { anchor: string; status: RowStatus; isOpen: boolean; title: string },
	about: Html,
	{ above, body }: { above: Html | null; body: Html },
): Html {
	return markup`<article id="${anchor}" class="${status}">
<details${isOpen ? markup` open` : null}>
<summary><h3><bdi>${title}</bdi>${status === 'ready' ? null : markup` ${badge(status)}`}</h3><p class="soft">${about}</p></summary>
${above}<div class="brief" dir="auto">
${body}</div>
<p class="back"><a href="#top">Back to the top</a></p>
</details>
</article>
`;
}

/** Says when it was finished, and how long it took. */
export function finishText({ ended_at, took_ms }: Order, dates: DateFormatter): string {
	const end = Date.parse(ended_at ?? '');
	const at = Number.isNaN(end) ? '' : ` · finished ${dates.dateTime(end)}`;
	return took_ms === null ? at : `${at} · took ${durationToTheSecond(took_ms)}`;
}

/** Links to where else it is, and shows what the service warns of. */
export function linksAndWarnings({ brief, file }: Order, text: Brief | null): Html {
	// The name comes from the journal, which anybody can edit.
	const files =
		file === null || !isBriefFileName(file)
			? null
			: markup`
<a href="results/${file}.md">Markdown file</a>
<a href="results/${file}.json">All data (JSON)</a>`;
	return markup`<p class="links">${webLink(brief?.url ?? '', 'Open in the vendor’s app')}${files}</p>
${text === null ? null : warnings(text.warnings)}
`;
}

export function briefBody(text: Brief | null, title: string, room: number): Html {
	if (text === null)
		return markup`<p>Its file is not under results/ any more, or cannot be read. The brief itself is in the vendor’s app.</p>`;
	if (text.markdown === null) return markup`<p>The service sent no text with this brief.</p>`;
	const html = renderMarkdown(text.markdown, title);
	return html.text.length <= room
		? html
		: markup`<p>There is no room for its text here. It is in the Markdown file.</p>`;
}

/** The form of a warning is not known (docs/service.md): a text, or an object with a `message`, is shown. */
function warnings(list: unknown[]): Html | null {
	const texts = list.flatMap((item) => {
		const text = typeof item === 'string' ? item : (item as { message?: unknown } | null)?.message;
		return typeof text === 'string' && text.trim() !== '' ? [visibleLine(text, 400)] : [];
	});
	if (texts.length === 0) return null;
	return markup`<ul class="warnings">${texts.slice(0, 20).map((text) => markup`<li><bdi>${text}</bdi></li>`)}</ul>`;
}
