import { LOOKED_BACK_DAYS } from '../../service/assumptions';
import type { Listing } from '../../service/list/brief-list';
import type { Look } from '../../service/order/shell';
import { countIf, makePlan, orderOf, type Plan, type PlannedRow } from '../plan/plan';
import { dayInWords } from '../../service/list/month';
import { instantOf } from '../../service/api/timestamps';
import type { Kept } from '../results/kept-briefs';
import { count } from '../text';
import { Claims } from '../order/claims';
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
	const listed = new ListedBriefs(listing, { ...env, claims: new Claims(known) });
	if (listed.size === 0) return { plan: known, notices: [] };
	const compared = makePlan({ ...source, mayBeListed: listed.mayHave });
	const open = compared.rows.filter(({ todo }) => todo === 'compare');
	const looks = new Map<number, Look>();
	const look = async (planned: PlannedRow) => {
		const { number, input } = planned.row;
		const order = orderOf(planned, source.batch);
		looks.set(number, (await listed.take(order, input)).look);
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
