import { quote } from '../../service/shortened-text';
import { hints } from '../csv/hints';
import { isNew, type PlannedRow } from '../plan/plan';
import { notBegun, type Preparation } from '../run/prepare';
import type { RunEnvironment, RunRequest } from '../run/request';
import type { Console } from '../screen/console';
import { terminalText } from '../screen/format';
import { isOrderedNow, orderLines, orderQuestion, paidAgainLines } from '../screen/order-text';
import { Stop } from '../stop';
import { count } from '../text';

/**
 * Asks once for all that a command is about to pay for. No order is on record before the yes.
 * @throws if a person says no, or must be asked and is not there
 */
export async function confirmOrders(
	preparation: Preparation,
	request: RunRequest,
	env: RunEnvironment,
	console: Console,
): Promise<void> {
	const now = preparation.plan.rows.filter(isOrderedNow);
	const stop =
		tooManyNew(preparation.plan.rows, request) ?? unasked(now, preparation, request, console);
	if (stop !== null) return await notBegun(stop, request, env);
	// --quiet has hidden them so far, and hides no line about money.
	if (console.isQuiet && now.length > 0) preparation.notices.forEach((text) => console.say(text));
	const isToAsk = now.length > 0 || (request.adopt.length > 0 && preparation.surprises.length > 0);
	if (request.yes || !console.canAsk || !isToAsk) return tellUnasked(preparation, request, console);
	const toOrder = now.map(({ row }) => row);
	const isFiltered = (request.reading.where ?? []).length > 0;
	const slips = [...hints(request.table, toOrder, isFiltered), ...preparation.surprises];
	const orders = now.length > 0 ? [...orderLines(preparation, request), ''] : [];
	const lines = [...orders, ...slips.map(terminalText)];
	if (await console.confirm(orderQuestion(preparation, request.name), lines)) return;
	throw new Stop('Nothing was ordered.', 'The rows stay as they are, and nothing was spent.');
}

/** Says what is surprising and what is paid for again, where nobody is asked. */
function tellUnasked(preparation: Preparation, request: RunRequest, console: Console): void {
	for (const text of preparation.surprises) {
		if (console.isQuiet) console.say(text);
		else console.events.tell({ event: 'notice', text });
	}
	paidAgainLines(preparation, request).forEach((line) => console.say(line));
}

/** Gives that more rows are new than --expect-at-most allows. */
function tooManyNew(rows: readonly PlannedRow[], { expectAtMost: most }: RunRequest): Stop | null {
	const newRows = rows.filter(isNew);
	const [first] = newRows;
	if (most === undefined || first === undefined || newRows.length <= most) return null;
	const { product_name } = first.row.input;
	return new Stop(
		`${count(newRows.length, 'row')} are new, from ${quote(product_name.replace(/\s+/g, ' '))} on, and --expect-at-most allows ${most}. Nothing was ordered.`,
		'Check that this is the right CSV. If it is, raise --expect-at-most.',
		'too_many_new',
	);
}

/** Gives that nobody is there to be asked about what must be asked. */
function unasked(
	rows: readonly PlannedRow[],
	{ surprises }: Preparation,
	{ yes }: RunRequest,
	{ canAsk }: Console,
): Stop | null {
	if (yes || canAsk) return null;
	if (surprises.length > 0) {
		const what = `${surprises.join(' ')} Nothing was ordered.`;
		return new Stop(what, 'If that is right, add --yes.', 'surprise');
	}
	if (!rows.some(({ again }) => again === 'retry')) return null;
	const cure = 'There is no terminal to ask on: add --yes to go on without a question.';
	return new Stop('Nothing was ordered.', cure, 'unasked');
}
