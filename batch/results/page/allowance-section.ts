import { dayInWords, monthInWords, nextMonthStart } from '../../../service/list/month';
import { paidByMonth } from '../../folder/journal/paid';
import type { ReportData } from '../report-data';
import { count, formatNumber } from '../../text';
import { markup, type Html } from './html';

/** Shows the month's allowance after the last run. Null while no run has ended: then none is on record. */
export function allowanceSection({ records, tries }: ReportData, now: number): Html | null {
	const { lastRun } = records;
	if (lastRun === null) return null;
	const asOf = Date.parse(lastRun.at);
	const used = Math.max(0, lastRun.used);
	const title = markup`<h2 id="allowance-title">Allowance of ${monthInWords(asOf)}</h2>`;
	const allowance = lastRun.allowance ?? 0;
	if (allowance <= 0) {
		return markup`<section id="allowance" aria-labelledby="allowance-title">
${title}
<p class="soft">Not known. The workspace used at least ${count(used, 'brief')}.</p>
</section>
`;
	}
	const month = new Date(asOf).toISOString().slice(0, 7);
	const ofMonth = paidByMonth(tries).find((one) => one.month === month);
	const byBatch = Math.min(ofMonth?.paid ?? 0, used);
	const rest = Math.max(0, allowance - used);
	const parts = [
		{ kind: 'others', n: used - byBatch, text: 'used before or by others' },
		{ kind: 'batch', n: byBatch, text: 'used by this batch' },
		{ kind: 'left', n: rest, text: 'left' },
	];
	const next = dayInWords(nextMonthStart(asOf));
	const resets =
		nextMonthStart(asOf) <= now
			? `That month is over: a new allowance began on ${next} (UTC).`
			: `It resets on ${next}, 00:00 UTC.`;
	const shares = parts
		.filter(({ n }) => n > 0)
		.map(({ kind, n }) => markup`<span class="${kind}" style="flex-grow:${n}"></span>`);
	const legend = parts.map(
		({ kind, n, text }) =>
			markup`<span><i class="swatch ${kind}"></i> <b>${formatNumber(n)}</b> ${text}</span>
`,
	);
	return markup`<section id="allowance" aria-labelledby="allowance-title">
${title}
<div class="stack tall" role="img" aria-label="${formatNumber(used)} of ${formatNumber(allowance)} used">${shares}</div>
<p class="legend">${legend}</p>
<p class="soft">${count(allowance, 'brief')} a month, counted for the whole workspace. ${resets}</p>
</section>
`;
}
