import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { TRIGGER_PATIENCE_MS } from '../../service/assumptions';
import { nullIfUnknown, outcomeOf } from '../../service/api/outcome';
import { briefPages } from '../../service/list/pages';
import { isRunning, type Brief, type BriefSummary } from '../../service/api/resources';
import type { BriefingService } from '../../service/api/service';
import { instantOf } from '../../service/api/timestamps';
import { isWhole, NO_TEXT } from '../../service/watch/whole-brief';
import { markdownAsFile } from '../shared/brief-output';
import type { Output } from '../shared/items';
import { clock } from '../shared/node-clock';
import { inParallel, READS_AT_A_TIME } from '../shared/pace';
import { readOptions } from '../shared/properties';
import { simpleBrief } from '../shared/simplify';
import type { BriefsState, PolledEvent, PollResult } from './state';

/** So many of the newest briefs are remembered: the list is read until it meets them. */
const REMEMBERED_BRIEFS = 200;
/** The service's time is known from Date headers, which have whole seconds. */
const TIME_ERROR_MS = 1000;
/** A test looks at this many briefs for one whose text is there. */
const TRIED_IN_A_TEST = 3;

/** @param deadline time of this machine's clock until which a poll may ask for briefs one by one */
export function briefFinished(context: IPollFunctions, deadline: number): PolledEvent {
	const isSimple = context.getNodeParameter('simplify') === true;
	const options = context.getNodeParameter('options') as IDataObject;
	const outcome = context.getNodeParameter('outcome', 'both') as 'both' | 'failed' | 'ready';
	const isWanted = ({ status }: BriefSummary) => outcome === 'both' || status === outcome;
	const { markdownFile, outputDataFieldName } = readOptions(options);
	const shape = async (brief: Brief): Promise<Output> => {
		const json = isSimple ? simpleBrief(brief) : brief;
		if (!markdownFile || brief.markdown === null) return { json };
		const binary = await markdownAsFile(context, brief, brief.markdown, outputDataFieldName);
		return { json, binary };
	};
	return {
		name: 'briefFinished',
		find: async (service, state) => {
			const result = await findFinished(service, state, deadline);
			return { ...result, items: await Promise.all(result.items.filter(isWanted).map(shape)) };
		},
		findRecent: async (service) => {
			const briefs = await recentBriefs(service, isWanted, deadline);
			return await Promise.all(briefs.map(shape));
		},
		nothing: {
			message: 'The workspace has no finished brief yet',
			description:
				'Create one first, with the Creator Briefing node or in the vendor’s web app, and test again when it is ready.',
		},
		interval: 0,
		startsFromNow: options.whenPublishedAgain === 'fromNow',
	};
}

/**
 * Fires for each brief that has ended since the last firing. The list is in the order of creation, and briefs end in
 * another. So the list is read down to briefs that were there the last time: those above them are new. Briefs that had
 * been running then are remembered one by one. No clock is relied on.
 * @param state undefined at the first poll, which only takes the list as the point to start from
 * @param deadline time of this machine's clock until which briefs may be read
 */
async function findFinished(
	service: BriefingService,
	state: BriefsState | undefined,
	deadline: number,
): Promise<PollResult<BriefsState, Brief>> {
	const knownIds = new Set(state?.knownIds);
	const pendingIds = new Set(state?.pending);
	const briefs = await readList(service, knownIds, state);
	const summaries = new Map(briefs.map((brief) => [brief.id, brief]));
	// Unknown briefs above the last known one are new. In another workspace, or if none was known, only the time shows it.
	const lastKnown = briefs.findLastIndex(({ id }) => knownIds.has(id));
	const isNew = (brief: BriefSummary, place: number) =>
		!knownIds.has(brief.id) && (lastKnown < 0 ? isSince(brief, state) : place < lastKnown);
	const dueIds = briefs
		.filter((brief, place) => hasEnded(brief) && (pendingIds.has(brief.id) || isNew(brief, place)))
		.map(({ id }) => id);
	const absentIds = [...pendingIds].filter((id) => !summaries.has(id));
	const answers = await getBriefs(service, [...dueIds, ...absentIds], deadline);
	const isOver = (id: string) => {
		const brief = answers.get(id);
		return brief === null || (brief !== undefined && hasEnded(brief));
	};
	const endedIds = [...dueIds, ...absentIds.filter(isOver)];
	// An empty list after a list with briefs is not believed.
	const isUnchanged = briefs.length === 0 || lastKnown >= 0;
	if (state?.knownIds !== undefined && endedIds.length === 0 && isUnchanged)
		return { items: [], state };
	// A copy of the list that lags behind may show what was passed on as running.
	const wasPassedOn = (id: string) => knownIds.has(id) && !pendingIds.has(id);
	const runningIds = [...briefs, ...absentIds.flatMap((id) => answers.get(id) ?? [])]
		.filter((brief) => isRunning(brief) && !wasPassedOn(brief.id))
		.map(({ id }) => id);
	const unreadIds = [...dueIds, ...absentIds].filter((id) => !answers.has(id));
	const readIds = endedIds.filter((id) => answers.has(id));
	const lateBefore = new Map(Object.entries(state?.late ?? {}));
	const views = { summaries, answers };
	const { wholeBriefs, late } = splitLate(readIds, views, lateBefore, service.now());
	return {
		items: byEnd(wholeBriefs),
		state: {
			since: service.now(),
			knownIds: idsToKeep(briefs, state),
			pending: [...new Set([...runningIds, ...unreadIds, ...Object.keys(late)])],
			late,
		},
	};
}

/** Gives the IDs to remember. Those of before stay: a list that lags behind leaves out what was passed on. */
function idsToKeep(briefs: BriefSummary[], state: BriefsState | undefined): string[] {
	const ids = new Set([...briefs.map(({ id }) => id), ...(state?.knownIds ?? [])]);
	return [...ids].slice(0, REMEMBERED_BRIEFS);
}

/** Gets the brief that ended last, as a list of one at most. */
async function recentBriefs(
	service: BriefingService,
	isWanted: (brief: BriefSummary) => boolean,
	deadline: number,
): Promise<Brief[]> {
	const { data } = await service.briefs();
	const wantedBriefs = data.filter((brief) => hasEnded(brief) && isWanted(brief));
	const endedBriefs = byEnd(wantedBriefs).reverse().slice(0, TRIED_IN_A_TEST);
	for (const { id } of endedBriefs) {
		const brief = (await getBriefs(service, [id], deadline)).get(id);
		if (brief != null && isWhole(brief)) return [brief];
	}
	return [];
}

/** Reads the list until nothing can be new, usually one page. */
async function readList(
	service: BriefingService,
	knownIds: ReadonlySet<string>,
	state: BriefsState | undefined,
): Promise<BriefSummary[]> {
	const pendingIds = new Set(state?.pending);
	const briefs: BriefSummary[] = [];
	let pagesOfKnown = 0;
	for await (const page of briefPages(service)) {
		briefs.push(...page);
		for (const { id } of page) pendingIds.delete(id);
		if (knownIds.size === 0) {
			if (page.every((brief) => hasEnded(brief) && !isSince(brief, state))) break;
		} else if (pagesOfKnown > 0 || page.some(({ id }) => knownIds.has(id))) {
			// From here on a page costs as much as a get of one brief, so it is worth reading for several only.
			if (pendingIds.size <= pagesOfKnown + 1) break;
			pagesOfKnown += 1;
		}
	}
	return briefs;
}

function hasEnded(brief: BriefSummary): boolean {
	return !isRunning(brief);
}

function isSince(brief: BriefSummary, state: BriefsState | undefined): boolean {
	const end = instantOf(brief.finished_at) ?? instantOf(brief.created_at);
	if (state === undefined || end === null) return false;
	// A list that was read then did not show it, so in doubt it has ended since.
	return end >= state.since - (state.knownIds === undefined ? 0 : TIME_ERROR_MS);
}

function byEnd<T extends BriefSummary>(briefs: T[]): T[] {
	const end = (brief: Brief | BriefSummary) => instantOf(brief.finished_at) ?? 0;
	return [...briefs].sort((a, b) => end(a) - end(b));
}

/**
 * Gets these briefs; null for one that the service does not know. A poll has a limited time (docs/n8n-behaviour.md, “A
 * poll has a limited time”), so what is not read by the deadline, or after the first failure, or under a rate limit, is
 * missing, and left for the next poll. Throws if nothing could be read.
 */
async function getBriefs(
	service: BriefingService,
	ids: readonly string[],
	deadline: number,
): Promise<Map<string, Brief | null>> {
	const answers = new Map<string, Brief | null>();
	let failure: Error | undefined;
	const get = async (id: string) => {
		// Under a rate limit, met here or before, the service would sleep before its next request, and a poll must not.
		const mayAsk = clock.now() < deadline && service.rateLimit() === null;
		if (failure !== undefined || !mayAsk) return;
		const outcome = await outcomeOf(nullIfUnknown(service.brief(id)));
		if ('value' in outcome) answers.set(id, outcome.value);
		else failure = outcome.error;
	};
	await inParallel(ids, get, () => READS_AT_A_TIME);
	if (failure !== undefined && [...answers.values()].every((brief) => brief === null))
		throw failure;
	return answers;
}

interface BriefViews {
	summaries: ReadonlyMap<string, BriefSummary>;
	answers: ReadonlyMap<string, Brief | null>;
}

/**
 * Sorts briefs that are over into those to pass on and those to look at again in the next poll, because a get may lag
 * behind the list. A brief that is late for an hour is passed on as the list shows it, or forgotten if the list does
 * not show it either.
 * @param lateBefore those that were late at the last poll, and since when
 * @param now the service's time
 */
function splitLate(
	ids: readonly string[],
	{ summaries, answers }: BriefViews,
	lateBefore: ReadonlyMap<string, number>,
	now: number,
): { wholeBriefs: Brief[]; late: Record<string, number> } {
	const wholeBriefs: Brief[] = [];
	const late: Record<string, number> = {};
	for (const id of ids) {
		const brief = answers.get(id);
		const summary = summaries.get(id) ?? brief;
		const since = lateBefore.get(id) ?? instantOf(summary?.finished_at) ?? now;
		if (brief != null && isWhole(brief)) wholeBriefs.push(brief);
		else if (now - since <= TRIGGER_PATIENCE_MS) late[id] = since;
		else if (summary != null) wholeBriefs.push({ ...NO_TEXT, ...brief, ...summary });
	}
	return { wholeBriefs, late };
}
