import { problemsText } from '../csv/row';
import { listedCause } from '../order/park-cause';
import type { NextStep, Paragraph } from '../command-text';
import { dayInWords } from '../../service/list/month';
import { differencesText } from '../plan/change-text';
import {
	isHeldBack,
	lastOrder,
	rowStatus,
	type Plan,
	type PlannedRow,
	type PlanSource,
} from '../plan/plan';
import { ownNumberField } from '../plan/try';
import { groupBy } from '../group-by';
import { joinWords, whyFailed, wordsFor, type Words } from '../results/words';
import { placeOf, type RunRequest } from '../run/request';
import { count } from '../text';
import type { Console } from './console';
import { plainPaint, type Paint } from './event-lines';
import { FEW_ROWS, oneLine, paragraphs, productText, rowLabel } from './format';

/** The names of planned rows, in the counts and in the document for a machine: where a row is, or what a run does with it. */
const KINDS = [
	'new',
	/** Ordered before with other content. */
	'changed',
	/** Its brief is listed, and is taken over. */
	'taken_over',
	/** Taken over or parked before, and ordered now because of --order-again; or failed, and retried. */
	'again',
	/** Ordered by an earlier run, whose brief this one fetches. */
	'pending',
	'ready',
	'failed',
	/** Set aside by an earlier run, or by this one because a listed brief may be its own. */
	'parked',
	'invalid',
	'duplicate',
] as const;
type Kind = (typeof KINDS)[number];

export function kindOf(plannedRow: PlannedRow): Kind {
	const { todo, heldBy, again, sameAs } = plannedRow;
	if (sameAs !== undefined) return 'duplicate';
	if (again !== undefined && todo === 'order') return 'again';
	switch (todo) {
		case 'order':
			return heldBy === undefined ? 'new' : 'changed';
		case 'take_over':
			return 'taken_over';
		case 'park':
			return 'parked';
		case 'resume':
			return 'pending';
		case 'look':
		case 'nothing': {
			const status = rowStatus(plannedRow);
			return status === 'deferred' || status === 'pending' ? 'new' : status;
		}
	}
}

/** Gives how many rows there are of each kind. */
export function countKinds(rows: readonly PlannedRow[]): Record<Kind, number> {
	const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
	for (const row of rows) counts[kindOf(row)] += 1;
	return counts;
}

/** The lines that are printed in one write. */
const LINES_AT_ONCE = 1000;

/**
 * Shows what a run would do, row by row in the order of the CSV. A file or a program gets every row, a terminal the first
 * ones of each kind.
 */
export function showRows(plan: Plan, request: RunRequest, console: Console): void {
	const { rows } = plan;
	const most = console.isTerminal ? FEW_ROWS : Infinity;
	const groups = groupBy(rows, kindOf);
	const shownRows = new Set([...groups.values()].flatMap((group) => group.slice(0, most)));
	// A write for each row would take longer than all else.
	let lines: string[] = [];
	const sayLines = (command?: string) => {
		if (lines.length > 0) console.say({ text: lines.join('\n'), command });
		lines = [];
	};
	for (const row of rows) {
		if (!shownRows.has(row)) continue;
		const why = whyOf(row, request, plan.source);
		for (const paragraph of paragraphsOf(row, why, console.paint)) {
			lines.push(paragraph.text);
			if (paragraph.command !== undefined || lines.length === LINES_AT_ONCE)
				sayLines(paragraph.command);
		}
	}
	sayLines();
	for (const kind of KINDS) {
		const more = (groups.get(kind) ?? []).length - most;
		if (more > 0) console.say(`… and ${count(more, `more ${labelOf(kind)} row`)}.`);
	}
	if (shownRows.size < rows.length) console.say('Write them to a file to have all: add > plan.txt');
}

/**
 * Gives the rows that are about to be paid for, or the first and the last of them.
 * @param command that lists all of them
 */
export function paidLines(
	rows: readonly PlannedRow[],
	request: RunRequest,
	command: string,
): Paragraph[] {
	// Each of them takes a brief, so that need not be said of each.
	const lines = (some: readonly PlannedRow[]) =>
		some.flatMap((plannedRow) =>
			paragraphsOf({ ...plannedRow, when: undefined }, whyOf(plannedRow, request), plainPaint),
		);
	const hiddenRows = rows.length - FEW_ROWS;
	if (hiddenRows <= 0) return lines(rows);
	const half = FEW_ROWS / 2;
	const more = { text: `… ${count(hiddenRows, 'row')} more. All of them:`, command };
	return [...lines(rows.slice(0, half)), more, ...lines(rows.slice(-half))];
}

/** Gives the rows as `plan` prints them with --json. */
export function documentsOf({ rows, source }: Plan, request: RunRequest): object[] {
	return rows.map((plannedRow) => {
		const { row, when } = plannedRow;
		const brief_ids = briefIdsOf(plannedRow);
		const why = joinWords(whyOf(plannedRow, request, source));
		return {
			row: row.number,
			product_name: row.input.product_name,
			...ownNumberField(row.ownNumber),
			is: kindOf(plannedRow),
			...(brief_ids.length === 0 ? {} : { brief_ids }),
			...(why === '' ? {} : { why }),
			...(when === undefined ? {} : { ordered: when.is }),
			...(when?.is === 'deferred' ? { deferred_until: when.until } : {}),
		};
	});
}

function labelOf(kind: Kind): string {
	return kind === 'again' ? 'ordered again' : kind.replace('_', ' ');
}

function paragraphsOf(plannedRow: PlannedRow, why: Words, paint: Paint): NextStep[] {
	const { row } = plannedRow;
	const kind = kindOf(plannedRow);
	const label = plannedRow.again === 'retry' ? 'another try' : labelOf(kind);
	const isQuiet = kind === 'new' || kind === 'ready' || kind === 'pending';
	const ids = oneLine(briefIdsOf(plannedRow).join(', '), 100);
	const texts = [
		`${rowLabel(row.number)} ${isQuiet ? label : paint('yellow', label)}`,
		productText({ product_name: row.input.product_name, own_number: row.ownNumber }),
		...(ids === '' || plannedRow.todo === 'park' ? [] : [`brief ${ids}`]),
		...whenText(plannedRow),
	];
	return paragraphs(texts.join('  '), why);
}

/** Its brief, or those that may be its own. */
function briefIdsOf({ record, again, sameAs, briefIds }: PlannedRow): readonly string[] {
	if (again !== undefined || sameAs !== undefined) return [];
	const briefId = record?.state.briefId ?? null;
	return briefId === null ? briefIds : [briefId];
}

/** Gives what differs, what failed, or what is wrong with it. */
function whyOf(plannedRow: PlannedRow, request: RunRequest, source?: PlanSource): Words {
	const { row, record, todo, heldBy, again, sameAs } = plannedRow;
	const words = (what: string) => ({ what, next: [] });
	if (sameAs !== undefined) return words(`same content as row ${sameAs.row.number}`);
	if (row.problems.length > 0) return words(problemsText(row));
	if (again === 'retry') {
		const tries = lastOrder(plannedRow)?.try ?? 1;
		return words(tries > 1 ? `tried ${tries} times already` : '');
	}
	if (kindOf(plannedRow) === 'changed' && heldBy !== undefined)
		return words(differencesText(row, heldBy, request.table.set));
	if (isHeldBack(plannedRow) && heldBy !== undefined)
		return words(`failed before, and edited since: ${whyFailed(heldBy)}`);
	const place = placeOf(request, request.typedToBegin);
	const { number, ownNumber: own_number } = row;
	const { product_name } = row.input;
	const shownRow = { row: number, own_number, product_name };
	if (todo === 'park' && source !== undefined) {
		const cause = listedCause(source.looks?.get(number) ?? null, row.input, source.records);
		return wordsFor(cause, { ...shownRow, brief_id: null }, place);
	}
	const isKnown = todo === 'resume' || todo === 'look' || todo === 'nothing';
	if (!isKnown || record?.cause == null) return words('');
	return wordsFor(record.cause, { ...shownRow, brief_id: record.state.briefId }, place);
}

function whenText({ when }: PlannedRow): string[] {
	switch (when?.is) {
		case undefined:
			return [];
		case 'now':
			return ['takes 1 brief'];
		case 'beyond_max':
			return ['left for the next run (--max)'];
		case 'deferred':
			return [
				when.until === null
					? 'deferred: nothing of the allowance may be used'
					: `deferred until ${dayInWords(Date.parse(when.until))} (UTC)`,
			];
	}
}
