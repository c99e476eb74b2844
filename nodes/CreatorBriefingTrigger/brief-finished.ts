import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { ApiClient } from '../../core/api/client';
import { ServiceError } from '../../core/api/errors';
import { nullIfNotFound, toResult } from '../../core/api/retry';
import { parseTimestamp } from '../../core/api/timestamps';
import { isRunning, type Brief, type BriefSummary } from '../../core/api/types';
import { isComplete } from '../../core/workspace/brief-poller';
import { NO_TEXT, toMarkdownFile } from '../shared/brief-output';
import type { Output } from '../shared/items';
import { clock } from '../shared/node-clock';
import { readOptions } from '../shared/properties';
import { PARALLEL_READS, runInParallel } from '../shared/run-in-parallel';
import { simplifyBrief } from '../shared/simplify';
import type { PolledEvent, PollResult, SavedState } from './polled-event';

/**
 * Starts the workflow once for each brief that becomes ready or fails. The brief list is sorted by creation, and briefs
 * finish in another sequence. So the list is read down to a known brief, and unfinished briefs are remembered by ID:
 *
 *     saved: known a, b; pending b      list: c ready, b writing, a ready     passes on c
 *     saved: known a, b, c; pending b   list: c ready, b ready, a ready       passes on b
 *
 * The full brief can lag behind the list. Until it is complete, the brief stays pending.
 */
export interface BriefsState extends SavedState {
	/** IDs of the newest briefs. */
	readonly knownIds?: readonly string[];
	/** IDs of the briefs that had not finished, or could not be passed on yet. */
	readonly pendingIds?: readonly string[];
}

const MAX_KNOWN_BRIEFS = 200;
/** A full brief that is incomplete for longer than this is passed on as the list shows it. */
const MAX_BRIEF_LAG_MS = 60 * 60_000;

/** @param deadline no single brief is requested later, by this machine's clock */
export function briefFinished(context: IPollFunctions, deadline: number): PolledEvent {
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
		find: async (client, state) => {
			const result = await findFinished(client, state, deadline);
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
		startsFromNow: options.whenPublishedAgain === 'fromNow',
	};
}

async function findFinished(
	client: ApiClient,
	state: BriefsState | undefined,
	deadline: number,
): Promise<PollResult<BriefsState, Brief>> {
	const startedAt = clock.now();
	const knownIds = new Set(state?.knownIds);
	const pendingIds = new Set(state?.pendingIds);
	const summaries = await readList(client, knownIds, state);
	const list = [...summaries.values()];
	const lastKnown = list.findLastIndex(({ id }) => knownIds.has(id));
	// In another workspace, or if no brief is known, only the time shows what is new.
	const isNew = (brief: BriefSummary, index: number) =>
		!knownIds.has(brief.id) && (lastKnown < 0 ? isSince(brief, state) : index < lastKnown);
	const listedIds = list
		.filter((brief, index) => pendingIds.has(brief.id) || isNew(brief, index))
		.filter((brief) => !isRunning(brief))
		.map(({ id }) => id);
	const unlistedIds = [...pendingIds].filter((id) => !summaries.has(id));
	const briefs = await readBriefs(client, [...listedIds, ...unlistedIds], deadline);
	// A list that lags behind can show a brief as running that was passed on before.
	const wasPassedOn = ({ id }: BriefSummary) => knownIds.has(id) && !pendingIds.has(id);
	const running = list.filter((brief) => isRunning(brief) && !wasPassedOn(brief));
	const nextPendingIds = running.map(({ id }) => id);
	const finished: Brief[] = [];
	for (const id of [...listedIds, ...unlistedIds]) {
		const brief = briefs.get(id);
		const newest = summaries.get(id) ?? brief;
		// The workspace no longer has this brief.
		if (newest === null) continue;
		if (newest === undefined || brief === undefined) nextPendingIds.push(id);
		else if (brief !== null && isComplete(brief)) finished.push(brief);
		else if (isOverdue(newest, client.now())) finished.push({ ...NO_TEXT, ...brief, ...newest });
		else nextPendingIds.push(id);
	}
	// Earlier IDs stay known: a list that lags behind omits briefs that were passed on.
	const nextKnownIds = [...new Set([...summaries.keys(), ...knownIds])].slice(0, MAX_KNOWN_BRIEFS);
	// A brief can finish while the list is read. The answers show the service's clock.
	const since = client.now() - (clock.now() - startedAt);
	return {
		items: finished.sort((a, b) => getFinishTime(a) - getFinishTime(b)),
		state: { since, knownIds: nextKnownIds, pendingIds: nextPendingIds },
	};
}

/**
 * Returns the newest briefs in the sequence of the list, until no older brief can be new: usually one page.
 * @throws {ServiceError} if paging repeats itself
 */
async function readList(
	client: ApiClient,
	knownIds: ReadonlySet<string>,
	state: BriefsState | undefined,
): Promise<Map<string, BriefSummary>> {
	const list = new Map<string, BriefSummary>();
	let cursor: string | undefined;
	do {
		const { data, next_cursor } = await client.listBriefs({ cursor });
		const { size } = list;
		for (const brief of data) if (!list.has(brief.id)) list.set(brief.id, brief);
		if (list.size === size && next_cursor !== null)
			throw new ServiceError({ kind: 'list_unreadable', operation: 'list_briefs' });
		cursor = next_cursor ?? undefined;
		if (data.some(({ id }) => knownIds.has(id))) break;
		if (data.every((brief) => !isRunning(brief) && !isSince(brief, state))) break;
	} while (cursor !== undefined);
	return list;
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
