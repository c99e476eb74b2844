import type { BriefInput } from '../../core/api/types';
import { quote } from '../../core/input/text';
import { makeFinding, type Finding, type NextStep } from '../../core/finding';
import { normalizeField } from '../../core/input/content';
import { INPUT_FIELDS } from '../../core/input/input-fields';
import type { CommandBuilder } from '../cli/command-line';
import type { RowMatch } from '../orders/match-rows';
import {
	hasPaid,
	type AcceptedState,
	type FailureReason,
	type OrderState,
	type UnconfirmedState,
} from '../orders/order';
import { MAX_ATTEMPTS } from '../plan/plan-rows';
import type { LeaveAction, PlannedRow } from '../plan/planned-row';
import { nameBriefs } from '../text';
import type { GroupName, OverviewRow } from './overview-row';

/* Every sentence about rows and their orders: what happened, then the commands that settle it. */

/** How sentences name commands and briefs. */
export interface Wording {
	readonly buildCommand: CommandBuilder;
	/** `Orders.shortenId` */
	readonly shortenId: (briefId: string) => string;
}

/** Returns what the rows of a group have in common, and the commands that settle all of them. */
export function describeGroup(
	group: GroupName,
	rows: readonly OverviewRow[],
	{ buildCommand: build }: Wording,
): Finding {
	const run = (text: string): NextStep => step(text, build('run'));
	const pick = (one: string, many: string) => (rows.length === 1 ? one : many);
	switch (group) {
		case 'to_order':
			return makeFinding('', run('To order one brief each:'));
		case 'needs_review':
			return makeFinding(
				`Nothing is ordered for ${pick('this row', 'these rows')} until you decide.`,
				...allowDamaged(rows, build),
			);
		case 'changed':
			return makeFinding(
				`Edited after ${pick('it was', 'they were')} ordered. Undo the edits, or choose:`,
				step(
					pick('To keep the current brief (free):', 'To keep the current briefs (free):'),
					build('run', '--accept-edits', join(rows)),
				),
				step(
					pick('To order a new brief:', 'To order new briefs, one each:'),
					build('run', '--reorder', join(rows)),
				),
			);
		case 'failed':
			return makeFinding('', ...retryFailed(rows, build));
		case 'invalid':
			return makeFinding(
				'',
				run(`Not ordered. Correct ${pick('this row', 'these rows')} in the CSV, then run:`),
			);
		case 'unconfirmed':
			return makeFinding(
				'',
				run(
					'The service did not answer. The next run looks for these briefs and orders only those that do not exist:',
				),
			);
		case 'not_reordered':
			return describeNotReordered(rows, build);
		case 'pending':
			return makeFinding('', run('Not finished yet, or left for a later run. To continue:'));
		case 'deferred':
			return makeFinding('', run('This month’s allowance is used up. Next month, run:'));
		case 'to_reuse':
		case 'removed':
		case 'replaced':
		case 'ready':
		case 'skipped':
			return makeFinding('');
	}
}

function step(text: string, ...commands: readonly string[]): NextStep {
	return { text, commands };
}

function join(rows: readonly OverviewRow[]): string {
	return rows.flatMap(({ number }) => number ?? []).join(',');
}

/** A single damaged row has its own command. */
function allowDamaged(rows: readonly OverviewRow[], build: CommandBuilder): NextStep[] {
	const damaged = rows.filter(({ isDamaged }) => isDamaged);
	if (damaged.length < 2) return [];
	const command = build('run', '--only', join(damaged), '--allow', 'damaged-rows');
	return [step('To order all damaged rows as they are:', command)];
}

/** Rows that `retry` skips have a command of their own. */
function retryFailed(rows: readonly OverviewRow[], build: CommandBuilder): NextStep[] {
	const retried = rows.filter(({ nextSteps }) => nextSteps.length === 0);
	// An order that the service rejected has no brief. Unchanged, it would be rejected again.
	const rejected = retried.filter(({ brief }) => brief === null);
	const failed = retried.length - rejected.length;
	const steps = [
		failed > 0 &&
			(failed === 1 ? 'To order it again (one brief):' : 'To order them again, one brief each:'),
		rejected.length > 0 &&
			`In the CSV, correct the ${rejected.length === 1 ? 'row' : 'rows'} that the service refused. Then:`,
	];
	return steps.flatMap((text) => (text === false ? [] : [step(text, build('retry'))]));
}

function describeNotReordered(rows: readonly OverviewRow[], build: CommandBuilder): Finding {
	const postponed = rows.filter(({ wasPostponed }) => wasPostponed);
	if (postponed.length === 0)
		return makeFinding(
			`You named ${rows.length === 1 ? 'this row' : 'these rows'}, but nothing had to be done.`,
		);
	const command = build('run', '--reorder', join(postponed));
	return makeFinding('', step('Not ordered again yet. To order them, one brief each:', command));
}

/** Returns why the row has its status, and the commands that settle this row alone. */
export function explainRow(planned: PlannedRow, wording: Wording): Finding {
	const { row, match, status, action, duplicateOf } = planned;
	if (duplicateOf !== null)
		return makeFinding(`Same content as row ${duplicateOf}, so both rows share one brief.`);
	if (status === 'invalid') return makeFinding(row.problems.join(' '));
	if (status === 'skipped') return makeFinding('');
	if (action.kind === 'order')
		return makeFinding(describeOtherBriefs(action.otherBriefIds, wording));
	if (action.kind === 'reuse') {
		const { id, status: briefStatus } = action.brief;
		const message = `Brief ${wording.shortenId(id)} in the workspace has this content, but it failed.`;
		return makeFinding(briefStatus === 'failed' ? message : '');
	}
	if (action.kind === 'leave' && action.reason !== null)
		return explainLeave(action, planned, wording);
	if (match.kind === 'new') return makeFinding('');
	if (status === 'changed') return makeFinding(describeChange(match.order.input, row.input));
	if (status === 'failed' && areAttemptsUsed(match))
		return explainLeave({ kind: 'leave', reason: 'attempts_used' }, planned, wording);
	return explainState(match.order.state, row.number, wording);
}

function describeOtherBriefs(briefIds: readonly string[], { shortenId }: Wording): string {
	if (briefIds.length === 0) return '';
	return `The workspace also has ${nameBriefs(briefIds.map(shortenId))} for this product, with other content.`;
}

function explainLeave(action: LeaveAction, { row, match }: PlannedRow, wording: Wording): Finding {
	const { buildCommand: build } = wording;
	const number = String(row.number);
	switch (action.reason) {
		case null:
			return makeFinding('');
		case 'hidden_input':
			return explainState({ kind: 'undecided', briefIds: action.briefIds }, row.number, wording);
		case 'damaged':
			return makeFinding(
				`The row looks damaged: ${row.warnings.join('; ')}.`,
				step(
					'Correct it in the CSV. To order this row as it is:',
					build('run', '--only', number, '--allow', 'damaged-rows'),
				),
			);
		case 'ordered_recently':
			return makeFinding('--reorder skipped the row: its brief is less than 24 hours old.');
		case 'not_finished':
			return makeFinding('--reorder skipped the row: its order is not finished yet.');
		case 'attempts_used': {
			const reason = match.kind === 'new' ? '' : describeState(match.order.state, wording);
			return makeFinding(
				`${reason} Three briefs for this content have failed, so \`retry\` skips the row.`.trim(),
				step('To order it anyway:', build('run', '--reorder', number)),
			);
		}
		case 'beyond_max':
			return makeFinding('Left for a later run: --max limits this run.');
		case 'beyond_allowance':
			return makeFinding('Left for next month: this month’s allowance is used up.');
		case 'stopped':
			return makeFinding('Left for a later run: this run ended early.');
	}
}

/** True if `retry` would skip the row. */
function areAttemptsUsed(match: RowMatch): boolean {
	return match.kind === 'same' && hasPaid(match.order) && match.order.attempt >= MAX_ATTEMPTS;
}

function explainState(state: OrderState, row: number, wording: Wording): Finding {
	return makeFinding(describeState(state, wording), ...listChoices(state, row, wording));
}

/** Returns what the user can do about an order that the program cannot settle. */
function listChoices(
	state: OrderState,
	row: number,
	{ buildCommand: build }: Wording,
): readonly NextStep[] {
	// Commands need whole IDs, so only the newest of many briefs have a command.
	const use = (text: string, briefIds: readonly string[]) => {
		const newest = briefIds.slice(0, MAX_BRIEF_COMMANDS);
		return step(text, ...newest.map((id) => build('run', '--use-brief', `${row}=${id}`)));
	};
	const useShown = (briefIds: readonly string[]) =>
		use(`To use ${briefIds.length === 1 ? 'this brief' : 'one of these briefs'} (free):`, briefIds);
	const useFound = use('If you find the brief in the web app, use it (free):', ['BRIEF_ID']);
	const reorder = (text: string) => step(text, build('run', '--reorder', String(row)));
	if (state.kind === 'undecided')
		return [useShown(state.briefIds), reorder('To order a new brief:')];
	if (state.kind === 'accepted' && state.review !== null)
		return [use('To use another brief (free):', ['BRIEF_ID']), reorder('To order a new brief:')];
	if (state.kind !== 'unconfirmed' || state.review === null) return [];
	const { review } = state;
	return [
		review.code === 'hidden_input' ? useShown(review.briefIds) : useFound,
		reorder('Otherwise, send the order again:'),
	];
}

const MAX_BRIEF_COMMANDS = 3;

/** Returns the reason for the state of an order; empty if the state says everything. */
export function describeState(state: OrderState, { shortenId }: Wording): string {
	switch (state.kind) {
		case 'unconfirmed':
			return describeUnconfirmed(state, shortenId);
		case 'accepted':
			return describeAccepted(state, shortenId);
		case 'failed':
			return describeFailure(state.reason);
		case 'undecided':
			return `The workspace has ${nameBriefs(state.briefIds.map(shortenId))} for this product, but ${describeHidden(state.briefIds)}.`;
		default:
			return '';
	}
}

function describeHidden({ length }: readonly string[]): string {
	return `the service does not show what ${length === 1 ? 'it was' : 'they were'} ordered for`;
}

function describeUnconfirmed(
	{ review, error }: UnconfirmedState,
	shortenId: Wording['shortenId'],
): string {
	if (review === null)
		return `The order got no usable answer, so its brief might have been created. ${error}`.trim();
	switch (review.code) {
		case 'no_answer':
			return `The order got no usable answer in three runs, so its brief might have been created. ${error}`.trim();
		case 'refused':
			return `The service refused the order, but an earlier request might have created its brief. ${error}`.trim();
		case 'other_brief':
			return `The service answered this order with brief ${shortenId(review.briefId)}, which has other content.`;
		case 'hidden_input':
			return `The order got no usable answer. It might have created ${nameBriefs(review.briefIds.map(shortenId))}, but ${describeHidden(review.briefIds)}.`;
	}
}

function describeAccepted(
	{ review, brief }: AcceptedState,
	shortenId: Wording['shortenId'],
): string {
	const name = `brief ${shortenId(brief.id)}`;
	switch (review) {
		case 'late':
			return `The service has been writing ${name} for more than a day (${brief.status}).`;
		case 'not_found':
			return `The service accepted the order but no longer knows ${name}. Contact the vendor’s support.`;
		case null:
			if (brief.status === 'ready') return '';
			return `The service is still writing ${name} (${brief.status}). The next run saves it.`;
	}
}

function describeFailure(reason: FailureReason): string {
	if (reason.code === 'rejected') return reason.message;
	return `The service could not write this brief (${reason.errorCode || 'no reason given'}).`;
}

/** Returns the service's code for a brief that failed, else the code of the reason. */
export function getErrorCode(reason: FailureReason): string {
	return (reason.code === 'generation_failed' && reason.errorCode) || reason.code;
}

/** Returns the fields that differ in more than their spelling: audience: was “Bakers”, now empty */
function describeChange(ordered: BriefInput, current: BriefInput): string {
	const show = (value: unknown) =>
		value === undefined ? 'empty' : quote([value].flat().join(' '));
	const differences = INPUT_FIELDS.flatMap((field) => {
		const [before, now] = [ordered[field], current[field]];
		const isSame = normalizeField(field, before) === normalizeField(field, now);
		return isSame ? [] : [`${field}: was ${show(before)}, now ${show(now)}`];
	});
	return differences.join('; ');
}
