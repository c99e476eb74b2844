import { ServiceError } from '../../../service/errors';
import { count } from '../../text';
import type { ClassifiedRow } from '../rows/classify-rows';
import type { Dependencies } from '../dependencies';
import { diskFailure } from '../disk-failure';
import type { Lanes } from '../lanes';
import type { RunRequest } from '../request';
import { RowCarrier } from '../order/row-carrier';
import { rowOrderOf } from '../../plan/row-order';
import { serviceFailure } from '../service-failure';
import type { Summary } from '../rows/summarise';
import { hasListed, isNew, rowsIn } from './open-rows';

/**
 * Rows that were perhaps ordered before, with a journal that is lost, old or in another folder: the list shows a brief
 * of their product that no row has. That costs nothing: their briefs are taken over before anything is ordered.
 * @param isBegun the keys of what earlier runs sent, which was looked for already
 */
export async function takeOverListed(
	request: RunRequest,
	summary: Summary,
	run: Dependencies,
	lanes: Lanes,
	isBegun: ReadonlySet<string>,
): Promise<void> {
	if (run.listed.isEmpty) return;
	const taken = await lanes.takeOver(rowsToTakeOver(request, summary, run, isBegun), {
		orPark: false,
	});
	// Whose brief none of these is can be told once they are taken.
	const left = rowsToTakeOver(request, summary, run, isBegun);
	taken.push(...(await lanes.takeOver(left, { orPark: true })));
	for (const row of taken) lanes.beside(row);
	if (taken.length === 0) return;
	const [were, them] = taken.length === 1 ? ['was', 'it'] : ['were', 'them'];
	const text = `${count(taken.length, 'row')} ${were} taken over: the workspace had a brief of the same content, so nothing is paid for ${them}. To order ${them} all the same: --order-again.`;
	run.emit({ event: 'notice', text });
}

function rowsToTakeOver(
	request: RunRequest,
	summary: Summary,
	run: Dependencies,
	isBegun: ReadonlySet<string>,
): RowCarrier[] {
	const rows: RowCarrier[] = [];
	for (const { row, order } of rowsIn(request, summary, run.journal.records, isNew)) {
		const isNew = !isBegun.has(order.key);
		if (isNew && run.listed.mayHave(order, row.input))
			rows.push(new RowCarrier(order, row.input, run));
	}
	return rows;
}

/**
 * With --order-again: gives the same rows, and those that were parked because of such a brief or have taken it over, a new
 * start with another key. Rows that were ordered keep their brief.
 */
export async function startListedAnew(
	request: RunRequest,
	summary: Summary,
	run: Dependencies,
): Promise<void> {
	const { journal, listed, ordering, service } = run;
	const isInQuestion = (row: ClassifiedRow) => isNew(row) || hasListed(row);
	try {
		for (const classified of rowsIn(request, summary, journal.records, isInQuestion)) {
			const { row, order } = classified;
			const isListed =
				hasListed(classified) ||
				(listed.mayHave(order, row.input) && (await listed.find(row.input)).is !== 'nothing');
			if (!isListed) continue;
			const anew = rowOrderOf(request.batch, row, order.ordinal, order.generation + 1);
			await journal.append({ type: 'restarted', ...anew });
		}
	} catch (error) {
		const isOfService = error instanceof ServiceError;
		ordering.fail(isOfService ? serviceFailure(error, service.now()) : diskFailure(error));
	}
}
