import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import {
	DEFAULT_POLL_INTERVAL,
	shortestAllowed,
	type PollInterval,
} from '../../service/api/poll-interval';
import type { Clock } from '../../service/api/ports';
import type { Brief } from '../../service/api/resources';
import type { BriefingService } from '../../service/api/service';
import type { MonthUse } from '../../service/list/allowance';
import type { WorkspaceList } from '../../service/order/brief-order';
import { fetchKnown } from '../../service/watch/whole-brief';
import type { BriefPoller } from '../../service/watch/poller';
import type { Workspace } from '../../service/watch/workspace';
import { clock } from './node-clock';
import { connectionOf } from './credential';
import { endSignal, isOutsideCall, OUTSIDE_CALL_MS } from './outside-call';
import { retryingReader, type Reader } from './reader';
import { gate, READS_AT_A_TIME } from './pace';
import { withSharedWatch, type SharedWatch } from './shared-watch';
import { serviceAt } from './service-at';
import { sendWith } from './transport';

/** The connection by which a node reads while it runs. */
export interface Session {
	reader: Reader;
	/** Aborted by Stop, by the workflow's timeout, and if the client of an outside call would give up. */
	signal?: AbortSignal | undefined;
}

/** The same with the means to order briefs or wait for them. The watch is shared with other executions. */
export interface WatchSession extends Session {
	/** The service of the reader, without its retries. */
	service: BriefingService;
	clock: Clock;
	/** The time of this machine's clock at which the waits of an outside call end; Infinity for all other callers. */
	callEnds: number;
	poller: BriefPoller;
	workspace: Workspace;
	list: SessionList;
}

/** The list that all executions share, and the gets of this one: each brief is got once in it. */
interface SessionList extends WorkspaceList {
	readonly monthUse: MonthUse;
	/** Brings it up to date, unless it was read less than `maxAge` ago (milliseconds). */
	upToDate(maxAge: number): Promise<void>;
}

export async function openSession(
	context: IExecuteFunctions | ILoadOptionsFunctions,
): Promise<Session> {
	const connection = await connectionOf(context);
	const service = serviceAt(connection.baseUrl, sendWith(context, connection));
	return { reader: retryingReader(service), signal: endSignal(context) };
}

/**
 * Does work that orders briefs or waits for them. An execution's own requests, such as creates, go its own way; looks
 * go the way of any execution that is there. Whatever ends the work, its waits end with it.
 */
export async function withWatchSession<T>(
	context: IExecuteFunctions,
	pollSeconds: number,
	work: (session: WatchSession) => Promise<T>,
): Promise<T> {
	const connection = await connectionOf(context);
	const send = sendWith(context, connection);
	const interval = pollInterval(pollSeconds, connection.baseUrl);
	const callEnds = isOutsideCall(context) ? clock.now() + OUTSIDE_CALL_MS : Infinity;
	const stopSignal = endSignal(context);
	const over = new AbortController();
	const signal = AbortSignal.any(stopSignal ? [stopSignal, over.signal] : [over.signal]);
	return await withSharedWatch(connection, { send, interval, signal: stopSignal }, (watch) => {
		const { poller, workspace } = watch;
		const service = watch.service.over(send);
		const reader = retryingReader(service);
		const list = sessionList(watch, { reader, signal });
		return work({ service, reader, clock, signal, callEnds, poller, workspace, list });
	}).finally(() => over.abort());
}

function sessionList(
	watch: SharedWatch,
	{ reader, signal }: Pick<WatchSession, 'reader'> & { signal: AbortSignal },
): SessionList {
	const inTurn = gate(() => READS_AT_A_TIME);
	const gets = new Map<string, Promise<Brief | null>>();
	const { list } = watch;
	return {
		briefs: list.briefs,
		monthUse: list.monthUse,
		get hasGap() {
			return list.hasGap;
		},
		upToDate: (maxAge) => watch.readList(maxAge, signal),
		read: async () => {
			await watch.readList(Infinity, signal);
			return list.asOf;
		},
		readToEnd: () => watch.readToEnd(signal),
		get: (id) => {
			const get = (id: string) => inTurn(() => reader.brief(id, signal));
			const got = gets.get(id) ?? fetchKnown(id, { get, clock, signal });
			gets.set(id, got);
			return got;
		},
	};
}

/** Gives the end of a wait of so many minutes, which that of the call may come before. */
export function waitDeadline({ callEnds }: WatchSession, minutes: number): number {
	return Math.min(clock.now() + minutes * 60_000, callEnds);
}

/** Gives the time between two looks, from a given number of seconds. */
export function pollInterval(seconds: number, baseUrl: string): PollInterval {
	const shortest = Math.max(seconds * 1000, shortestAllowed(baseUrl));
	const longest = Math.min(2 * shortest, DEFAULT_POLL_INTERVAL.longest);
	return { shortest, longest: Math.max(shortest, longest) };
}
