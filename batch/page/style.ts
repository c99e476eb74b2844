import { ROW_STATUSES, type RowStatus } from '../folder/journal/row-status';

/** Each status in words and with a sign, because not every reader sees colours. */
export const STATUS_WORDS: Record<RowStatus, { word: string; sign: string; means: string }> = {
	ready: { word: 'Ready', sign: '✓', means: 'written' },
	failed: { word: 'Failed', sign: '✕', means: 'no finished brief' },
	invalid: { word: 'Invalid', sign: '!', means: 'not sent, nothing spent' },
	parked: { word: 'Parked', sign: '‖', means: 'needs you' },
	changed: { word: 'Changed', sign: '≠', means: 'not what was ordered' },
	deferred: { word: 'Deferred', sign: '↻', means: 'waits for new allowance' },
	pending: { word: 'Pending', sign: '…', means: 'waits for its turn' },
	left_out: { word: 'Left out', sign: '–', means: 'no row of the list' },
};

/** In the list the status comes from the class of a row: written out, it would make twenty thousand rows longer. */
const STATUS_RULES = ROW_STATUSES.map(
	(status) =>
		`#rows > p.${status}::after { content: '${STATUS_WORDS[status].sign} ${STATUS_WORDS[status].word}'; }`,
).join('\n');

/** The style of the report. Nothing is loaded: the fonts are those of the reader's system. */
export const STYLE = `
:root {
	color-scheme: light dark;
	--page: #f6f5f1; --sheet: #ffffff; --ink: #1d1c1a; --soft: #625f58; --line: #e2dfd6; --lane: #edebe4;
	--link: #0b5d52; --on-colour: #ffffff;
	--ready: #1f7a52; --failed: #b4302a; --invalid: #9a5b00; --parked: #7a3fa0; --deferred: #2c5db0; --pending: #6d6a63;
	--others: #b9b4a7; --batch: #1f7a52; --left: #e7e4db;
	--sans: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
	--serif: Charter, 'Bitstream Charter', 'Sitka Text', 'Iowan Old Style', Cambria, 'Noto Serif', Georgia, serif;
	--mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'Noto Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
	:root {
		--page: #151513; --sheet: #1e1e1b; --ink: #ecebe6; --soft: #a6a298; --line: #35342f; --lane: #282723;
		--link: #7fd4c3; --on-colour: #10110f;
		--ready: #62c695; --failed: #ff8b80; --invalid: #eab053; --parked: #cba0ec; --deferred: #8db5ff; --pending: #a3a097;
		--others: #67645b; --batch: #62c695; --left: #33322d;
	}
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; text-wrap: balance; margin: 0; font-weight: 650; }
h1 { font-size: clamp(1.9rem, 1.3rem + 2.6vw, 2.9rem); letter-spacing: -.022em; }
h2 { font-size: 1.4rem; letter-spacing: -.012em; margin-bottom: .6rem; }
h3 { font-size: 1.08rem; }
p { margin: 0 0 .8rem; }
a { color: var(--link); text-underline-offset: .16em; text-decoration-thickness: .06em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
.soft { color: var(--soft); font-size: .9rem; }
code, pre { font-family: var(--mono); font-size: .88em; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.command { display: flex; align-items: stretch; gap: .5rem; margin: .35rem 0 .6rem; contain: inline-size; }
.command code { flex: 1; min-width: 0; overflow-x: auto; white-space: pre; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--page); }
.command button { flex: none; font: inherit; font-size: .85rem; color: var(--link); background: var(--sheet); border: 1px solid var(--line); border-radius: .4rem; padding: 0 .7rem; cursor: pointer; }
.command button[hidden] { display: none; }
.command code:focus-visible, .command button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }

main { width: 100%; max-width: 56rem; margin: 0 auto; padding: clamp(1.6rem, 4vw, 3.5rem) clamp(1rem, 4vw, 2.5rem) 3rem; }
section, header { margin-bottom: clamp(2.4rem, 5vw, 3.6rem); }
nav { font-size: .9rem; line-height: 1.35; padding: 1rem clamp(1rem, 4vw, 2.5rem); border-bottom: 1px solid var(--line); }
nav ul, nav ol { list-style: none; margin: 0; padding: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }
nav ol { display: none; }
nav a { display: inline-block; padding: .18rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--link); text-decoration: underline; }
@media (min-width: 68rem) {
	body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
	nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); padding: 3.2rem 1.4rem 2rem; }
	nav ul { display: block; font-weight: 600; }
	nav ol { display: block; margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); }
	nav ol:first-child { margin: 0; padding: 0; border: 0; }
	nav ol li + li { margin-top: .2rem; }
}

.eyebrow { margin: 0 0 .5rem; font-size: .78rem; font-weight: 650; letter-spacing: .09em; text-transform: uppercase; color: var(--soft); }
.lead { font-size: clamp(1.12rem, 1rem + .6vw, 1.35rem); line-height: 1.4; margin: .7rem 0 1.6rem; max-width: 40rem; text-wrap: pretty; }
.counts { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(8.6rem, 1fr)); gap: .7rem; }
.counts li { background: var(--sheet); border: 1px solid var(--line); border-top: 3px solid var(--colour); border-radius: .5rem; padding: .8rem .9rem .75rem; display: flex; flex-direction: column; }
.counts b { font-size: 2rem; line-height: 1.1; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.counts .word { color: var(--colour); font-weight: 650; margin-top: .15rem; }
.counts .soft { font-size: .82rem; line-height: 1.35; }
.ready { --colour: var(--ready); } .failed { --colour: var(--failed); } .invalid { --colour: var(--invalid); }
.parked { --colour: var(--parked); } .deferred { --colour: var(--deferred); } .pending { --colour: var(--pending); }
.changed { --colour: var(--invalid); }
.others { --colour: var(--others); } .batch { --colour: var(--batch); } .left { --colour: var(--left); } .open { --colour: var(--parked); }
.stack { display: flex; gap: 2px; height: .6rem; border-radius: .3rem; overflow: hidden; }
.stack.tall { height: 1.6rem; border-radius: .4rem; margin-bottom: .7rem; }
.stack span { background: var(--colour); min-width: 3px; }
.facts { display: flex; flex-wrap: wrap; gap: .8rem 2.4rem; margin: 1.5rem 0 0; }
.facts dt { font-size: .8rem; color: var(--soft); }
.facts dd { margin: 0; font-weight: 550; font-variant-numeric: tabular-nums; }
.facts .soft { font-weight: 400; }
.note { margin: 1.4rem 0 0; padding: .7rem .9rem; border-left: 3px solid var(--invalid); background: var(--sheet); font-size: .92rem; }

.group { background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem 1.2rem; margin-bottom: 1rem; }
.group > :last-child { margin-bottom: 0; }
.group h3 { margin-bottom: .5rem; font-weight: 500; display: flex; flex-wrap: wrap; align-items: center; gap: .55rem; }
.group > p { max-width: 46rem; }
.said { font-weight: 600; }
.more { margin-top: .8rem; color: var(--soft); }
.badge { display: inline-block; border: 1.5px solid var(--colour); color: var(--colour); border-radius: 2rem; padding: .12rem .65rem; font-size: .85rem; font-weight: 650; line-height: 1.35; white-space: nowrap; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; line-height: 1.45; }
th { text-align: left; font-size: .8rem; font-weight: 600; color: var(--soft); }
th, td { padding: .5rem .9rem .5rem 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; padding-bottom: .3rem; }
.rows td:nth-child(2) { min-width: 8rem; font-weight: 550; }
.rows td:nth-child(3) { width: 62%; }
.number { font-variant-numeric: tabular-nums; color: var(--soft); width: 3.4rem; white-space: nowrap; }
@media (max-width: 36rem) {
	.rows thead { display: none; }
	.rows tr { display: grid; grid-template-columns: 2.6rem 1fr; border-top: 1px solid var(--line); padding: .5rem 0; }
	.rows td { border: 0; padding: .1rem 0; }
	.rows td:nth-child(3) { grid-column: 2; width: auto; }
}

.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; font-size: .92rem; margin-bottom: .5rem; }
.swatch { display: inline-block; width: .75em; height: .75em; border-radius: .2em; background: var(--colour); }
.chart { margin: 0; background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem 1.2rem .7rem; }
.lane { position: relative; height: 30px; margin-bottom: 8px; border-radius: 3px; background: var(--lane); }
.bar { position: absolute; inset-block: 0; min-width: 3px; overflow: hidden; white-space: nowrap; text-indent: .45rem; border-radius: 3px; border: 0 solid var(--sheet); border-inline-end-width: 1px; background: var(--colour); color: var(--on-colour); font: 600 12px/30px var(--sans); text-decoration: none; }
.bar.open { background: transparent; border: 1px dashed var(--colour); color: var(--ink); }
.bar[href]:hover, .bar:focus-visible { opacity: .8; }
.chart figcaption { display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }

article { background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem; margin-bottom: .7rem; }
article:target { border-color: var(--link); }
summary { cursor: pointer; list-style: none; padding: .9rem 1.2rem .9rem 2.7rem; position: relative; overflow: hidden; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ''; position: absolute; left: 1.25rem; top: 1.32rem; width: .5rem; height: .5rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); transition: transform .12s; }
details[open] > summary::before { transform: rotate(45deg); }
summary p { margin: .2rem 0 0; }
summary p b { font-weight: inherit; }
details > :not(summary) { margin-left: 2.7rem; margin-right: 1.2rem; }
.links { font-size: .92rem; display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; padding-bottom: .9rem; border-bottom: 1px solid var(--line); }
.warnings { list-style: none; font-size: .92rem; margin-top: 0; margin-bottom: 1.2rem; padding: .6rem .9rem; border-left: 3px solid var(--invalid); background: var(--page); }
.back { font-size: .85rem; margin-top: 1.5rem; padding-bottom: .6rem; }
.brief { font: 1.08rem/1.62 var(--serif); max-width: 42rem; }
.brief > :first-child { margin-top: 0; }
.brief h4, .brief h5, .brief h6 { font-family: var(--sans); margin: 1.9em 0 .5em; }
.brief h4 { font-size: 1.3rem; } .brief h5 { font-size: 1.12rem; } .brief h6 { font-size: 1rem; margin-top: 1.5em; }
.brief ul, .brief ol { padding-inline-start: 1.4rem; margin: 0 0 .9rem; }
.brief li { margin-bottom: .3rem; }
.brief li::marker { color: var(--soft); }
.brief blockquote { margin: 0 0 .9rem; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); font-style: italic; }
.brief blockquote p:last-child { margin-bottom: 0; }
.brief hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
.brief pre { overflow-x: auto; background: var(--page); padding: .8rem 1rem; border-radius: .4rem; }
.brief .scroll { overflow-x: auto; margin-bottom: 1rem; overflow-wrap: normal; }
.brief table { font-family: var(--sans); font-size: .9rem; }
#find { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .45rem; padding: .7rem 0; background: var(--page); }
#find[hidden] { display: none; }
#find input { flex: 1 1 15rem; min-width: 0; font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; }
#find button { font: inherit; font-size: .88rem; color: var(--colour); background: var(--sheet); border: 1px solid var(--line); border-radius: 2rem; padding: .3rem .75rem; cursor: pointer; }
#find button[aria-pressed="true"] { background: var(--colour); border-color: var(--colour); color: var(--on-colour); }
#find button[aria-pressed="true"] .soft { color: inherit; }
#find input:focus-visible, #find button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
#find output { flex-basis: 100%; }
#find output:empty { display: none; }
#rows > [hidden] { display: none; }
#rows > p, #heads { margin: 0; padding: .32rem 0; border-top: 1px solid var(--line); display: grid; grid-template-columns: var(--columns); align-items: baseline; gap: 0 .8rem; font-size: .95rem; }
#rows > p { content-visibility: auto; contain-intrinsic-size: auto 2.2rem; }
#heads { border: 0; font-size: .8rem; font-weight: 600; color: var(--soft); }
#heads > :last-child { text-align: end; }
#rows > p > bdi { font-size: .9rem; }
#rows > p .soft { display: block; }
#rows > article + p { margin-top: .2rem; }
#rows > p + article { margin-top: .9rem; }
#rows > p b { font-weight: 400; color: var(--soft); font-variant-numeric: tabular-nums; }
#rows > p::after { text-align: end; color: var(--colour); font-size: .85rem; font-weight: 600; white-space: nowrap; }
${STATUS_RULES}
@media (max-width: 36rem) {
	#heads, .bar bdi { display: none; }
	#find input { flex-basis: 100%; }
	#rows > p { display: flex; flex-wrap: wrap; }
	#rows > p b { flex: 0 0 2.4rem; }
	#rows > p > span { flex: 1 1 60%; }
	#rows > p > bdi { color: var(--soft); }
	#rows > p > bdi:empty { display: none; }
	#rows > p > span + bdi { margin-inline-start: 3.2rem; }
}


footer { border-top: 1px solid var(--line); padding-top: 1.2rem; }

@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } summary::before { transition: none; } }
@media print {
	:root { --page: #ffffff; --line: #cfccc4; }
	@page { margin: 16mm 15mm; }
	html { font-size: 10.5pt; }
	body { display: block; }
	main { max-width: none; padding: 0; }
	nav, .back, summary::before, #find, .command button { display: none; }
	.command code { white-space: pre-wrap; }
	#rows > p { content-visibility: visible; break-inside: avoid; }
	#rows:not(.found) > p:nth-of-type(n + 501) { display: none; }
	#rows:not(.found):has(> p:nth-of-type(501))::after { content: 'Not all rows are printed: results.csv has them. What the search has found is printed whole.'; color: var(--soft); }
	.stack span, .swatch, .bar, .lane { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
	.counts li, .chart, tr, blockquote, figure { break-inside: avoid; }
	h2, h3, h4, h5, h6, summary { break-after: avoid; }
	.print-all details::details-content { content-visibility: visible; display: block; height: auto; }
	article { border: 0; border-top: 1px solid var(--line); border-radius: 0; margin: 0; }
	article > details > summary { padding-left: 0; }
	details > :not(summary) { margin-left: 0; margin-right: 0; }
	.brief { max-width: none; }
	.brief a[href^="http"]::after { content: ' (' attr(href) ')'; font-size: .85em; color: var(--soft); }
}
`;
