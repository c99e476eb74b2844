import type { BriefInput, BriefSummary } from '../../core/api/types';
import { joinSentences, quote } from '../../core/input/text';
import {
	makeFinding,
	makeStep,
	type CommandWords,
	type Finding,
	type NextStep,
} from '../../core/finding';
import { normalizeField } from '../../core/input/content';
import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';
import { hasPaid } from '../../core/orders/order';
import type { AcceptedState, FailedState, OrderState, UnconfirmedState } from '../orders/order';
import { formatDay } from '../../core/dates';
import { getCreationTime } from '../../core/workspace/brief-time';
import type { CommandBuilder } from '../plan/command-builder';
import { isPostponed, type LeaveReason } from '../plan/planned-row';
import { isUsable, type Row } from '../csv/types';
import { nameBriefs } from '../text';
import type { HiddenInput, OrderedState, RowState } from './row-state';

/* The sentences about single rows and their orders: what happened, then the commands that settle it. */

/** How sentences name commands and briefs. */
export interface Wording {
	readonly buildCommand: CommandBuilder;
	/** `Orders.shortenId` */
	readonly shortenId: (briefId: string) => string;
}

/**
 * Returns why the row has its state, and the commands that settle this row alone.
 * @param duplicateOf the row above with the same content; null if there is none
 */
export function explainState(
	state: RowState,
	row: Row,
	duplicateOf: number | null,
	wording: Wording,
): Finding {
	if (duplicateOf !== null)
		return makeFinding(`Same content as row ${duplicateOf}, so both rows share one brief.`);
	const number = String(row.number);
	const { buildCommand: build } = wording;
	switch (state.kind) {
		case 'invalid':
			return makeFinding(state.problems.join(' '));
		case 'to_order':
			return makeFinding(
				joinSentences(
					describeOtherBriefs(state.otherBriefIds, wording),
					describePassedOver(state.passedOverIds, wording),
				),
			);
		case 'to_reuse_failed':
			return makeFinding(describeReusedFailure(state.brief, wording));
		case 'damaged':
			return explainDamage(row.number, state.warnings, build);
		case 'hidden_input':
			return explainReview(state, row, wording);
		case 'edited':
			return explainEdit(state, row, wording);
		case 'not_saved':
			return makeFinding(joinSentences(describeEditSince(state, row), describeLeft(state)));
		case 'attempts_used':
			return makeFinding(
				joinSentences(
					describeState(state, wording),
					'Three briefs for this content have failed, so `retry` skips the row.',
				),
				makeStep('To order it anyway:', buildReorder(build, number)),
			);
		case 'failed':
		case 'refused':
			return makeFinding(
				joinSentences(
					describeState(state, wording),
					state.isEdited ? 'Edited since: `retry` sends the new text.' : '',
					describeLeft(state),
				),
			);
		default:
			return makeFinding(
				joinSentences(describeState(state, wording), describeLeft(state)),
				...listChoices(state, row.number, wording),
			);
	}
}

/** An edited row that the run has left is explained by both. */
function explainEdit(
	{ order, left, listedBriefId }: OrderedState,
	row: Row,
	{ buildCommand, shortenId }: Wording,
): Finding {
	const change = describeChange(order.input, row.input);
	if (listedBriefId !== null)
		return makeFinding(
			`${change}. The workspace has brief ${shortenId(listedBriefId)} with this text.`,
			makeStep(
				'To use it (orders nothing new):',
				buildCommand('run', '--use-brief', `${row.number}=${listedBriefId}`, '--max', '0'),
			),
		);
	if (left === 'damaged' && isUsable(row))
		return explainDamage(row.number, row.warnings, buildCommand);
	const reason = left === null ? '' : LEAVE_REASONS[left];
	return makeFinding(reason === '' ? change : `${change}. ${reason}`);
}

/** An order that is not ready keeps its state when its row is edited. */
function describeEditSince({ order, isEdited }: OrderedState, row: Row): string {
	return isEdited ? `Edited since: ${describeChange(order.input, row.input)}.` : '';
}

function explainDamage(
	number: number,
	warnings: readonly string[],
	build: CommandBuilder,
): Finding {
	return makeFinding(
		`The row looks damaged: ${warnings.join('; ')}.`,
		makeStep(
			'Correct it in the CSV. To order this row as it is:',
			build('run', '--only', String(number), '--allow', 'damaged-rows'),
		),
	);
}

/** Returns why the command has not ordered the row; empty if it was not asked to. */
function describeLeft(state: RowState): string {
	if ('left' in state) return state.left === null ? '' : LEAVE_REASONS[state.left];
	return isPostponed(state.kind) ? LEAVE_REASONS[state.kind] : '';
}

/** Empty where the state of the row says why. */
const LEAVE_REASONS: Readonly<Record<LeaveReason, string>> = {
	damaged: '',
	attempts_used: '',
	ordered_recently: 'Skipped by --reorder: the brief is less than 24 hours old.',
	not_finished: 'Skipped by --reorder: the order is not finished yet.',
	beyond_max: 'Beyond --max of this run.',
	beyond_allowance: 'This month’s allowance is not enough.',
	stopped: 'This run ended early.',
};

/** Returns the command that orders these rows again, and no others. */
export function buildReorder(build: CommandBuilder, rows: string): CommandWords {
	return build('run', '--only', rows, '--reorder', rows);
}

function describeOtherBriefs(briefIds: readonly string[], { shortenId }: Wording): string {
	if (briefIds.length === 0) return '';
	return `The workspace also has ${nameBriefs(briefIds.map(shortenId))} for this product, with other content.`;
}

function describePassedOver(briefIds: readonly string[], { shortenId }: Wording): string {
	if (briefIds.length === 0) return '';
	return `--reorder passes over ${nameBriefs(briefIds.map(shortenId))}, which might have the same content.`;
}

/** The user chooses among briefs that might be the row's. */
function explainReview({ briefIds, isSent }: HiddenInput, row: Row, wording: Wording): Finding {
	const { buildCommand: build } = wording;
	return makeFinding(
		describeReview(briefIds, isSent, wording),
		suggestBriefs(
			`To use ${briefIds.length === 1 ? 'this brief' : 'one of these briefs'} (orders nothing new):`,
			row.number,
			briefIds,
			build,
		),
		makeStep(
			isSent ? 'Otherwise, send the order again:' : 'To order a new brief:',
			buildReorder(build, String(row.number)),
		),
	);
}

/** Commands need whole IDs, so only the newest of many briefs have a command. */
function suggestBriefs(
	text: string,
	row: number,
	briefIds: readonly string[],
	build: CommandBuilder,
): NextStep {
	const newest = briefIds.slice(0, MAX_BRIEF_COMMANDS);
	return makeStep(
		text,
		...newest.map((id) => build('run', '--use-brief', `${row}=${id}`, '--max', '0')),
	);
}

/** Returns what the user can do about an order that the program cannot settle. */
function listChoices(
	state: RowState,
	row: number,
	{ buildCommand: build }: Wording,
): readonly NextStep[] {
	if (state.kind !== 'in_review') return [];
	const reorder = (text: string) => makeStep(text, buildReorder(build, String(row)));
	const use = (text: string) => suggestBriefs(text, row, ['BRIEF_ID'], build);
	return state.order.state.kind === 'accepted'
		? [use('To use another brief (orders nothing new):'), reorder('To order a new brief:')]
		: [
				use('If you find the brief in the web app, use it (orders nothing new):'),
				reorder('Otherwise, send the order again:'),
			];
}

const MAX_BRIEF_COMMANDS = 3;

/** Returns the reason for a state, without the row; empty if the state says everything. */
export function describeState(state: RowState, wording: Wording): string {
	if (state.kind === 'hidden_input') return describeReview(state.briefIds, state.isSent, wording);
	return 'order' in state ? describeOrderState(state.order.state, wording) : '';
}

/** Returns the reason for the state of an order; empty if the state says everything. */
export function describeOrderState(state: OrderState, wording: Wording): string {
	const { shortenId } = wording;
	switch (state.kind) {
		case 'unconfirmed':
			return describeUnconfirmed(state, shortenId);
		case 'accepted':
			return describeAccepted(state, shortenId);
		case 'failed':
			return describeFailure(state, wording);
		case 'rejected':
			return state.message;
		default:
			return '';
	}
}

/** @param isSent whether the row's order was sent, so that it might have created one of the briefs */
export function describeReview(
	briefIds: readonly string[],
	isSent: boolean,
	{ shortenId }: Wording,
): string {
	const names = nameBriefs(briefIds.map(shortenId));
	const [was, is] = briefIds.length === 1 ? ['it was', 'it is'] : ['they were', 'one of them is'];
	return isSent
		? `The order got no usable answer. It might have created ${names}: the service does not show for certain whether ${is} the order’s.`
		: `The workspace has ${names} for this product, but the service does not show what ${was} ordered for.`;
}

function describeUnconfirmed(
	{ review, error }: UnconfirmedState,
	shortenId: Wording['shortenId'],
): string {
	const answer = error === '' ? 'The order got no usable answer.' : error;
	if (review === null) return `${answer} Its brief might have been created.`;
	switch (review.code) {
		case 'no_answer':
			return `${answer} This happened in three runs. Its brief might have been created.`;
		case 'refused':
			return `${answer} An earlier request might have created its brief.`;
		case 'other_brief':
			return `The service answered this order with brief ${shortenId(review.briefId)}, which has other content.`;
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

function describeFailure({ errorCode, brief, source }: FailedState, wording: Wording): string {
	const code = errorCode || 'no reason given';
	if (!hasPaid(source)) return describeReusedFailure(brief, wording, ` (${code})`);
	return `The service could not write this brief (${code}).`;
}

/** The run has not ordered this brief, so the date shows which brief it is. */
function describeReusedFailure(brief: BriefSummary, { shortenId }: Wording, detail = ''): string {
	const createdAt = getCreationTime(brief);
	const date = Number.isFinite(createdAt) ? ` of ${formatDay(createdAt)}` : '';
	return `The workspace’s brief ${shortenId(brief.id)}${date} failed${detail}.`;
}

/** The error code of a row whose content the service refuses. */
const INVALID_INPUT = 'invalid_input';

/** Returns the service's code for a brief that failed, or the code of a rejected order; empty for other orders. */
export function getErrorCode(state: OrderState): string {
	if (state.kind === 'rejected') return state.isAboutRow ? INVALID_INPUT : state.kind;
	return state.kind === 'failed' ? state.errorCode || 'generation_failed' : '';
}

/** Returns what all rows have in common in which the same fields were edited; null for other rows. */
export function describeEdit(state: RowState, row: Row): string | null {
	if (state.kind !== 'edited') return null;
	return `Edited: ${findChangedFields(state.order.input, row.input).join(', ')}`;
}

/** Returns the fields that differ in more than their spelling. */
function findChangedFields(ordered: BriefInput, current: BriefInput): InputField[] {
	return INPUT_FIELDS.filter(
		(field) => normalizeField(field, ordered[field]) !== normalizeField(field, current[field]),
	);
}

/** Returns, for example, audience: was “Bakers”, now empty */
function describeChange(ordered: BriefInput, current: BriefInput): string {
	const show = (value: string | readonly string[] = '') => {
		const text = typeof value === 'string' ? value : value.join(' ');
		return text === '' ? 'empty' : quote(text);
	};
	const changes = findChangedFields(ordered, current).map(
		(field) => `${field}: was ${show(ordered[field])}, now ${show(current[field])}`,
	);
	return changes.join('; ');
}
