import { parse } from 'csv-parse/sync';
import { rowStatus, type Plan, type PlannedRow } from '../../../batch/plan/plan';
import { isHeldUnsent, isTakenOver, type Records, statusOf } from '../../../batch/folder/records';
import { contentIdOf } from '../../../batch/csv/row';
import { checkInput } from '../../../service/input/input';
import type { BriefInput } from '../../../service/api/resources';
import { OUT } from '../batch/desk';
import { type Start, type World } from './world';

/** Plans, then runs with the same options. Names each row with which the run did not do what the plan says. */
export async function runAsPlanned(world: World, start: Start = {}): Promise<string[]> {
	const plan = await world.plan(start);
	const paid = world.paid().length;
	const ending = await world.run(start);
	const { requests, before, after } = world.past.at(-1)!;
	const creates = world.service.creates(requests.from, requests.to);
	const sentContents = new Set(creates.map(({ body = '' }) => contentIdOf(inputOf(body))));
	const isOver = 'report' in ending && ending.report.end.stop === undefined;
	// What comes of an order in doubt is known only once the run has asked for it; and a key that the service remembers
	// costs nothing, so that another row can be ordered.
	const isInDoubt = plan.source.records.inDoubt().length > 0;
	// A product of which a brief fails meanwhile is a retry's.
	const failed = after
		.all()
		.filter((record) => statusOf(record) === 'failed' && !isFailed(before, record.key))
		.map(({ product_name }) => product_name);
	const isNew = world.paid().length - paid === creates.length;
	const results = isOver ? resultsOf(world) : [];
	const wrong = plan.rows.map((plannedRow, at): string | null => {
		const { row, todo, when, record, briefIds } = plannedRow;
		const isSent = sentContents.has(row.contentId);
		const status = results[at]?.brief_status;
		if (isSent && !mayBeSent(plannedRow)) return 'was ordered';
		if (!isOver || isInDoubt || isReleased(plannedRow)) return null;
		if (plannedRow.sameAs !== undefined) return null;
		if (status === 'failed' && failed.includes(row.input.product_name)) return null;
		const now = after.of(row.contentId);
		switch (todo) {
			case 'order':
				if (when?.is === 'now') return isSent || !isMonthKnown(world) ? null : 'was not ordered';
				if (!isNew) return null;
				if (isSent) return 'was ordered';
				return plannedRow.again !== undefined || status === rowStatus(plannedRow)
					? null
					: `is ${status}`;
			case 'take_over':
				return now !== undefined && isTakenOver(now) && now.state.briefId === briefIds[0]
					? null
					: 'was not taken over';
			case 'park':
				return now !== undefined && isHeldUnsent(now) ? null : 'was not parked';
			case 'nothing':
				return status === rowStatus(plannedRow) && now?.state.stage === record?.state.stage
					? null
					: `is ${status}`;
			case 'resume':
			case 'look':
				return null;
		}
	});
	return wrong.flatMap((what, at) => (what === null ? [] : [`${textOf(plan, at)} ${what}`]));
}

/** The month in which a brief counts is known only from the clock that writes its time, as P5 is held. */
function isMonthKnown({ options, service }: World): boolean {
	return (options.writtenAhead ?? 0) === 0 && service.dateAhead === 0;
}

/** Whether a run may send a create for it: the key of an order in doubt is sent again. */
function mayBeSent(plannedRow: PlannedRow): boolean {
	const { todo, record, sameAs } = plannedRow;
	if (sameAs !== undefined || todo === 'order') return true;
	return (todo === 'resume' && record?.state.stage === 'in_doubt') || isReleased(plannedRow);
}

function isFailed(records: Records, key: string): boolean {
	return records.all().some((record) => record.key === key && statusOf(record) === 'failed');
}

/** Whether the order that holds it back may fail meanwhile. */
function isReleased(plannedRow: PlannedRow): boolean {
	const { heldBy } = plannedRow;
	const stage = heldBy?.state.stage;
	return rowStatus(plannedRow) === 'changed' && stage !== 'done' && stage !== 'parked';
}

function inputOf(body: string): BriefInput {
	return checkInput(JSON.parse(body) as BriefInput).input;
}

function resultsOf(world: World): Array<Record<string, string>> {
	return parse(world.disk.text(`${OUT}/results.csv`), { columns: true, bom: true });
}

function textOf({ rows }: Plan, at: number): string {
	const plannedRow = rows[at]!;
	const { row, todo, when } = plannedRow;
	return `row ${row.number} (${row.input.product_name}), planned as ${rowStatus(plannedRow)}, ${todo} ${when?.is ?? ''},`;
}
