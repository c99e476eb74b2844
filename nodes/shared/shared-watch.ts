import { LIST_LAG_MS, NODE_OUTAGE_MS } from '../../service/assumptions';
import type { Connection } from '../../service/api/connection';
import { uuidFrom } from '../../service/input/key';
import { DEFAULT_POLL_INTERVAL, type PollInterval } from '../../service/api/poll-interval';
import { ConnectionGone, SendFailure, type Send } from '../../service/api/ports';
import type { BriefingService } from '../../service/api/service';
import { SharedList } from '../../service/list/brief-list';
import type { Lister } from '../../service/list/pages';
import { BriefPoller } from '../../service/watch/poller';
import { beginWait } from '../../service/watch/wait';
import { Workspace } from '../../service/watch/workspace';
import { clock } from './node-clock';
import { retryingReader } from './reader';
import { serviceAt } from './service-at';
import { WatchedList } from './watched-list';

/** An execution while it orders briefs or waits for them, and its way to the service, which ends with it. */
interface Participant {
	send: Send;
	interval: PollInterval;
	/** Aborted when the execution is stopped, and its requests with it. */
	signal?: AbortSignal;
}

/**
 * The watch over one workspace that all executions of this process share: slots are given out once, and one look serves
 * them all.
 */
export class SharedWatch {
	/** The first of them that is not stopped carries the next look. */
	readonly participants = new Set<Participant>();
	readonly service: BriefingService;
	readonly poller: BriefPoller;
	private readonly pages: SharedList;
	/** Aborted when the last of them has left. */
	readonly over = new AbortController();

	constructor(
		baseUrl: string,
		readonly workspace: Workspace,
		readonly list: WatchedList,
	) {
		const { participants } = this;
		const service = serviceAt(baseUrl, (request, signal) => this.send(request, signal));
		this.service = service;
		this.poller = new BriefPoller(service, clock, workspace, {
			// Read before each look, as executions come and go.
			get interval() {
				return shortestInterval(participants);
			},
			patience: NODE_OUTAGE_MS,
			onLook: (newestPage) => list.see(newestPage, service.now()),
		});
		this.pages = new SharedList(this.observedPages(), clock);
	}

	/** Reads page by page, with retries. A newest page serves those who wait, too. */
	private observedPages(): Lister {
		const { service, poller } = this;
		const reader = retryingReader(service);
		const briefs: Lister['briefs'] = async (query, signal) => {
			const askedAt = clock.now();
			const page = await reader.briefs(query, signal);
			if (query?.cursor === undefined) poller.observePage(page.data, clock.now() - askedAt);
			return page;
		};
		return { now: () => service.now(), briefs };
	}

	/** Brings the list up to date, whoever asked for it first. Throws ServiceError, and the signal's reason. */
	async readList(maxAge: number, signal?: AbortSignal): Promise<void> {
		const reading = this.list.upToDate(this.pages, maxAge, this.over.signal);
		await untilAborted(reading, signal);
	}

	/** Reads also the briefs that are too old to be used, once. Throws ServiceError, and the signal's reason. */
	async readToEnd(signal?: AbortSignal): Promise<void> {
		await untilAborted(this.list.toEnd(this.pages, this.over.signal), signal);
	}

	/** Sends a request that only reads. If it ends with the execution that carries it, another one sends it again. */
	async send(...[request, signal]: Parameters<Send>): ReturnType<Send> {
		const unfit = new Set<Participant>();
		let unsent = new SendFailure('no execution is left to send it', false);
		for (;;) {
			const carrier = [...this.participants].find((each) => !isStopped(each) && !unfit.has(each));
			if (carrier === undefined) throw unsent;
			const answer = await carrier.send(request, signal).catch((failure: unknown) => {
				signal?.throwIfAborted();
				if (isStopped(carrier) || !this.participants.has(carrier)) return null;
				if (failure instanceof ConnectionGone) {
					// Its execution ends with its next own request; the others may have the credential still.
					unfit.add(carrier);
					unsent = failure;
					return null;
				}
				// It may be cut off alone, by what its credential allows: the next request goes another way.
				this.participants.delete(carrier);
				this.participants.add(carrier);
				throw failure;
			});
			if (answer !== null) return answer;
		}
	}
}

function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	return beginWait<T>(clock, { signal }, ({ resolve, reject }) => {
		work.then(resolve, reject);
		return { onEnd: () => {}, timeout: () => new Error('It has no deadline') };
	});
}

/** One that is stopped still takes part until its work has ended. */
function isStopped({ signal }: Participant): boolean {
	return signal?.aborted === true;
}

/** The execution that wants to look most often decides. */
function shortestInterval(participants: Iterable<Participant>): PollInterval {
	const intervals = [...participants].map(({ interval }) => interval);
	const [first = DEFAULT_POLL_INTERVAL, ...others] = intervals;
	return others.reduce((a, b) => (b.shortest < a.shortest ? b : a), first);
}

const watches = new Map<string, SharedWatch>();

/**
 * The workspaces in which finished executions have ordered what the list may not show yet: it keeps its slots for the
 * next execution, as long as the list may lag behind.
 */
const remembered = new Map<string, { workspace: Workspace; since: number }>();

/** The lists of all workspaces in which this process has ordered or watched briefs. */
const lists = new Map<string, WatchedList>();

function listOf(name: string): WatchedList {
	const list = lists.get(name) ?? new WatchedList();
	lists.set(name, list);
	return list;
}

/**
 * Does the work of one execution with the watch of its workspace. With the last execution the watch is gone. The same
 * address and API key are the same workspace, whatever the credential is called.
 */
export async function withSharedWatch<T>(
	{ baseUrl, apiKey }: Connection,
	participant: Participant,
	work: (watch: SharedWatch) => Promise<T>,
): Promise<T> {
	// A hash, so that no key is kept.
	const name = uuidFrom('workspace', new URL(baseUrl).href, apiKey);
	const watch = watches.get(name) ?? new SharedWatch(baseUrl, recalled(name), listOf(name));
	const { participants, workspace } = watch;
	watches.set(name, watch);
	participants.add(participant);
	try {
		return await work(watch);
	} finally {
		participants.delete(participant);
		if (participants.size === 0) {
			watches.delete(name);
			watch.over.abort();
			if (workspace.isAheadOfList()) remembered.set(name, { workspace, since: clock.now() });
		}
	}
}

function recalled(name: string): Workspace {
	for (const [each, { since }] of remembered) {
		if (clock.now() - since > LIST_LAG_MS) remembered.delete(each);
	}
	const { workspace } = remembered.get(name) ?? { workspace: new Workspace() };
	remembered.delete(name);
	return workspace;
}
