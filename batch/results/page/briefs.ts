import type { BriefRecord } from '../../journal/records';
import { isBriefFileName } from '../names';
import { count } from '../../text';
import { markup, type Html } from './html';
import { safeWebAddress } from './web-address';
import { renderMarkdown } from './markdown';
import { shortened } from './visible-text';
import { durationToTheSecond, type DateFormatter } from './dates';

/** What a brief's files hold, as far as they can be read. */
export interface BriefText {
	markdown: string | null;
	warnings: unknown[];
}

export type ReadBrief = (name: string) => Promise<BriefText | null>;

/** Up to this number, all briefs are printed, each on its own page; of more, only those that the reader has opened. */
const MOST_PRINTED = 50;

/** The anchor of each brief on the page, by its key. */
export function anchorsOf(briefs: readonly BriefRecord[]): Map<string, string> {
	return new Map(briefs.map(({ key }, index) => [key, `brief-${index + 1}`]));
}

/** A list of links to all briefs. */
export function contents(briefs: readonly BriefRecord[]): Html | null {
	if (briefs.length < 2) return null;
	const items = briefs.map(
		({ product_name }, index) =>
			markup`<li><a href="#brief-${index + 1}"><bdi>${shortened(product_name, 80)}</bdi></a></li>
`,
	);
	return markup`<ol>
${items}</ol>`;
}

/** All finished briefs. They are read one at a time, so that hundreds of them need little memory. */
export async function* briefList(
	briefs: readonly BriefRecord[],
	read: ReadBrief,
	dates: DateFormatter,
): AsyncGenerator<Html> {
	if (briefs.length === 0) return;
	const heading = briefs.length === 1 ? 'The brief' : `The ${count(briefs.length, 'brief')}`;
	const kind = briefs.length <= MOST_PRINTED ? 'print-all' : 'print-opened';
	yield markup`<section id="briefs" class="${kind}" aria-labelledby="briefs-title">
<h2 id="briefs-title">${heading}</h2>
`;
	for (const [index, record] of briefs.entries()) {
		const text = record.file === null ? null : await read(record.file);
		yield article(record, `brief-${index + 1}`, briefs.length === 1, text, dates);
	}
	yield markup`</section>
`;
}

function article(
	record: BriefRecord,
	anchor: string,
	isOpen: boolean,
	text: BriefText | null,
	dates: DateFormatter,
): Html {
	const product = shortened(record.product_name, 180);
	const title = shortened(record.title ?? '', 200) || product;
	return markup`<article id="${anchor}">
<details${isOpen ? markup` open` : null}>
<summary><h3><bdi>${title}</bdi></h3><p class="soft"><bdi>${product}</bdi>${finished(record, dates)}</p></summary>
<p class="links">${links(record)}</p>
${text === null ? null : warnings(text.warnings)}
<div class="brief" dir="auto">
${body(text, title)}</div>
<p class="back"><a href="#top">Back to the top</a></p>
</details>
</article>
`;
}

function finished({ ended_at, took_ms }: BriefRecord, dates: DateFormatter): string {
	const end = Date.parse(ended_at ?? '');
	const at = Number.isNaN(end) ? '' : ` · finished ${dates.dateTime(end)}`;
	return took_ms === null ? at : `${at} · took ${durationToTheSecond(took_ms)}`;
}

function links({ url, file }: BriefRecord): Html {
	const address = safeWebAddress(url);
	const inApp =
		address === null
			? null
			: markup`<a href="${address}" rel="noopener noreferrer" target="_blank">Open in the vendor’s app</a>`;
	// The name comes from the journal, which anybody can edit.
	if (file === null || !isBriefFileName(file)) return markup`${inApp}`;
	return markup`${inApp}
<a href="results/${file}.md">Markdown file</a>
<a href="results/${file}.json">All data (JSON)</a>`;
}

function body(text: BriefText | null, title: string): Html {
	if (text === null)
		return markup`<p>Its file is not under results/ any more, or cannot be read. The brief itself is in the vendor’s app.</p>`;
	if (text.markdown === null) return markup`<p>The service sent no text with this brief.</p>`;
	return renderMarkdown(text.markdown, title);
}

/** The form of a warning is not known (docs/service.md): a text, or an object with a `message`, is shown. */
function warnings(list: unknown[]): Html | null {
	const texts = list.flatMap((item) => {
		const text = typeof item === 'string' ? item : (item as { message?: unknown } | null)?.message;
		return typeof text === 'string' && text.trim() !== '' ? [shortened(text, 400)] : [];
	});
	if (texts.length === 0) return null;
	return markup`<ul class="warnings">${texts.slice(0, 20).map((text) => markup`<li><bdi>${text}</bdi></li>`)}</ul>`;
}
