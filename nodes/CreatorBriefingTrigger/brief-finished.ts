import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { ApiClient } from '../../core/api/client';
import { ServiceError } from '../../core/api/errors';
import { nullIfNotFound, toResult } from '../../core/api/retry';
import { parseTimestamp } from '../../core/api/timestamps';
import { isRunning, type Brief, type BriefSummary } from '../../core/api/types';
import { DAY_MS, LIST_LAG_MS } from '../../core/assumptions';
import { readBriefPages } from '../../core/workspace/brief-pages';
import { isComplete } from '../../core/workspace/brief-poller';
import { PARALLEL_READS, runInParallel } from '../../core/parallel';
import { toMarkdownFile } from '../shared/brief-output';
import type { Output } from '../shared/items';
import { clock } from '../shared/node-clock';
import { readOptions } from '../shared/properties';
import { NO_TEXT, simplifyBrief } from '../shared/simplify';
import type { PolledEvent, PollResult, SavedState } from './polled-event';

/**
 * Starts the workflow once for each brief that becomes ready or fails. The brief list is sorted by creation, and briefs
 * finish in another sequence. So the list is read down to a known brief, and unfinished briefs are remembered by ID:
 *
 *     saved: known a, b; pending b      list: c ready, b writing, a ready     passes on c
 *     saved: known a, b, c; pending b   list: c ready, b ready, a ready       passes on b
 *
 * The full brief can lag behind the list. Until it is complete, the brief stays pending. The list can lag, too: an unknown
 * brief is new if it has finished since the last poll, less that lag.
 */
interface BriefsState extends SavedState {
	/** IDs of the newest briefs. */
	readonly knownIds?: readonly string[];
	/** IDs of the briefs that had not finished, or could not be passed on yet. */
	readonly pendingIds?: readonly string[];
}

const MAX_KNOWN_BRIEFS = 200;
/** A full brief that is incomplete for longer than this is passed on as the list shows it. */
const MAX_BRIEF_LAG_MS = 60 * 60_000;
/** A workflow that is published after a weekend or a holiday catches up. Older briefs would be a flood of messages. */
const MAX_CATCH_UP_MS = 7 * DAY_MS;

/**
 * Reads the parameters of the event.
 * @param deadline no single brief is requested later, by this machine's clock
 */
export function readBriefFinished(context: IPollFunctions, deadline: number): PolledEvent {
	const isSimple = context.getNodeParameter('simplify') === true;
	const options = context.getNodeParameter('options') as IDataObject;
	const wantedStatus = context.getNodeParameter('outcome', 'both') as 'both' | 'failed' | 'ready';
	const isWanted = ({ status }: BriefSummary) => wantedStatus === 'both' || status === wantedStatus;
	const { markdownFile, outputDataFieldName } = readOptions(options);
	const toOutput = async (brief: Brief): Promise<Output> => {
		const json = isSimple ? simplifyBrief(brief) : brief;
		if (!markdownFile || brief.markdown === null) return { json };
		const binary = await toMarkdownFile(context, brief, brief.markdown, outputDataFieldName);
		return { json, binary };
	};
	return {
		name: 'briefFinished',
		find: async (client, state, isPublished) => {
			const result = await findFinished(client, { state, isPublished, deadline });
			return { ...result, items: await Promise.all(result.items.filter(isWanted).map(toOutput)) };
		},
		findRecent: async (client) => {
			const { data } = await client.listBriefs();
			const finished = data.filter((brief) => !isRunning(brief) && isWanted(brief));
			const [last] = finished.sort((a, b) => getFinishTime(b) - getFinishTime(a));
			const brief = last === undefined ? null : await nullIfNotFound(client.getBrief(last.id));
			return brief !== null && isComplete(brief) ? [await toOutput(brief)] : [];
		},
		nothingFound: {
			message: 'The workspace has no finished brief yet',
			description:
				'Create one first, with the Creator Briefing node or in the vendor’s web app, and test again when it is ready.',
		},
		intervalMs: 0,
	};
}

interface Search {
	readonly state: BriefsState | undefined;
	readonly isPublished: boolean;
	readonly deadline: number;
}

async function findFinished(
	client: ApiClient,
	{ state: saved, isPublished, deadline }: Search,
): Promise<PollResult<BriefsState, Brief>> {
	const startedAt = clock.now();
	const list = await readList(client, saved);
	const state = isPublished ? forgetOldBriefs(saved, client.now()) : saved;
	const ids = listUnreadIds(list, state);
	const briefs = await readBriefs(client, ids, deadline);
	const pendingIds = listRunningIds(list, state);
	const finished: Brief[] = [];
	for (const id of ids) {
		const result = decideBrief(list.get(id), briefs.get(id), client.now());
		if (result === 'pending') pendingIds.push(id);
		else if (result !== null) finished.push(result);
	}
	// Earlier IDs stay known: a list that lags behind omits briefs that were passed on.
	const knownIds = [...new Set([...list.keys(), ...(state?.knownIds ?? [])])];
	// A brief can finish while the list is read. The answers show the service's clock.
	const polledAt = client.now() - (clock.now() - startedAt);
	return {
		items: finished.sort((a, b) => getFinishTime(a) - getFinishTime(b)),
		state: {
			// The list might not have shown a brief that finished before this poll.
			since: Math.max(state?.since ?? 0, polledAt - LIST_LAG_MS),
			knownIds: knownIds.slice(0, MAX_KNOWN_BRIEFS),
			pendingIds,
		},
	};
}

/**
 * Returns a state in which only briefs that finished within the last seven days are new.
 * @param now the service's clock
 */
function forgetOldBriefs(state: BriefsState | undefined, now: number): BriefsState | undefined {
	const since = now - MAX_CATCH_UP_MS;
	if (state === undefined || state.since >= since) return state;
	const pendingIds = new Set(state.pendingIds);
	// The time when a pending brief finished shows whether it is new.
	return { since, knownIds: state.knownIds?.filter((id) => !pendingIds.has(id)) };
}

/** The newest briefs by ID, in the sequence of the list. */
type NewestBriefs = ReadonlyMap<string, BriefSummary>;

/**
 * Reads the list until no older brief can be new: usually one page.
 * @throws {ServiceError} if a page cannot be read
 */
async function readList(client: ApiClient, state: BriefsState | undefined): Promise<NewestBriefs> {
	const knownIds = new Set(state?.knownIds);
	const list: BriefSummary[] = [];
	for await (const page of readBriefPages((cursor) => client.listBriefs({ cursor }))) {
		list.push(...page);
		if (page.some(({ id }) => knownIds.has(id))) break;
		if (page.every((brief) => !isRunning(brief) && !isSince(brief, state))) break;
	}
	return new Map(list.map((brief) => [brief.id, brief]));
}

/** Returns the IDs of the briefs that have finished since the last poll, and of pending briefs that are not listed. */
function listUnreadIds(list: NewestBriefs, state: BriefsState | undefined): string[] {
	const knownIds = new Set(state?.knownIds);
	const pendingIds = new Set(state?.pendingIds);
	const isNew = (brief: BriefSummary) => !knownIds.has(brief.id) && isSince(brief, state);
	const listed = [...list.values()]
		.filter((brief) => pendingIds.has(brief.id) || isNew(brief))
		.filter((brief) => !isRunning(brief));
	const unlistedIds = [...pendingIds].filter((id) => !list.has(id));
	return [...listed.map(({ id }) => id), ...unlistedIds];
}

/** Returns the IDs of the running briefs, without briefs that were passed on before: a list can lag behind. */
function listRunningIds(list: NewestBriefs, state: BriefsState | undefined): string[] {
	const knownIds = new Set(state?.knownIds);
	const pendingIds = new Set(state?.pendingIds);
	const running = [...list.values()].filter(isRunning).map(({ id }) => id);
	return running.filter((id) => pendingIds.has(id) || !knownIds.has(id));
}

/**
 * Returns the brief to pass on, 'pending' if a later poll reads the brief again, or null if the workspace no longer has
 * the brief.
 * @param listed undefined if the newest pages do not show the brief
 * @param full undefined if the brief was not read; null if the service does not know it
 * @param now the service's clock
 */
function decideBrief(
	listed: BriefSummary | undefined,
	full: Brief | null | undefined,
	now: number,
): Brief | 'pending' | null {
	if (full === undefined) return 'pending';
	if (full !== null && isComplete(full)) return full;
	const newest = listed ?? full;
	if (newest === null) return null;
	return isOverdue(newest, now) ? { ...NO_TEXT, ...full, ...newest } : 'pending';
}

function isSince(brief: BriefSummary, state: BriefsState | undefined): boolean {
	const time = parseTimestamp(brief.finished_at) ?? parseTimestamp(brief.created_at);
	return state !== undefined && time !== null && time >= state.since;
}

function getFinishTime(brief: BriefSummary): number {
	return parseTimestamp(brief.finished_at) ?? 0;
}

/** @param now the service's clock */
function isOverdue(brief: BriefSummary, now: number): boolean {
	return !isRunning(brief) && now - getFinishTime(brief) > MAX_BRIEF_LAG_MS;
}

/**
 * Returns briefs by ID; null for a brief that the service does not know. Briefs that are not read by the deadline, or
 * after the first failure, are missing, and are left for the next poll.
 * @throws {ServiceError} if no brief could be read
 */
async function readBriefs(
	client: ApiClient,
	ids: readonly string[],
	deadline: number,
): Promise<Map<string, Brief | null>> {
	const briefs = new Map<string, Brief | null>();
	const errors: ServiceError[] = [];
	await runInParallel(ids, PARALLEL_READS, async (id) => {
		if (errors.length > 0 || clock.now() >= deadline) return;
		const result = await toResult(nullIfNotFound(client.getBrief(id)));
		if ('value' in result) briefs.set(id, result.value);
		else errors.push(result.error);
	});
	const [error] = errors;
	if (error !== undefined && briefs.size === 0) throw error;
	return briefs;
}
