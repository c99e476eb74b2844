import { LIST_LAG_MS, NODE_OUTAGE_MS } from '../../service/assumptions';
import type { Connection } from '../../service/connection';
import { uuidFrom } from '../../service/key';
import { DEFAULT_POLL_INTERVAL, type PollInterval } from '../../service/poll-interval';
import { BriefingService } from '../../service/service';
import { BriefPoller } from '../../service/watch/poller';
import { Workspace } from '../../service/watch/workspace';
import { clock } from './clock';
import { Relay, type Carrier } from './relay';

/** An execution while it orders briefs or waits for them. */
export interface Participant extends Carrier {
	interval: PollInterval;
}

/**
 * The watch over one workspace that all executions of this process share: slots are given out once, and one look serves
 * them all.
 */
export class SharedWatch {
	readonly participants: Set<Participant>;
	readonly service: BriefingService;
	readonly poller: BriefPoller;

	constructor(readonly workspace: Workspace) {
		const { send, carriers } = new Relay<Participant>();
		this.participants = carriers;
		this.service = new BriefingService(send, clock);
		this.poller = new BriefPoller(this.service, clock, workspace, {
			// Read before each look, as executions come and go.
			get interval() {
				return shortestInterval(carriers);
			},
			patience: NODE_OUTAGE_MS,
		});
	}
}

/** The execution that wants to look most often decides. */
function shortestInterval(participants: Iterable<Participant>): PollInterval {
	const intervals = [...participants].map(({ interval }) => interval);
	const [first = DEFAULT_POLL_INTERVAL, ...others] = intervals;
	return others.reduce((a, b) => (b.shortest < a.shortest ? b : a), first);
}

const watches = new Map<string, SharedWatch>();

/**
 * What finished executions have ordered, and the list may not show yet: it keeps its slots for the next execution, as
 * long as the list may lag behind.
 */
const remembered = new Map<string, { workspace: Workspace; since: number }>();

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
	const watch = watches.get(name) ?? new SharedWatch(recalled(name));
	const { participants, workspace } = watch;
	watches.set(name, watch);
	participants.add(participant);
	try {
		return await work(watch);
	} finally {
		participants.delete(participant);
		if (participants.size === 0) {
			watches.delete(name);
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
