import { Failure } from '../failure';
import type { Journal } from '../folder/journal/journal';
import { isToOrder, type PlannedRow } from '../plan/plan';
import type { Asked } from '../run/ask';
import type { Console } from '../screen/console';
import { FEW_ROWS, rowName } from '../screen/format';
import type { Settings } from '../settings/settings';
import { count, formatNumber } from '../text';

/**
 * Asks once for all that a command is about to pay for. Nothing is on record before the yes.
 * @throws {Failure} with exit code 2 if a person says no, or must be asked and is not there
 */
export async function confirmOrders(
	asked: Asked,
	{ journal, csv }: { journal: Journal; csv: string },
	settings: Settings,
	console: Console,
): Promise<void> {
	const rows = asked.plan.rows.filter(({ ordered }) => ordered === 'now');
	try {
		refuseTooMany(asked.plan.rows, settings);
		if (rows.length === 0 || settings.yes) return;
		if (!console.canAsk) return refuseUnasked(rows, asked.surprises);
	} catch (error) {
		if (error instanceof Failure)
			await journal.append({ type: 'not_begun', csv, ...error.onRecord });
		throw error;
	}
	if (console.isQuiet) asked.surprises.forEach((text) => console.say(text));
	for (const line of questionLines(rows)) console.say(line);
	if (await console.confirm(question(rows, asked))) return;
	throw new Failure('Nothing was ordered.', 'The rows stay as they are, and nothing was spent.');
}

/** @throws {Failure} if more rows are new than --expect-at-most allows */
function refuseTooMany(rows: readonly PlannedRow[], { expectAtMost }: Settings): void {
	const fresh = rows.filter(
		(row) => isToOrder(row) && row.again === undefined && row.change === undefined,
	);
	if (expectAtMost === null || fresh.length <= expectAtMost) return;
	const [first] = fresh;
	const from =
		first === undefined
			? ''
			: `, from ${rowName(first.row.number, first.row.input.product_name).trim()} on`;
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

function questionLines(rows: readonly PlannedRow[]): string[] {
	const fresh = rows.filter(({ again }) => again !== 'retry');
	const shown = rows.length > FEW_ROWS ? [] : fresh;
	return shown.map(({ row }) => rowName(row.number, row.input.product_name));
}

function question(
	rows: readonly PlannedRow[],
	{ allowance: { allowance, remaining } }: Asked,
): string {
	const left =
		remaining === null || allowance === null
			? ''
			: ` ${formatNumber(remaining - rows.length)} of ${formatNumber(allowance)} are left afterwards.`;
	return `Order ${count(rows.length, 'brief')}?${left}`;
}
