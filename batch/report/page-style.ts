/** The style of report.html. Nothing is loaded: the fonts are those of the reader's system. */
export const STYLE = `
:root {
	color-scheme: light dark;
	--page: #f6f5f1; --sheet: #ffffff; --ink: #1d1c1a; --soft: #625f58; --line: #e2dfd6; --link: #0b5d52;
	--good: #1f7a52; --bad: #b4302a; --warning: #9a5b00; --decide: #7a3fa0; --later: #2c5db0;
	--sans: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
	--mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'Noto Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
	:root {
		--page: #151513; --sheet: #1e1e1b; --ink: #ecebe6; --soft: #a6a298; --line: #35342f; --link: #7fd4c3;
		--good: #62c695; --bad: #ff8b80; --warning: #eab053; --decide: #cba0ec; --later: #8db5ff;
	}
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: clamp(1.6rem, 4vw, 3.5rem) clamp(1rem, 4vw, 2.5rem) 3rem; }
section, header { margin-bottom: clamp(2rem, 5vw, 3rem); }
h1, h2, h3 { line-height: 1.2; margin: 0; font-weight: 650; }
h1 { font-size: clamp(1.9rem, 1.3rem + 2.6vw, 2.9rem); letter-spacing: -.022em; }
h2 { font-size: 1.4rem; margin-bottom: .8rem; }
h3 { font-size: 1rem; margin-bottom: .5rem; }
p { margin: 0 0 .6rem; }
a { color: var(--link); text-underline-offset: .16em; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
code { display: block; font: .88em/1.5 var(--mono); white-space: pre-wrap; margin: .35rem 0; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--page); }
.soft { color: var(--soft); font-size: .9rem; font-weight: 400; }
.eyebrow { margin: 0 0 .5rem; font-size: .78rem; font-weight: 650; letter-spacing: .09em; text-transform: uppercase; color: var(--soft); }
.counts { list-style: none; margin: 1.4rem 0 .9rem; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .7rem; }
.counts li { background: var(--sheet); border: 1px solid var(--line); border-top: 3px solid var(--color); border-radius: .5rem; padding: .8rem .9rem; }
.counts b { display: block; font-size: 2rem; line-height: 1.1; font-weight: 650; font-variant-numeric: tabular-nums; }
.counts span { color: var(--color); font-weight: 650; }
.group { background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem 1.2rem; margin-bottom: 1rem; }
.group > :last-child { margin-bottom: 0; }
.badge { display: inline-block; border: 1.5px solid var(--color); color: var(--color); border-radius: 2rem; padding: .12rem .65rem; font-size: .85rem; font-weight: 650; line-height: 1.35; white-space: nowrap; }
li, .badge { --color: var(--soft); }
.ready { --color: var(--good); }
.failed, .to_reuse_failed { --color: var(--bad); }
.invalid, .changed { --color: var(--warning); }
.needs_review, .unconfirmed { --color: var(--decide); }
.deferred, .not_ordered, .being_written, .not_saved, .not_reordered { --color: var(--later); }
table { border-collapse: collapse; width: 100%; font-size: .92rem; line-height: 1.45; background: var(--sheet); border: 1px solid var(--line); }
th { text-align: left; white-space: nowrap; font-size: .8rem; font-weight: 600; color: var(--soft); }
th, td { padding: .55rem .9rem; vertical-align: top; border-top: 1px solid var(--line); }
td p:last-child { margin-bottom: 0; }
td:nth-child(1) { font-variant-numeric: tabular-nums; color: var(--soft); white-space: nowrap; }
td:nth-child(2) { font-weight: 550; min-width: 12rem; }
td:nth-child(4) { min-width: 15rem; }
td:nth-child(5) { min-width: 16rem; }
@media (max-width: 60rem) {
	thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
	table, tbody { display: block; }
	tr { display: grid; grid-template-columns: 3rem 1fr; border-top: 1px solid var(--line); padding: .6rem .9rem; }
	td { grid-column: 2; border: 0; padding: .1rem 0; }
	td:nth-child(1) { grid-column: 1; grid-row: 1; }
	td:empty { display: none; }
}
@media print {
	body { background: none; }
	tr, .group { break-inside: avoid; }
}
`;
