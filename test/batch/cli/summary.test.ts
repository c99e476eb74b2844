import { summary } from '../../../batch/cli/summary';
import { plainPaint } from '../../../batch/cli/event-lines';
import { EXIT, Failure } from '../../../batch/failure';
import { noCounts } from '../../../batch/run/files/row-results';
import type { RunReport } from '../../../batch/run/end-run';

const NOW = Date.parse('2026-11-03T14:03:12Z');

function said(
	report: Partial<Omit<RunReport, 'counts'>> & { counts?: object },
	csv = 'products.csv',
	outDir = 'briefs',
	set = {},
) {
	const whole: RunReport = {
		exitCode: EXIT.ok,
		known: { failed: 0, invalid: 0 },
		end: null,
		failure: null,
		deferredBecause: 'the allowance is used up',
		isNews: true,
		...report,
		counts: { ...noCounts(), ...report.counts },
	};
	return summary(whole, csv, { outDir, max: 5, table: { set }, retryOptions: [] }, NOW, {
		paint: plainPaint,
	});
}

test.each([
	[
		{ failed: 1 },
		'     1 failed: see briefs/failed.csv; to order it anew: brief-batch retry products.csv',
	],
	[
		{ failed: 2 },
		'     2 failed: see briefs/failed.csv; to order them anew: brief-batch retry products.csv',
	],
	[{ invalid: 1 }, '     1 invalid: correct it in the CSV and run the same command again'],
	[{ invalid: 2 }, '     2 invalid: correct them in the CSV and run the same command again'],
	[{ parked: 1 }, '     1 parked: report.html says why, and what to do about it'],
	[
		{ deferred: 3 },
		'     3 deferred: the allowance is used up, run the same command again from 1 December 2026 (UTC)',
	],
	[{ pending: 2 }, '     2 pending: run the same command again to go on'],
	[{ duplicate: 1 }, '     1 duplicate: shares the brief of an earlier row'],
	[{ duplicate: 2 }, '     2 duplicates: share the brief of an earlier row'],
])('%j is told as it is, with what to do', (counts, line) => {
	expect(said({ counts })).toContain(line);
});

test('rows that are known are called so', () => {
	const counts = { failed: 2, invalid: 3 };
	const lines = said({ counts, known: { failed: 2, invalid: 1 } }).join('\n');
	expect(lines).toContain('2 failed, known: see');
	expect(lines).toContain('3 invalid, 1 of them known: correct them');
});

test('rows beyond --max are called so, and those behind a refused key get no advice of their own', () => {
	const counts = { pending: 2 };
	expect(said({ counts, end: 'max' })).toContain(
		'     2 pending: left for the next run (--max 5), run the same command again to go on',
	);
	const failure = new Failure('The key was refused (401).', 'Check it.', EXIT.refused);
	const lines = said({ counts, end: 'failure', failure });
	expect(lines).toContain('     2 pending: not ready yet, see below');
	expect(lines.slice(-2)).toEqual(['The key was refused (401).', 'Check it.']);
});

test('the command for failed rows can be pasted', () => {
	const lines = said({ counts: { failed: 1 } }, 'my "best" products.csv', 'client a');
	expect(lines.join('\n')).toContain(
		'brief-batch retry "my \\"best\\" products.csv" --out "client a"',
	);
});

test('the command to copy has what --set gave: without it the row would be another one', () => {
	const lines = said({ counts: { failed: 1 } }, 'a b.csv', 'out', { audience: 'Cat people' });
	expect(lines.join('\n')).toContain(
		'brief-batch retry "a b.csv" --out out --set "audience=Cat people"',
	);
});
