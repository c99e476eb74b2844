import { isNews, isPaidFor, type Events, type RunEvent, type RunTotals } from '../events';

/** The end of a run names this many new briefs, and as many parked rows. */
const MOST_NEW = 10;

/** Adds the events of a run up. */
export class Totals {
	readonly sums: RunTotals = {
		paid: 0,
		taken_over: 0,
		fetched: 0,
		new_briefs: [],
		new_parked: [],
	};
	/** True if an order without an answer was put aside, be its row in the CSV or not. */
	isDoubtLeft = false;
	/** True if anything happened that no earlier run has reported. */
	isNews = false;
	/** The keys of the orders that were sent and have no answer yet. */
	private readonly sentKeys = new Set<string>();

	constructor(events: Events) {
		events.listen((event) => this.hear(event));
	}

	private hear(event: RunEvent): void {
		const { sums, sentKeys } = this;
		this.isNews ||= isNews(event);
		if (event.event === 'brief_ordered') sentKeys.add(event.key);
		if (event.event === 'brief_accepted') {
			if (event.taken_over === true) sums.taken_over += 1;
			else if (isPaidFor(event, sentKeys)) sums.paid += 1;
			sentKeys.delete(event.key);
		}
		if (event.event === 'row_parked' && event.known !== true) {
			this.isDoubtLeft ||= event.brief_id === null;
			if (sums.new_parked.length < MOST_NEW) sums.new_parked.push(event);
		}
		if (event.event === 'brief_ready') {
			const { brief_id, product_name, title, url } = event;
			sums.fetched += 1;
			if (sums.new_briefs.length < MOST_NEW)
				sums.new_briefs.push({ brief_id, product_name, title, url });
		}
	}
}
