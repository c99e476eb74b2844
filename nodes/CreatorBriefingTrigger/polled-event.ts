import type { ApiClient } from '../../core/api/client';
import type { Output } from '../shared/items';
import type { ErrorText } from '../shared/node-errors';

/** An event that starts the workflow, with its parameters read. */
export interface PolledEvent {
	readonly name: 'hooksRefreshed' | 'briefFinished';
	/**
	 * Polls once. The first poll has no state, and only saves where to start.
	 * @param isPublished whether the user has just published the workflow
	 * @throws {ServiceError}
	 */
	find(client: ApiClient, state: SavedState | undefined, isPublished: boolean): Promise<PollResult>;
	/** Returns at most one recent item for a test in the editor: the rest of the workflow runs for it, and can pay. */
	findRecent(client: ApiClient): Promise<Output[]>;
	/** Shown by a test that finds nothing. */
	readonly nothingFound: ErrorText;
	/** The service is polled at most once in this time. */
	readonly intervalMs: number;
}

export interface PollResult<S extends SavedState = SavedState, Item = Output> {
	readonly items: Item[];
	readonly state: S;
}

/**
 * The state of an event between polls. Only `since` is set if the service could not be read at activation. n8n saves a
 * state at activation and when it starts the workflow, not after a quiet poll (docs/architecture.md, “Polling triggers”), so a
 * state must not depend on what only a quiet poll has learned. It is replaced, never changed: n8n does not save a
 * change inside of it.
 */
export interface SavedState {
	/** Events count from this time on, by the service's clock. */
	readonly since: number;
}
