import { isRunning } from '../../service/api/resources';
import type { Events, EventOf } from '../folder/events';
import { type Order, type Records, statusOf } from '../folder/records';
import { count, formatNumber } from '../text';
import { mean, restOf, estimateOf } from './estimate';
import { rowLine } from './event-lines';
import { allowanceUsed, clockTime, duration, oneLine } from './format';
import { fitWidth, textWidth } from './text-width';

/**
 * Draws how far a run is, by what is on record: a line for each brief being written, and one for the whole. None is wider
 * than the terminal, which would break it in two, and leave the second part behind when the view is drawn again.
 * @param slots those of the workspace that this run may use, and those that other people's briefs hold
 */
export function progressLines(
	records: Records,
	nameOf: Events['nameOf'],
	slots: { usable: number; others: number },
	width: number,
): string[] {
	const { run } = records;
	if (run === undefined || countToDo(run) === 0) return [];
	const others =
		slots.others === 0
			? []
			: [`${count(slots.others, 'slot')} taken by other briefs in the workspace`];
	const whole = wholeLine(records, run, slots.usable, width);
	const lines = [...slotLines(records, nameOf, width), ...others, whole];
	return lines.map((line) => fitWidth(line, width));
}

/** Counts the rows that a run orders, takes over or goes on with. */
function countToDo({ rows: { to_order, to_compare, to_resume } }: EventOf<'run_started'>): number {
	return to_order + to_compare + to_resume;
}

/** Gives the milliseconds that each brief took which this run ordered and fetched. */
function durationsOf(records: Records): number[] {
	return records.lately('filed').flatMap(({ took_ms }) => took_ms ?? []);
}

function slotLines(records: Records, nameOf: Events['nameOf'], width: number): string[] {
	const now = Date.now();
	const durations = durationsOf(records);
	const typical = durations.length === 0 ? null : mean(durations);
	return records.all().flatMap((order) => {
		const { state, brief, key, product_name, accepted_at, cause } = order;
		const isPutOff = cause !== null;
		if (state.stage !== 'running' || isPutOff || brief === null || !isRunning(brief)) return [];
		const elapsed = now - Date.parse(accepted_at ?? '');
		const timeLeft = typical === null ? '' : `  ~${clockTime(Math.max(0, typical - elapsed))} left`;
		const more = `${clockTime(elapsed)}${timeLeft}`;
		return rowLine(nameOf(key) ?? { product_name }, oneLine(brief.status, 11), more, width);
	});
}

const BAR_WIDTH = 24;

/** Draws how far the whole is. Less important parts are further right, and are left out if there is no room for them. */
function wholeLine(
	records: Records,
	run: EventOf<'run_started'>,
	usable: number,
	width: number,
): string {
	const countOf = (orders: readonly Order[], status: 'failed' | 'parked') =>
		orders.filter((order) => statusOf(order) === status).length;
	const ready = records.lately('filed').length;
	const failed = countOf(records.lately('ended'), 'failed');
	const parked = countOf(records.lately('parked'), 'parked');
	const { invalid } = run.rows;
	const { allowance } = run;
	const used = run.used + records.lately('accepted').filter(({ is_paid }) => is_paid).length;
	const done = ready + failed + parked;
	// Briefs of rows that are no longer in the CSV are fetched as well.
	const all = Math.max(countToDo(run), done);
	const rowsLeft = all - done;
	const likelyTime = () =>
		restOf(rowsLeft, durationsOf(records), usable) ?? estimateOf(rowsLeft, usable).likely;
	const [rows, ...others] = [
		`${formatNumber(done)} of ${count(all, 'row')}`,
		...(rowsLeft === 0 ? [] : [`about ${duration(likelyTime())} left`]),
		`${ready} ready`,
		...(failed > 0 ? [`${failed} failed`] : []),
		...(parked > 0 ? [`${parked} parked`] : []),
		...(invalid > 0 ? [`${invalid} invalid`] : []),
		`allowance ${allowanceUsed({ allowance, used })}`,
	];
	const barWidth = Math.min(BAR_WIDTH, Math.floor(width / 6));
	const filledWidth = Math.round((done / all) * barWidth);
	const bar = `${'█'.repeat(filledWidth)}${'░'.repeat(barWidth - filledWidth)}`;
	let line = `${bar}  ${rows}`;
	for (const part of others) {
		if (textWidth(line) + textWidth(part) + 3 > width) break;
		line += ` · ${part}`;
	}
	return line;
}
