import type { Row } from '../csv/table';
import { dayInWords } from '../../service/month';
import type { RowCounts } from '../run/plan/plan-counts';
import type { PlannedAs, PlannedRow } from '../run/plan/planned-rows';
import type { SummaryListener } from '../run/rows/summarise';
import { count } from '../text';
import type { Console } from './console';
import { lineFor, type Paint } from './event-lines';
import { oneLine, rowLabel } from './format';

/** More problems than this are counted and not shown: nobody reads them, and a million would fill the screen. */
const SHOWN_PROBLEMS = 50;
/** So many rows are few enough to be told one by one. */
const FEW = 20;
/** So many of each kind stand in the document for a machine. */
const IN_DOCUMENT = 1000;

/** Shows the rows that are invalid or duplicates while the CSV is read, as long as they are not too many. */
export class ProblemLines implements SummaryListener {
	private found = 0;

	constructor(private readonly console: Console) {}

	invalid({ number: row, problems }: Row): void {
		this.show(lineFor({ event: 'row_invalid', row, problems }, this.console.paint));
	}

	duplicate({ number: row }: Row, first_row: number): void {
		this.show(lineFor({ event: 'row_duplicate', row, first_row }, this.console.paint));
	}

	end(): void {
		const more = this.found - SHOWN_PROBLEMS;
		if (more > 0) this.console.say(`… and ${count(more, 'more row')} of these.`);
	}

	private show(line: string | null): void {
		this.found += 1;
		if (this.found <= SHOWN_PROBLEMS && line !== null) this.console.say(line);
	}
}

/**
 * Shows what a run would do, row by row in the order of the CSV. Of many rows that are alike some are enough: a forgotten
 * --set changes all of them. New and done rows are named only where they are few.
 */
export function showRows(rows: readonly PlannedRow[], counts: RowCounts, console: Console): void {
	const total: Record<PlannedAs, number> = {
		new: counts.fresh,
		changed: counts.changed,
		adopted: counts.adopted,
		unclear: counts.unclear,
		again: counts.again,
		under_way: counts.under_way,
		done: counts.done,
		failed: counts.failed,
		parked: counts.parked,
		// Shown already.
		invalid: 0,
		duplicate: 0,
	};
	if (total.new > FEW) total.new = 0;
	if (total.done > FEW) total.done = 0;
	const shown = new Map<PlannedAs, number>();
	for (const row of rows) {
		const place = (shown.get(row.is) ?? 0) + 1;
		shown.set(row.is, place);
		if (place <= Math.min(total[row.is], FEW)) console.say(lineOf(row, console.paint));
	}
	for (const [is, n] of Object.entries(total))
		if (n > FEW) console.say(`… and ${count(n - FEW, `more ${LABEL[is as PlannedAs]} row`)}.`);
}

/** The first rows of each kind, for a machine. The counts tell whether there are more. */
export function firstOfEach(rows: readonly PlannedRow[]): PlannedRow[] {
	const found = new Map<PlannedAs, number>();
	return rows.filter(({ is }) => {
		const place = (found.get(is) ?? 0) + 1;
		found.set(is, place);
		return place <= IN_DOCUMENT;
	});
}

const LABEL: Readonly<Record<PlannedAs, string>> = {
	new: 'new',
	changed: 'changed',
	adopted: 'adopted',
	unclear: 'unclear',
	again: 'ordered again',
	under_way: 'under way',
	done: 'done',
	failed: 'failed',
	parked: 'parked',
	invalid: 'invalid',
	duplicate: 'duplicate',
};

function lineOf({ row, product_name, is, ...facts }: PlannedRow, paint: Paint): string {
	const label = isQuiet(is) ? LABEL[is] : paint('yellow', LABEL[is]);
	const texts = [
		`${rowLabel(row)} ${label}`,
		oneLine(product_name, 60),
		...briefText(is, facts.brief_ids),
		...whenText(facts),
		...(facts.why === undefined ? [] : [oneLine(facts.why, 1000)]),
	];
	return texts.join('  ');
}

/** Whether a row is as somebody expects. */
function isQuiet(is: PlannedAs): boolean {
	return is === 'new' || is === 'done' || is === 'under_way';
}

function briefText(is: PlannedAs, ids: readonly string[] | undefined): string[] {
	if (ids === undefined) return [];
	const those = oneLine(ids.join(', '), 100);
	return [is === 'unclear' ? `perhaps brief ${those}` : `brief ${those}`];
}

function whenText({ ordered, deferred_until: until }: Partial<PlannedRow>): string[] {
	switch (ordered) {
		case undefined:
			return [];
		case 'now':
			return ['takes 1 brief'];
		case 'beyond_max':
			return ['left for the next run (--max)'];
		case 'deferred':
			return [
				until == null
					? 'deferred: nothing of the allowance may be used'
					: `deferred until ${dayInWords(Date.parse(until))} (UTC)`,
			];
	}
}
