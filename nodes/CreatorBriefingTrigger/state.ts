import type { Timestamp } from '../../service/resources';

/**
 * What a trigger remembers between polls. n8n saves it at activation and when something fires, not after a quiet poll
 * (docs/n8n-behaviour.md, “A trigger's memory is saved at activation and when it fires”), so nothing in it may be needed that only a quiet poll has learnt. It is saved as JSON, and only what is
 * assigned at the top level is seen to have changed (0b.3): a state is never altered, but replaced.
 */
export interface StartMark {
	/** From when on events count, in the service's time: of the activation, or of the last firing. */
	since: number;
}

export interface HooksState extends StartMark {
	/** Missing where the service could not be read at activation. */
	refreshedAt?: Timestamp | null;
	/** IDs of hooks that have been there before, the latest last. */
	seen?: string[];
}

export interface BriefsState extends StartMark {
	/** IDs of the newest briefs when this was saved. Missing where the service could not be read at activation. */
	known?: string[];
	/** IDs among the known, or older, that had not ended, or had and could not be passed on yet. */
	pending?: string[];
	/** Since when (the service's time) those of the pending are waited for whose end the list shows and the get does not. */
	late?: Record<string, number>;
}

/** What a poll found. The state is the one that came in where nothing is to be remembered. */
export interface Found<S> {
	items: object[];
	state: S;
}
