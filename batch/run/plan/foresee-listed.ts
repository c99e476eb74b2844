import type { Listing } from '../../../service/brief-list';
import type { Clock } from '../../../service/ports';
import type { BriefingService } from '../../../service/service';
import type { Row } from '../../csv/table';
import type { Records } from '../../journal/records';
import { Claims } from '../order/claims';
import { ListedBriefs } from '../listed/listed-briefs';
import { hasListed, isNew, rowsIn, type OpenRow } from '../listed/open-rows';
import { lookForListed } from '../order/claims';
import { countRows, NOTHING_LISTED, type AgainCounts, type ListedCounts } from './plan-counts';
import type { RunRequest } from '../request';
import { keysOfGoneRows } from '../rows/gone-rows';
import type { Summary } from '../rows/summarise';

/** What a run would make of the rows whose product has a listed brief that no row of the journal has. */
export interface Foreseen {
	/** Rows that it would take over, each with its brief. */
	adopted: Array<{ row: Row; brief_id: string }>;
	/** Rows that it would park, with the briefs that may be their own. */
	unclear: Array<{ row: Row; ids: readonly string[] }>;
	/** How many of those two are changed rows. */
	changed: number;
	/** The rows that --order-again would order beside the new ones: taken over by an earlier run, or parked by it. */
	again: AgainCounts;
}

export const NOTHING_FORESEEN: Foreseen = {
	adopted: [],
	unclear: [],
	changed: 0,
	again: { done: 0, parked: 0 },
};

type Request = Pick<
	RunRequest,
	'table' | 'batch' | 'allowDuplicates' | 'orderChanged' | 'orderAgain' | 'interval'
>;

/** Looks for them as a run does (batch/run/listed/listed-rows.ts), with GETs only. */
export async function foreseeListed(
	request: Request,
	summary: Summary,
	records: Records,
	listing: Pick<Listing, 'briefs' | 'asOf'>,
	env: { service: BriefingService; clock: Clock; interruption: AbortSignal },
): Promise<Foreseen> {
	const foreseen = structuredClone(NOTHING_FORESEEN);
	if (request.orderAgain) {
		return { ...foreseen, again: countAgain(request, summary, records) };
	}
	const claims = new Claims(records, keysOfGoneRows(summary, records));
	const tools = { ...env, interval: request.interval, waiting: env.interruption, claims };
	const listed = new ListedBriefs(listing, tools);
	if (listed.isEmpty) return foreseen;
	const look = async ({ row, order }: OpenRow) =>
		(await lookForListed(order, row.input, { claims, listed })).look;
	const open: OpenRow[] = [];
	for (const one of rowsIn(request, summary, records, isNew)) {
		if (!listed.mayHave(one.order, one.row.input)) continue;
		const seen = await look(one);
		if (seen.is === 'unclear') open.push(one);
		if (seen.is !== 'found') continue;
		foreseen.adopted.push({ row: one.row, brief_id: seen.brief.id });
		foreseen.changed += isChanged(one);
	}
	// Whose brief none of these is can be told once the others have theirs.
	for (const one of open) {
		const seen = await look(one);
		if (seen.is !== 'unclear') continue;
		foreseen.unclear.push({ row: one.row, ids: seen.ids });
		foreseen.changed += isChanged(one);
	}
	return foreseen;
}

export function countListed({ adopted, unclear, changed, again }: Foreseen): ListedCounts {
	return { adopted: adopted.length, unclear: unclear.length, changed, again };
}

/** How many rows --order-again orders beside the new ones. */
function countAgain(request: Request, summary: Summary, records: Records): AgainCounts {
	const again = { done: 0, parked: 0 };
	for (const { fate } of rowsIn(request, summary, records, hasListed))
		if (fate !== 'new') again[fate] += 1;
	return again;
}

/**
 * How many rows a run is ready to order, how many of these it has to compare with listed briefs first, and how many are
 * at their end. It looks at no brief: what comes of that is known only once the rows of earlier runs have theirs.
 */
export function countReady(
	request: Request,
	summary: Summary,
	records: Records,
	listed: ListedBriefs,
): { ready: number; toCompare: number; ended: number } {
	if (request.orderAgain) {
		const again = countAgain(request, summary, records);
		const counts = countRows(summary, request, { ...NOTHING_LISTED, again });
		return { ready: counts.ready_to_go, toCompare: 0, ended: counts.done + counts.failed };
	}
	let toCompare = 0;
	if (!listed.isEmpty)
		for (const { order, row } of rowsIn(request, summary, records, isNew))
			if (listed.mayHave(order, row.input)) toCompare += 1;
	const { ready_to_go, done, failed } = countRows(summary, request);
	return { ready: ready_to_go - toCompare, toCompare, ended: done + failed };
}

function isChanged({ order }: OpenRow): 0 | 1 {
	return order.instead_of === undefined ? 0 : 1;
}
