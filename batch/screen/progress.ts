import { SLOTS } from '../../service/api/limits';
import { isPaidFor, type RunEvent } from '../events';
import { noRows, type ListedStatus, type RowCounts } from '../folder/journal/row-status';

interface Slot {
	/** The key of the order that holds it. */
	key: string;
	/** Its row in the CSV. */
	row: number | undefined;
	product: string;
	status: string;
	since: number;
}

/** The state of a run for the live view. Events change it, and live-view.ts draws it. */
export interface Progress {
	/** The slots that this run may use, of the two of the workspace. */
	usable: number;
	/** The rows that this run orders, takes over or goes on with. */
	total: number;
	/** The rows that this run has finished, and the invalid ones. */
	counts: RowCounts;
	/** The briefs that are being written, in the order in which this run heard of them. */
	slots: readonly Slot[];
	/** The milliseconds that each brief took which this run ordered and fetched. */
	durations: readonly number[];
	/** Of the month; null if it is not known. */
	allowance: number | null;
	/** The briefs of the month, by everybody. */
	used: number;
	/** Briefs of others in the workspace that are being written. */
	othersRunning: number;
	/** The keys of the orders that were sent and have no answer yet. */
	sentKeys: ReadonlySet<string>;
}

export function noProgress(usable = SLOTS): Progress {
	return {
		usable,
		total: 0,
		counts: noRows(),
		slots: [],
		durations: [],
		allowance: 0,
		used: 0,
		othersRunning: 0,
		sentKeys: new Set(),
	};
}

/** Gives the state after an event. `now` in milliseconds. */
export function advance(progress: Progress, event: RunEvent, now: number): Progress {
	const without = (key: string) => progress.slots.filter((slot) => slot.key !== key);
	const finish = (key: string, how: ListedStatus): Progress => ({
		...progress,
		counts: { ...progress.counts, [how]: progress.counts[how] + 1 },
		slots: without(key),
	});
	switch (event.event) {
		case 'run_started': {
			const { to_create, to_compare = 0, to_resume, invalid, allowance, used } = event;
			return {
				...progress,
				total: to_create + to_compare + to_resume,
				counts: { ...progress.counts, invalid },
				allowance,
				used,
				othersRunning: event.others_running,
			};
		}
		case 'brief_ordered':
			return { ...progress, sentKeys: new Set([...progress.sentKeys, event.key]) };
		case 'brief_accepted': {
			const { key, row, product_name: product, status } = event;
			const slot = { key, row, product, status, since: now };
			return {
				...progress,
				slots: [...without(key), slot],
				sentKeys: new Set([...progress.sentKeys].filter((each) => each !== key)),
				used: progress.used + (isPaidFor(event, progress.sentKeys) ? 1 : 0),
			};
		}
		case 'brief_status':
			return {
				...progress,
				slots: progress.slots.map((slot) =>
					slot.key === event.key ? { ...slot, status: event.status } : slot,
				),
			};
		case 'brief_ready': {
			const durations =
				event.took_ms === null ? progress.durations : [...progress.durations, event.took_ms];
			return { ...finish(event.key, 'ready'), durations };
		}
		case 'row_failed':
			return finish(event.key, 'failed');
		case 'row_parked':
			return finish(event.key, 'parked');
		case 'others_running':
			return { ...progress, othersRunning: event.others_running };
		case 'allowance':
			return { ...progress, allowance: event.allowance, used: event.used };
		case 'run_ended':
		case 'row_invalid':
		case 'row_changed':
		case 'row_duplicate':
		case 'waiting':
		case 'waiting_for_slot':
		case 'notice':
		case 'interrupted':
			return progress;
	}
}
