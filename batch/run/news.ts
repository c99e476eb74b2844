import type { RunEvent } from './events';

/** Whether an event says something that no earlier run has reported. */
export function isNews(event: RunEvent): boolean {
	switch (event.event) {
		case 'row_invalid':
		case 'row_changed':
		case 'row_parked':
			return event.known !== true;
		case 'brief_accepted':
			return !event.found || event.adopted === true;
		case 'brief_ready':
		case 'row_failed':
		case 'interrupted':
			return true;
		case 'run_started':
		case 'row_duplicate':
		case 'brief_ordered':
		case 'brief_status':
		case 'allowance':
		case 'waiting':
		case 'waiting_for_slot':
		case 'others_running':
		case 'notice':
		case 'run_ended':
			return false;
	}
}
