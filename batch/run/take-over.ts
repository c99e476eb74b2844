import { ServiceError } from '../../service/api/errors';
import { commandFor } from '../command-text';
import { failureOf } from '../failure';
import { rowsText } from '../plan/asked-rows';
import { makePlan, orderOf, toOrderNow, type Plan } from '../plan/plan';
import { rowOrderOf } from '../plan/row-order';
import { count } from '../text';
import type { Lanes } from './lanes';
import { RowCarrier } from '../order/row-carrier';
import type { Run } from './prepare';
import { serviceFailure } from './service-failure';

/* What a run does with rows whose brief the list or results/ may show: it takes them over, or orders them again. */

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
		run.kept.briefs.has(run.journal.records.of(row, ordinal)?.brief_id ?? '');
	const kept = taken.filter(isKept);
	const listed = taken.filter((row) => !isKept(row));
	for (const text of [...takenText(kept, 'results/', run), ...takenText(listed, 'workspace', run)])
		run.emit({ event: 'notice', text });
}

function takenText(
	rows: readonly RowCarrier[],
	from: 'results/' | 'workspace',
	{ journal, outDir }: Run,
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

/**
 * With --order-again: gives the same rows another try with another key, and so to rows that were parked because of such a
 * brief or have taken it over. Rows that were ordered keep their brief.
 * @returns the plan after that
 */
export async function orderListedAgain(
	{ rows, source }: Plan,
	{ journal, tools, listed, ordering }: Run,
): Promise<Plan> {
	try {
		for (const planned of rows) {
			if (planned.todo !== 'order') continue;
			const { row, ordinal, isAgain } = planned;
			const order = orderOf(planned, source.batch);
			if (!isAgain && (await listed.find(order, row.input)).is === 'nothing') continue;
			const { generation } = order;
			const again = rowOrderOf(source.batch, row, ordinal, generation + 1);
			await journal.append({ type: 'restarted', ...again });
		}
	} catch (error) {
		const isOfService = error instanceof ServiceError;
		ordering.fail(isOfService ? serviceFailure(error, tools.service.now()) : failureOf(error));
	}
	return makePlan(source);
}
