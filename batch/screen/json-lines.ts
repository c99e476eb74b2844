import type { RunEvent } from '../events';

/**
 * The events of a run as lines of JSON. Scripts take `brief_ordered` for money, so an order that is sent is printed when
 * the service has taken it: a refused one never is.
 */
export class JsonLines {
	/** The orders that have no answer yet, by their row. */
	private readonly sent = new Map<number, string>();

	/** Gives what an event prints. */
	of(event: RunEvent): string[] {
		const line = JSON.stringify({ at: new Date().toISOString(), ...event });
		if (event.event === 'brief_ordered') {
			this.sent.set(event.row, line);
			return [];
		}
		if (event.event !== 'brief_accepted') return [line];
		const ordered = this.sent.get(event.row);
		this.sent.delete(event.row);
		return ordered === undefined || event.taken_over === true ? [line] : [ordered, line];
	}
}
