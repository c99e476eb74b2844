import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { HookCategory, Timestamp } from '../../service/api/resources';
import type { BriefingService } from '../../service/api/service';
import type { Output } from '../shared/items';
import type { ErrorText } from '../shared/node-errors';

interface StartMark {
	/** The time from which on events count, by the service's clock: of the activation, or of the last firing. */
	since: number;
}

export interface HooksState extends StartMark {
	/** The query that the rest is about. Missing, with the rest, if the service could not be read at activation. */
	query?: string;
	/** The last refresh of each list that was passed on. */
	times?: ListTimes;
	/** The number of the list that the next poll looks at. It goes up. */
	turn?: number;
	/** Videos whose hooks were in the list before, the latest last. */
	seenVideos?: string[];
}

export type ListTimes = Partial<Record<HookCategory | 'all', Timestamp | null>>;

export interface BriefsState extends StartMark {
	/** IDs of the newest briefs when this was saved. Missing if the service could not be read at activation. */
	knownIds?: string[];
	/** IDs of briefs that had not ended, or that had and could not be passed on yet: known ones, or older. */
	pending?: string[];
	/** The pending briefs whose end the list shows but the get does not, and since when (the service's time). */
	late?: Record<string, number>;
}

/** An event that a trigger waits for, with its parameters read. */
export interface PolledEvent {
	name: 'hooksRefreshed' | 'briefFinished';
	/** Polls once. Without a state it is the first time, and only takes the point to start from. */
	find(
		service: BriefingService,
		state: StartMark | undefined,
	): Promise<PollResult<StartMark, Output>>;
	/** Gets recent data for a test in the editor, one item at most. */
	findRecent(service: BriefingService): Promise<Output[]>;
	/** The answer to a test if there is none. */
	nothing: ErrorText;
	/** The service is asked at most once in this time, in milliseconds. */
	interval: number;
	/** True if publishing starts from now on, whatever has happened since the last time. */
	startsFromNow: boolean;
}

/** The findings of a poll. The state is unchanged if there is nothing to remember. */
export interface PollResult<S, Item = object> {
	items: Item[];
	state: S;
}

/** The time at which the service was asked, and from which it may be asked again, by this machine's clock. */
interface PollTimes {
	checkedAt: number;
	notBefore: number | null;
}

export interface Memory extends PollTimes {
	state: StartMark;
}

/**
 * Reads what a trigger remembers of an event between polls: the newest of its copies. n8n keeps one by the node's name,
 * or by its ID if polls are scheduled durably; the other is for a node that was renamed. n8n saves them at activation
 * and when something fires, not after a quiet poll (docs/n8n-behaviour.md, “A trigger's memory is saved at activation
 * and when it fires”), so they may need nothing that only a quiet poll has learnt.
 */
export function readMemory(
	context: IPollFunctions,
	event: PolledEvent['name'],
): Memory | undefined {
	const [memory] = placesOf(context, event)
		.flatMap(([data, name]) => (data[name] === undefined ? [] : [data[name] as unknown as Memory]))
		.sort((one, other) => other.checkedAt - one.checkedAt);
	const lastPoll = lastAsked.get(idOf(context, event));
	if (memory === undefined || lastPoll === undefined || lastPoll.checkedAt < memory.checkedAt)
		return memory;
	return { ...memory, ...lastPoll };
}

/**
 * n8n notices a change only when a property of the data itself is assigned (docs/n8n-behaviour.md, “Only assignments at
 * the top of the static data are seen”): a state is never altered, but replaced.
 */
export function remember(
	context: IPollFunctions,
	event: PolledEvent['name'],
	memory: Memory,
): void {
	for (const [data, name] of placesOf(context, event)) data[name] = memory;
	const { checkedAt, notBefore } = memory;
	lastAsked.set(idOf(context, event), { checkedAt, notBefore });
}

/** Polls of a durable schedule may get what was saved at the last firing, and would ask at each poll from then on. */
const lastAsked = new Map<string, PollTimes>();

function placesOf(
	context: IPollFunctions,
	event: PolledEvent['name'],
): Array<[IDataObject, string]> {
	return [
		[context.getWorkflowStaticData('node'), event],
		[context.getWorkflowStaticData('global'), `creatorBriefing/${idOf(context, event)}`],
	];
}

function idOf(context: IPollFunctions, event: PolledEvent['name']): string {
	return `${context.getWorkflow().id}/${context.getNode().id}/${event}`;
}
