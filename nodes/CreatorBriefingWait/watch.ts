import { IdMap } from '../../service/brief-id';
import { GET_LAG_MS } from '../../service/assumptions';
import { nullIfUnknown } from '../../service/outcome';
import type { Brief, BriefSummary } from '../../service/resources';
import { createdByOurClock } from '../../service/service-time';
import type { Session, WatchSession } from '../shared/session';
import { waitForBrief, type WaitUntil } from '../shared/wait-for-brief';

/** A brief to wait for, with what the item says about it. */
export interface Wanted {
	id: string;
	product_name: string;
	created_at: unknown;
}

export type Watched = { ended: Brief } | { thrown: unknown };

/** The age of a brief whose time is not known: it may be done, and no get lags behind any more. */
const LONG_AGO_MS = 5 * GET_LAG_MS;

/**
 * Waits for all of these briefs together: each is watched once, and one look at the list serves all of them. Gives what
 * came of each, by its ID, and never rejects.
 */
export async function watchBriefs(
	session: WatchSession,
	wanted: IdMap<Wanted>,
	minutes: number,
): Promise<IdMap<Watched>> {
	const { signal, clock } = session;
	const deadline = clock.now() + minutes * 60_000;
	try {
		const seen = await firstLook(session, [...wanted.keys()]);
		const now = clock.now();
		const watches = [...wanted.values()].map(async (brief) => {
			const known = seen.get(brief.id);
			const seenAt = known && now;
			const until = { signal, deadline, since: sinceWhen(session, known ?? brief), seenAt };
			return [brief.id, await watch(session, known ?? unseen(brief), until)] as const;
		});
		return new IdMap(await Promise.all(watches));
	} catch (thrown) {
		return new IdMap([...wanted.keys()].map((id) => [id, { thrown }]));
	}
}

/**
 * One request, whatever the number of briefs: it shows a wrong address or key at once, and which briefs are done
 * already. Briefs that it does not show are left to the looks that follow.
 */
async function firstLook({ reader, signal }: Session, ids: string[]): Promise<IdMap<BriefSummary>> {
	const [only] = ids;
	if (only === undefined) return new IdMap();
	if (ids.length > 1) {
		const { data } = await reader.briefs({}, signal);
		return new IdMap(data.map((brief) => [brief.id, brief]));
	}
	const brief = await nullIfUnknown(reader.brief(only, signal));
	return new IdMap(brief === null ? [] : [[only, brief]]);
}

async function watch(
	{ reader, poller }: WatchSession,
	brief: BriefSummary,
	until: WaitUntil,
): Promise<Watched> {
	try {
		return { ended: await waitForBrief(reader, poller, brief, until) };
	} catch (thrown) {
		return { thrown };
	}
}

/**
 * When a brief was created, by this machine's clock: a new one may be missing at first, and need not be looked at
 * often.
 */
function sinceWhen({ clock, service }: Session, brief: Pick<Wanted, 'created_at'>): number {
	return createdByOurClock(brief, service, clock) ?? clock.now() - LONG_AGO_MS;
}

/** A brief of which nothing but the ID is known. */
function unseen({ id, product_name }: Wanted): BriefSummary {
	const unknown = { title: null, created_at: '', updated_at: '', finished_at: null, url: '' };
	return { ...unknown, id, product_name, status: 'queued' };
}
