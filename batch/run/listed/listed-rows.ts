import type { Listing } from '../../../service/brief-list';
import type { Look } from '../../../service/order/shell';
import { ServiceError } from '../../../service/errors';
import {
	keysOfGoneRows,
	makePlan,
	orderOf,
	toOrderNow,
	type Plan,
	type PlannedRow,
	type PlanSource,
} from '../../plan/plan';
import { rowOrderOf } from '../../plan/row-order';
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

/** A plan with what the list shows of its rows. Looks at their briefs as a run does, with GETs only. */
export async function comparedWith(
	listing: Pick<Listing, 'briefs' | 'asOf'>,
	{ source, ...known }: Plan,
	env: Omit<ListedTools, 'claims'>,
): Promise<Plan> {
	const claims = new Claims(source.records, keysOfGoneRows({ source, ...known }));
	const listed = new ListedBriefs(listing, { ...env, claims });
	const mayBeListed: PlanSource['mayBeListed'] = (order, input) => listed.mayHave(order, input);
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
	return makePlan({ ...source, looks });
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
	const taken = await lanes.takeOver(toCompare(), { orPark: false });
	// Only after these are taken do we know which briefs belong to nobody.
	taken.push(...(await lanes.takeOver(toCompare(), { orPark: true })));
	for (const row of taken) lanes.beside(row);
	if (taken.length === 0) return;
	const [were, them] = taken.length === 1 ? ['was', 'it'] : ['were', 'them'];
	const text = `${count(taken.length, 'row')} ${were} taken over: the workspace had a brief of the same content, so nothing is paid for ${them}. To order ${them} all the same: --order-again.`;
	run.emit({ event: 'notice', text });
}

/**
 * With --order-again: gives the same rows another try with another key, and so to rows that were parked because of such a
 * brief or have taken it over. Rows that were ordered keep their brief.
 * @returns the plan after that
 */
export async function startListedAnew(
	{ rows, source }: Plan,
	{ store, tools, listed, ordering }: Run,
): Promise<Plan> {
	try {
		for (const planned of rows) {
			if (planned.todo !== 'order') continue;
			const { row, ordinal, isAgain } = planned;
			const { generation } = orderOf(planned, source.batch);
			const mayHave = () => listed.mayHave({ generation }, row.input);
			if (!isAgain && !(mayHave() && (await listed.find(row.input)).is !== 'nothing')) continue;
			const again = rowOrderOf(source.batch, row, ordinal, generation + 1);
			await store.journal.append({ type: 'restarted', ...again });
		}
	} catch (error) {
		const isOfService = error instanceof ServiceError;
		ordering.fail(isOfService ? serviceFailure(error, tools.service.now()) : diskFailure(error));
	}
	return makePlan(source);
}
