import { isNews, type Events, type NewBrief, type NewlyParked, type RunEvent } from '../events';

/** What events add up to. */
export interface RunTotals {
	/** How many briefs this run has paid for. */
	paid: number;
	/** How many briefs became a row's for nothing. */
	takenOver: number;
	/** How many briefs became ready and were fetched, whichever run paid for them. */
	fetched: number;
	/** The first of these. */
	newest: readonly NewBrief[];
	/** The first rows that were parked and that no earlier run has reported. */
	parked: readonly NewlyParked[];
	/** Whether an order without an answer was put aside, be its row in the CSV or not. */
	isDoubtLeft: boolean;
	/** Whether anything happened that no earlier run has reported. */
	isNews: boolean;
}

/** The end of a run names this many new briefs, and as many parked rows. */
const MOST_NEW = 10;

/** Adds the events of a run up. */
export class Totals implements RunTotals {
	paid = 0;
	takenOver = 0;
	fetched = 0;
	newest: NewBrief[] = [];
	parked: NewlyParked[] = [];
	isDoubtLeft = false;
	isNews = false;
	/** The rows that were sent and have no answer yet. */
	private readonly sent = new Set<number>();

	constructor(events: Events) {
		events.listen((event) => this.hear(event));
	}

	private hear(event: RunEvent): void {
		this.isNews ||= isNews(event);
		if (event.event === 'brief_ordered') this.sent.add(event.row);
		if (event.event === 'brief_accepted') {
			if (event.taken_over === true) this.takenOver += 1;
			// A brief whose order had no answer is found in the list: this run has still paid for it.
			else if (!event.found || this.sent.has(event.row)) this.paid += 1;
			this.sent.delete(event.row);
		}
		if (event.event === 'row_parked' && event.known !== true) {
			const { row, product_name, error } = event;
			this.isDoubtLeft ||= event.brief_id === null;
			if (this.parked.length < MOST_NEW) this.parked.push({ row, product_name, error });
		}
		if (event.event !== 'brief_ready') return;
		const { brief_id, product_name, title, url } = event;
		this.fetched += 1;
		if (this.newest.length < MOST_NEW) this.newest.push({ brief_id, product_name, title, url });
	}
}
