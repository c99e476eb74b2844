import { MOST_LISTED, READ_TRIES } from './assumptions';
import { PageWalk } from './pages';
import type { Clock } from './ports';
import type { BriefSummary } from './resources';
import { withRetries, type Retrying } from './retry';
import type { BriefingService } from './service';
import { instantOf } from './timestamps';

/** What the list showed down to an instant. */
export interface Listing {
	/** Newest first, and with them every older one on the pages that had to be read. */
	briefs: readonly BriefSummary[];
	/** Whether every brief down to that instant is among them. Only then does it mean anything that one is not. */
	isComplete: boolean;
	/** When the first page was asked for, by the service's clock: what was created later may be missing. */
	asOf: number;
}

type Lister = Pick<BriefingService, 'briefs' | 'now'>;

/** Asks for a page again where its failure may pass, so that the pages before it need not be read again. */
export function patientLister(service: Lister, retrying: Omit<Retrying, 'limits'>): Lister {
	return {
		now: () => service.now(),
		briefs: (query, signal) =>
			withRetries(() => service.briefs(query, signal), { ...retrying, limits: READ_TRIES }),
	};
}

/** The list from one moment on, which can be read further down later. */
class Reading {
	private readonly askedAt: number;
	/** When that was, by the service's clock, as the answer to the first page tells it. */
	private begunAt: number | null = null;
	private readonly briefs: BriefSummary[] = [];
	private readonly walk: PageWalk;
	private reached = Infinity;
	/** When its last page was read, by this machine's clock. */
	readAt: number;

	constructor(
		private readonly service: Lister,
		private readonly clock: Pick<Clock, 'now'>,
		signal?: AbortSignal,
	) {
		this.askedAt = this.readAt = clock.now();
		this.walk = new PageWalk(service, { signal });
	}

	get asOf(): number {
		return this.begunAt ?? this.service.now();
	}

	/** All of them where no time can be read. Throws what the walk throws. */
	async downTo(instant: number): Promise<Listing> {
		while (this.reached >= instant && !this.isEndless) {
			const page = await this.walk.next();
			this.begunAt ??= this.service.now() - (this.clock.now() - this.askedAt);
			if (page === null) break;
			this.readAt = this.clock.now();
			this.briefs.push(...page);
			this.reached = Math.min(this.reached, instantOf(page.at(-1)?.created_at) ?? Infinity);
		}
		const isDown = this.reached < instant || this.walk.end === 'last_page';
		return {
			briefs: [...this.briefs],
			isComplete: isDown && this.walk.isSound,
			asOf: this.asOf,
		};
	}

	/** A service that makes up a new page for each cursor would be read for ever. */
	private get isEndless(): boolean {
		return this.briefs.length >= MOST_LISTED;
	}
}

/** Reads the list down to an instant of the service's time. Throws what `PageWalk.next` throws. */
export function briefsDownTo(
	service: Lister,
	instant: number,
	signal?: AbortSignal,
): Promise<Listing> {
	return new Reading(service, service, signal).downTo(instant);
}

/** Which reading of the list is young enough. */
interface Enough {
	/** How long ago it may have ended, in milliseconds. */
	maxAge: number;
	/** When it must have begun at the earliest, by the service's clock. */
	since?: number;
}

/**
 * The list for all who look for a brief in it: it is read once, as far down as the one needs who needs the oldest, and
 * read anew only for those to whom the last reading is too old.
 */
export class SharedList {
	private reading: Reading | null = null;
	private turn: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly service: Lister,
		private readonly clock: Pick<Clock, 'now'>,
	) {}

	downTo(instant: number, enough: Enough, signal?: AbortSignal): Promise<Listing> {
		const listing = this.turn.then(() => this.read(instant, enough, signal));
		this.turn = listing.catch(() => undefined);
		return listing;
	}

	private async read(
		instant: number,
		{ maxAge, since = -Infinity }: Enough,
		signal?: AbortSignal,
	): Promise<Listing> {
		const { reading: last } = this;
		const isEnough =
			last !== null && last.asOf >= since && this.clock.now() - last.readAt <= maxAge;
		const reading = isEnough ? last : new Reading(this.service, this.clock, signal);
		// What failed in the middle is not gone on with.
		this.reading = null;
		const listing = await reading.downTo(instant);
		this.reading = reading;
		return listing;
	}
}
