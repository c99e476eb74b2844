import { LOOKED_BACK_DAYS } from '../../../service/assumptions';
import type { Listing } from '../../../service/brief-list';
import type { Look } from '../../../service/order/shell';
import { ServiceError } from '../../../service/errors';
import {
	countIf,
	keysOfGoneRows,
	makePlan,
	orderOf,
	toOrderNow,
	type Plan,
	type PlannedRow,
	type PlanSource,
} from '../../plan/plan';
import { dayInWords } from '../../../service/month';
import { instantOf } from '../../../service/timestamps';
import { commandFor } from '../../command-text';
import { rowsText } from '../../plan/asked-rows';
import { rowOrderOf } from '../../plan/row-order';
import type { Kept } from '../../results/kept-briefs';
import { count } from '../../text';
import type { Run } from '../prepare';
import { diskFailure } from '../disk-failure';
import type { Lanes } from '../lanes';
import { Claims, lookForListed } from '../order/claims';
import { RowCarrier } from '../order/row-carrier';
import { serviceFailure } from '../service-failure';
import { ListedBriefs, type ListedTools } from './listed-briefs';

/*
 * Rows that another journal may have ordered, one that is lost, old or in another folder: the list shows a brief of
 * their product that no row has.
 */

/**
 * A plan with what the list and results/ show of its rows. Looks at their briefs as a run does, with GETs only.
 * @returns it, and what is to be said of these briefs
 */
export async function comparedWith(
	listing: Pick<Listing, 'briefs' | 'asOf'>,
	known: Plan,
	env: Omit<ListedTools, 'claims'>,
): Promise<{ plan: Plan; notices: string[] }> {
	const { source } = known;
	const claims = new Claims(source.records, keysOfGoneRows(known));
	const listed = new ListedBriefs(listing, { ...env, claims });
	const mayBeListed: PlanSource['mayBeListed'] = (row, input) => listed.mayHave(row, input);
	const open = makePlan({ ...source, mayBeListed }).rows.filter(({ todo }) => todo === 'compare');
	const looks = new Map<number, Look>();
	const look = async (planned: PlannedRow) => {
		const { number, input } = planned.row;
		const order = orderOf(planned, source.batch);
		looks.set(number, (await lookForListed(order, input, { claims, listed })).look);
	};
	for (const planned of open) await look(planned);
	// Only after the others have their briefs do we know which briefs belong to nobody.
	for (const planned of open)
		if (looks.get(planned.row.number)?.is === 'unclear') await look(planned);
	const plan = open.length === 0 ? known : makePlan({ ...source, looks });
	const isBack = ({ todo, briefIds: [id = ''] }: PlannedRow) =>
		todo === 'take_over' && env.kept.briefs.has(id);
	const back = countIf(plan.rows, isBack);
	const taken = `A run takes ${count(back, 'brief')} back from results/, which costs nothing.`;
	return { plan, notices: [...(back > 0 ? [taken] : []), ...olderText(plan, listed)] };
}

/** Takes over their briefs before anything is ordered, which costs nothing. */
export async function takeOverListed(
	{ rows, source }: Plan,
	run: Run,
	lanes: Lanes,
): Promise<void> {
	const toCompare = () =>
		rows
			.flatMap((planned) => toOrderNow(planned, source) ?? [])
			.filter(({ todo }) => todo === 'compare')
			.map((planned) => new RowCarrier(orderOf(planned, source.batch), planned.row.input, run));
	const taken: RowCarrier[] = [];
	// Only after the first are taken do we know which briefs belong to nobody.
	for (const orPark of [false, true])
		taken.push(...(await lanes.those(toCompare(), (row) => row.takeOver({ orPark }))));
	for (const row of taken) lanes.beside(row);
	const isKept = ({ rowOrder: { row, ordinal } }: RowCarrier) =>
		run.kept.briefs.has(run.store.journal.records.of(row, ordinal)?.brief_id ?? '');
	const kept = taken.filter(isKept);
	const listed = taken.filter((row) => !isKept(row));
	for (const text of [...takenText(kept, 'results/', run), ...takenText(listed, 'workspace', run)])
		run.emit({ event: 'notice', text });
}

function takenText(
	rows: readonly RowCarrier[],
	from: 'results/' | 'workspace',
	{ store: { journal, outDir } }: Run,
): string[] {
	const n = rows.length;
	if (n === 0) return [];
	const [were, them] = n === 1 ? ['was', 'it'] : ['were', 'them'];
	const what =
		from === 'results/'
			? `${count(n, 'brief')} ${were} taken back from results/`
			: `${count(n, 'row')} ${were} taken over: the workspace had a brief of the same content`;
	const numbers = rowsText(rows.map(({ rowOrder }) => rowOrder.row_number));
	const again = commandFor('run', journal.records, outDir, '--order-again', numbers);
	return [`${what}, so nothing is paid for ${them}. To order ${them} anyway: ${again}`];
}

/** What is said of .json files in results/ that are no briefs. */
export function othersText({ others }: Pick<Kept, 'others'>): string[] {
	if (others.length === 0) return [];
	const [them, are] = others.length === 1 ? ['it', 'is'] : ['they', 'are'];
	const named = others.slice(0, MOST_NAMED).join(', ');
	const more = others.length > MOST_NAMED ? ', …' : '';
	return [
		`${count(others.length, 'file')} in results/ ${are} left alone, because ${them} ${are} no finished brief: ${named}${more}`,
	];
}

const MOST_NAMED = 3;

/** Says which rows are ordered although the list shows a brief of their product, because that is too old. */
export function olderText({ rows }: Plan, listed: Pick<ListedBriefs, 'olderOf'>): string[] {
	const older = rows
		.filter(({ todo, record }) => todo === 'order' && record === undefined)
		.map(({ row }) => listed.olderOf(row.input))
		.filter((briefs) => briefs.length > 0);
	const times = older.flat().map(({ created_at }) => instantOf(created_at) ?? 0);
	if (times.length === 0) return [];
	const newest = dayInWords(Math.max(...times));
	return [
		`The workspace has older briefs of ${count(older.length, 'product')} in this list, the newest of ${newest}. Only briefs of the last ${LOOKED_BACK_DAYS} days are taken over, so these rows are ordered.`,
	];
}

/**
 * With --order-again: gives the same rows another try with another key, and so to rows that were parked because of such a
 * brief or have taken it over. Rows that were ordered keep their brief.
 * @returns the plan after that
 */
export async function orderListedAgain(
	{ rows, source }: Plan,
	{ store, tools, listed, ordering }: Run,
): Promise<Plan> {
	try {
		for (const planned of rows) {
			if (planned.todo !== 'order') continue;
			const { row, ordinal, isAgain } = planned;
			const order = orderOf(planned, source.batch);
			if (!isAgain && (await listed.find(order, row.input)).is === 'nothing') continue;
			const { generation } = order;
			const again = rowOrderOf(source.batch, row, ordinal, generation + 1);
			await store.journal.append({ type: 'restarted', ...again });
		}
	} catch (error) {
		const isOfService = error instanceof ServiceError;
		ordering.fail(isOfService ? serviceFailure(error, tools.service.now()) : diskFailure(error));
	}
	return makePlan(source);
}
