import { READ_TRIES } from '../assumptions';
import { PageWalk, type Lister } from './pages';
import type { Now } from '../api/ports';
import type { BriefSummary } from '../api/resources';
import { withRetries, type Retrying } from '../api/resend';
import { instantOf } from '../api/timestamps';

/** The briefs that the list showed down to an instant. */
export interface Listing {
	/** Newest first, with every older one on the pages that had to be read. */
	briefs: readonly BriefSummary[];
	/** True if every brief down to that instant is included. Only then does a missing brief prove anything. */
	isComplete: boolean;
	/** The time at which the first page was asked for, by the service's clock. Later briefs may be missing. */
	asOf: number;
}

/** Asks for a page again if its failure may pass, so that earlier pages need not be read again. */
export function patientLister(service: Lister, retrying: Omit<Retrying, 'limits'>): Lister {
	return {
		now: () => service.now(),
		briefs: (query, signal) =>
			withRetries(() => service.briefs(query, signal), { ...retrying, limits: READ_TRIES }),
	};
}

/** A reading of the list that can be continued further down later. */
class Reading {
	private readonly askedAt: number;
	/** Its begin, by the service's clock, as the answer to the first page says. */
	private begunAt: number | null = null;
	private readonly briefs: BriefSummary[] = [];
	private readonly walk: PageWalk;
	private reached = Infinity;
	/** The time at which its last page was read, by this machine's clock. */
	readAt: number;

	constructor(
		private readonly service: Lister,
		private readonly clock: Now,
		signal?: AbortSignal,
	) {
		this.askedAt = this.readAt = clock.now();
		this.walk = new PageWalk(service, { signal });
	}

	get asOf(): number {
		return this.begunAt ?? this.service.now();
	}

	/** Reads down to an instant: all briefs, if no time can be read. Throws what the walk throws. */
	async downTo(instant: number): Promise<Listing> {
		while (this.reached >= instant) {
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
			isComplete: isDown && this.walk.end !== 'broken_off',
			asOf: this.asOf,
		};
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

/** The age that a reading may have. */
interface Enough {
	/** The longest time since the reading ended, in milliseconds. */
	maxAge: number;
	/** The earliest begin of the reading, by the service's clock. */
	since?: number;
}

/**
 * One shared reading of the list, deep enough for the caller that needs the oldest brief, and read again only for
 * callers that it is too old for.
 */
export class SharedList {
	private reading: Reading | null = null;
	private turn: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly service: Lister,
		private readonly clock: Now,
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
		// A reading that failed in the middle is not continued.
		this.reading = null;
		const listing = await reading.downTo(instant);
		this.reading = reading;
		return listing;
	}
}
