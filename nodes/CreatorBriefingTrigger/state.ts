import type { HookCategory, Timestamp } from '../../service/resources';

/**
 * What a trigger remembers between polls. n8n saves it at activation and when something fires, not after a quiet poll
 * (docs/n8n-behaviour.md, “A trigger's memory is saved at activation and when it fires”), so nothing in it may be
 * needed that only a quiet poll has learnt. It is saved as JSON, and n8n notices a change only where a property of the
 * memory itself is assigned (docs/n8n-behaviour.md, “Only assignments at the top of the static data are seen”): a state
 * is never altered, but replaced.
 */
export interface StartMark {
	/** From when on events count, in the service's time: of the activation, or of the last firing. */
	since: number;
}

export interface HooksState extends StartMark {
	/** Missing where the service could not be read at activation. */
	refreshedAt?: Timestamp | null;
	/** The same of each list that is read: of each chosen category, or of all. Older versions kept the newest alone. */
	times?: ListTimes;
	/** Which of the lists the next poll looks at, as a number that goes up. */
	turn?: number;
	/** Videos whose hooks have been there before, the latest last. Older versions kept the hooks’ own IDs. */
	seen?: string[];
}

export type ListTimes = Partial<Record<HookCategory | 'all', Timestamp | null>>;

export interface BriefsState extends StartMark {
	/** IDs of the newest briefs when this was saved. Missing where the service could not be read at activation. */
	known?: string[];
	/** IDs of briefs that had not ended, or that had and could not be passed on yet: known ones, or older. */
	pending?: string[];
	/** The pending whose end the list shows and the get does not, and since when (the service's time). */
	late?: Record<string, number>;
}

/** What a poll found. The state is the one that came in where nothing is to be remembered. */
export interface PollResult<S, Item = object> {
	items: Item[];
	state: S;
}
