import { FIRST_TRIES } from '../../service/assumptions';
import { otherProductOf } from '../../service/order/content-comparison';
import { outcomeOf } from '../../service/api/outcome';
import { summaryOf, type Brief } from '../../service/api/resources';
import { isPaidBy } from '../../service/order/recall';
import { withRetries } from '../../service/api/resend';
import { orderedContent } from '../folder/journal/content';
import type { Order, Records } from '../folder/records';
import { groupBy } from '../group-by';
import {
	briefToKeep,
	lastOrder,
	makePlan,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
} from '../plan/plan';
import type { BriefOwners } from '../order/brief-owners';
import { RowNumbers } from '../plan/row-numbers';
import { isSelected } from '../plan/row-selection';
import { Stop } from '../stop';
import type { Adoption, Asking, RunEnvironment, RunRequest } from './request';

/**
 * Gets the briefs that a person gives to rows, by the number of the row. Those that have theirs already are left out.
 * @returns the notices that say so, too
 * @throws {Stop} with exit code 2 if a row or its brief cannot be used
 */
export async function getAdoptions(
	{ adopt: adoptions, batch, table, rows: runRows }: RunRequest,
	records: Records,
	owners: BriefOwners,
	asking: Asking,
): Promise<{ briefs: ReadonlyMap<number, Brief>; notices: readonly string[] }> {
	const briefs = new Map<number, Brief>();
	const notices: string[] = [];
	if (adoptions.length === 0) return { briefs, notices };
	// Also of rows that are not in this run, to say so.
	const plan = makePlan({ batch, rows: table.rows, records, options: {} });
	// A changed row comes with the order that holds it back.
	const rows = new Map(plan.rows.map((plannedRow) => [plannedRow.row.number, plannedRow]));
	const numbers = new RowNumbers(plan);
	for (const adoption of adoptions) {
		const plannedRow = rows.get(adoption.rowNumber);
		const { rowNumber, briefId } = adoption;
		if (briefId === briefOf(plannedRow)) {
			notices.push(`Row ${rowNumber} has brief ${briefId} already, so --adopt changes nothing.`);
			continue;
		}
		checkRow(adoption, plannedRow);
		if (!runRows.some(({ number }) => number === rowNumber)) {
			notices.push(`Row ${rowNumber} is not in this run, so --adopt changes nothing.`);
			continue;
		}
		if (briefs.has(rowNumber))
			throw refusalOf(adoption, `row ${rowNumber} is named twice`, 'A row has one brief.');
		const brief = await getBrief(adoption, owners, asking);
		const owner = records.ownerOf(brief.id);
		if (owner !== undefined) throw ownedRefusal(adoption, owner, numbers);
		briefs.set(rowNumber, brief);
	}
	return { briefs, notices };
}

/** Gives the brief that a row shows in results.csv. */
function briefOf(plannedRow: PlannedRow | undefined): string | null {
	if (plannedRow === undefined) return null;
	return lastOrder(plannedRow.sameAs ?? plannedRow)?.state.briefId ?? null;
}

/** @throws {Stop} if the row cannot have the brief */
function checkRow(adoption: Adoption, plannedRow: PlannedRow | undefined): void {
	const { rowNumber: number } = adoption;
	if (plannedRow === undefined) {
		const cure = 'A row has the number that a spreadsheet shows: the header is row 1.';
		throw refusalOf(adoption, `there is no row ${number}`, cure);
	}
	if (plannedRow.row.problems.length > 0) {
		const cure = 'Correct it in the CSV first: brief-batch plan says what is wrong.';
		throw refusalOf(adoption, `row ${number} is invalid`, cure);
	}
	if (plannedRow.sameAs !== undefined) {
		const first = plannedRow.sameAs.row.number;
		const why = `row ${number} has the same content as row ${first}, and shares its brief`;
		throw refusalOf(adoption, why, `Give the brief to row ${first}.`);
	}
	const briefId = briefOf(plannedRow);
	if (briefId !== null) {
		const cure = 'A row keeps its brief: leave this --adopt out.';
		throw refusalOf(adoption, `row ${number} has brief ${briefId} already`, cure);
	}
}

async function getBrief(
	adoption: Adoption,
	owners: BriefOwners,
	{ service, clock, interruption: signal }: Asking,
): Promise<Brief> {
	const get = () => service.brief(adoption.briefId, signal);
	const got = withRetries(get, { clock, limits: FIRST_TRIES, signal });
	const outcome = await outcomeOf(owners.orKept(got, adoption.briefId));
	if ('error' in outcome) {
		const { error } = outcome;
		const isUnknown = error.kind === 'not_found' || error.kind === 'invalid_input';
		if (!isUnknown) throw error;
		const cure = 'Check the ID, and that the API key belongs to the workspace of the brief.';
		throw refusalOf(adoption, `the service has no such brief (${error.status})`, cure);
	}
	return outcome.value;
}

function ownedRefusal(adoption: Adoption, owner: Order, numbers: RowNumbers): Stop {
	const row = numbers.of(owner.key);
	const name = row === undefined ? 'another list' : `row ${row.number}`;
	const why = `this is the brief of ${name} (“${owner.product_name}”)`;
	return refusalOf(adoption, why, 'A brief is for one row: check its ID.');
}

function refusalOf({ rowNumber, briefId }: Adoption, why: string, cure: string): Stop {
	return new Stop(
		`--adopt ${rowNumber}=${briefId} cannot be done: ${why}.`,
		`${cure} Nothing was ordered.`,
	);
}

/** @throws {Stop} if several rows would keep one brief */
export function refuseKeptTwice({ rows, source }: Plan): void {
	const keeperRows = rows.filter((row) => briefToKeep(row, source) !== null);
	const isAsked = ({ row }: PlannedRow) => isSelected(source.options.adoptChanged, row.number);
	for (const [first, second] of groupBy(keeperRows, ({ heldBy }) => heldBy?.key).values()) {
		const other = second ?? rows.find(({ record }) => record?.key === first?.heldBy?.key);
		if (first === undefined || other === undefined || ![first, other].some(isAsked)) continue;
		throw new Stop(
			`--adopt cannot be done: rows ${first.row.number} and ${other.row.number} would keep the same brief. Nothing was ordered.`,
			'A brief is for one row: name only the row that keeps it.',
		);
	}
}

/** Puts on record that a row has a brief now. It costs nothing. */
export async function adopt(
	plannedRow: PlannedRow,
	brief: Brief,
	batch: string,
	{ journal, events }: RunEnvironment,
): Promise<void> {
	const { row, record } = plannedRow;
	const { number, input } = row;
	const { id: brief_id, product_name } = brief;
	const other = otherProductOf(brief, input);
	const order = tryOfPlanned(plannedRow, batch);
	const acceptance = { event: 'accepted', brief: summaryOf(brief), found: true } as const;
	const paid = record !== undefined && isPaidBy(record.state, acceptance);
	await journal.append(
		{ event: 'ordered', ...order, content: orderedContent(input) },
		{ ...acceptance, key: order.key, paid },
	);
	const text =
		other === null
			? `Row ${number} has brief ${brief_id} now, as --adopt asks. It costs nothing.`
			: `Row ${number} (“${input.product_name}”) has brief ${brief_id} now, as --adopt asks, although ${otherText(other, product_name)}. It costs nothing.`;
	events.tell({ event: 'notice', text });
}

function otherText({ product_id }: { product_id?: string }, product_name: string): string {
	return product_id === undefined
		? `that is a brief of “${product_name}”`
		: `it has another product ID, ${product_id}`;
}
