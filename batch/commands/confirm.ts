import { quote } from '../../service/shortened-text';
import { hints } from '../csv/hints';
import { Failure } from '../failure';
import { isNew, type PlannedRow } from '../plan/plan';
import { otherProducts } from '../run/adopt';
import { notBegun, type Asked } from '../run/ask';
import type { RunRequest } from '../run/request';
import type { Console } from '../screen/console';
import { NAME_WIDTH, oneLine, terminalText } from '../screen/format';
import { againLines, isOrderedNow, orderLines, orderQuestion } from '../screen/order-text';
import type { Settings } from '../settings/settings';
import { count } from '../text';
import type { OpenBatch } from './open-batch';

/**
 * Asks once for all that a command is about to pay for. Nothing is on record before the yes.
 * @throws {Failure} with exit code 2 if a person says no, or must be asked and is not there
 */
export async function confirmOrders(
	asked: Asked,
	{ request, env: { journal } }: OpenBatch,
	settings: Settings,
	console: Console,
): Promise<void> {
	const now = asked.plan.rows.filter(isOrderedNow);
	try {
		refuseTooMany(asked.plan.rows, settings);
		if (!settings.yes && !console.canAsk) refuseUnasked(now, asked.surprises);
	} catch (error) {
		return await notBegun(error, request, journal);
	}
	// Without --quiet they were said when they were found. It hides no line about money.
	if (console.isQuiet && now.length > 0) asked.notices.forEach((text) => console.say(text));
	const isToAsk = now.length > 0 || otherProducts(asked.plan).length > 0;
	if (settings.yes || !console.canAsk || !isToAsk) return tellUnasked(asked, request, console);
	const toOrder = now.map(({ row }) => row);
	const slips = [...hints(request.table, toOrder, settings.where.length > 0), ...asked.surprises];
	const orders = now.length > 0 ? [...orderLines(asked, request), ''] : [];
	const lines = [...orders, ...slips.map(terminalText)];
	if (await console.confirm(orderQuestion(asked, request.name), lines)) return;
	throw new Failure('Nothing was ordered.', 'The rows stay as they are, and nothing was spent.');
}

/** Says what is surprising and what is paid for again, where nobody is asked. */
function tellUnasked(asked: Asked, request: RunRequest, console: Console): void {
	for (const text of asked.surprises) {
		if (console.isQuiet) console.say(text);
		else console.events.emit({ event: 'notice', text });
	}
	againLines(asked, request).forEach((line) => console.say(line));
}

/** @throws {Failure} if more rows are new than --expect-at-most allows */
function refuseTooMany(rows: readonly PlannedRow[], { expectAtMost }: Settings): void {
	const fresh = rows.filter(isNew);
	if (expectAtMost === null || fresh.length <= expectAtMost) return;
	const [first] = fresh;
	const from =
		first === undefined
			? ''
			: `, from row ${first.row.number} (${quote(oneLine(first.row.input.product_name, NAME_WIDTH))}) on`;
	throw new Failure(
		`${count(fresh.length, 'row')} are new${from}, and --expect-at-most allows ${expectAtMost}. Nothing was ordered.`,
		'Check that this is the right CSV. If it is, raise --expect-at-most.',
	);
}

/** @throws {Failure} if nobody is there to be asked about what must be asked */
function refuseUnasked(rows: readonly PlannedRow[], surprises: readonly string[]): void {
	if (surprises.length > 0)
		throw new Failure(
			`${surprises.join(' ')} Nothing was ordered.`,
			'If that is right, add --yes.',
		);
	if (rows.some(({ again }) => again === 'retry'))
		throw new Failure(
			'Nothing was ordered.',
			'There is no terminal to ask on: add --yes to go on without a question.',
		);
}
