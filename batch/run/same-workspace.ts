import { READ_TRIES, LIST_LAG_MS, LOOKED_BACK_MS } from '../../service/assumptions';
import { withRetries } from '../../service/api/resend';
import { fetchKnown } from '../../service/watch/whole-brief';
import { instantOf } from '../../service/api/timestamps';
import { createdAt, type Order, type Records } from '../folder/records';
import { Stop } from '../stop';
import type { Asking } from './request';

/** The briefs of the journal that must be unknown to the service before the key is held to be of another workspace. */
const LOOKED_FOR = 3;

/**
 * Makes sure that the API key belongs to the workspace of the journal's briefs: in another one its rows would be paid
 * for again. A key acts for one workspace, and its briefs are unknown in all others (docs/api.md section 4.4). If the
 * list shows one of them, nothing is asked.
 * @param listedBriefs the briefs that the service listed
 * @throws {Stop} if the service knows none of those that are looked for
 */
export async function checkWorkspace(
	records: Records,
	listedBriefs: ReadonlyArray<{ id: string }>,
	outDir: string,
	env: Asking,
): Promise<void> {
	const ordersWithBrief = records.all().filter(({ state }) => state.briefId !== null);
	const ids = new Set(listedBriefs.map(({ id }) => id));
	if (
		ordersWithBrief.length === 0 ||
		ordersWithBrief.some(({ state }) => ids.has(state.briefId ?? ''))
	)
		return;
	const missingIds: string[] = [];
	for (const record of toLookFor(ordersWithBrief)) {
		if (await isKnown(record, env)) return;
		missingIds.push(record.state.briefId ?? '');
	}
	throw new Stop(
		`The API key seems to be of another workspace: the service does not know the briefs in the folder ${outDir} (${missingIds.join(', ')}).`,
		'Nothing was ordered: use the key of their workspace, or another --out. If the briefs were deleted, take the finished rows out of the CSV and run the others with another --out.',
		'other_workspace',
	);
}

/** Says whether a brief is so young that the service must know it. Those of an old list it may have forgotten. */
export function hasYoungBrief(records: Records, now: number): boolean {
	return records.all().some((order) => {
		const created = order.state.briefId === null ? 0 : (instantOf(createdAt(order)) ?? Infinity);
		return created > now - LOOKED_BACK_MS;
	});
}

/**
 * Gives the newest brief first. The others are far from it, because people often delete briefs that were ordered one
 * after the other.
 */
function toLookFor(orders: readonly Order[]): Order[] {
	const last = orders.length - 1;
	const places = new Set(
		Array.from({ length: LOOKED_FOR }, (_, i) => last - Math.round((i * last) / (LOOKED_FOR - 1))),
	);
	return [...places].flatMap((place) => orders[place] ?? []);
}

async function isKnown(
	record: Order,
	{ service, clock, interruption: signal }: Asking,
): Promise<boolean> {
	const { lastTried, briefId } = record.state;
	const get = (id: string) =>
		withRetries(() => service.brief(id, signal), { clock, limits: READ_TRIES, signal });
	// A get may lag behind for a brief that was ordered a moment ago.
	const isLate = lastTried === null || service.now() - lastTried.service >= LIST_LAG_MS;
	const gets = isLate ? 1 : undefined;
	const fetching = { get, clock, signal };
	return (await fetchKnown(briefId ?? '', fetching, gets)) !== null;
}
