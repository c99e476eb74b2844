import type { ReportGroup } from '../../batch/report/report';
import type { ReportRow } from '../../batch/report/report-row';
import { ROW_STATES } from '../../batch/report/row-state';
import type { RunEnd } from '../../batch/report/run-end';
import type { CreatedBrief } from '../support/virtual-service';
import { toContent } from './contents';
import type { Folder } from './folder';
import type { SwarmWorld } from './swarm-world';
import { isDoomed } from './wishes';

/*
 * What must be true at the end of a history, when the faults are over and each folder has run twice: every row is ready or
 * names the step that the user has to take (P11), no brief is lost (P2), and every ready row has its own brief and its file
 * (P6, P12).
 */

/** Returns the promises that the second quiet run of a folder has left open. */
export function findOpenRows(end: RunEnd | string, folder: Folder, world: SwarmWorld): string[] {
	if (typeof end === 'string') return [`${folder.name}: a quiet run ended with ${end}`];
	const steps = new Map(end.report.groups.map((group) => [group.name, hasStep(group)]));
	return end.report.rows.flatMap((row) => {
		const name = `${folder.name}: ${row.name}`;
		if (isUnfinished(row, end, folder, world)) return [`P11: ${name} stays ${row.state.kind}`];
		const contradiction = findContradiction(row, world);
		if (contradiction !== null) return [`P11: ${name} is ${row.state.kind}, and ${contradiction}`];
		const isFirst = row.place.kind === 'row' && row.duplicateOf === null;
		const needsStep = isFirst && ROW_STATES[row.state.kind].needsUser === true;
		const namesStep = row.nextSteps.length > 0 || steps.get(row.group) === true;
		return needsStep && !namesStep ? [`P11: ${name} is ${row.state.kind} without a step`] : [];
	});
}

function hasStep({ nextSteps }: ReportGroup): boolean {
	return nextSteps.length > 0;
}

/** True if the row waits for the program alone, and not for the user or the next month. */
function isUnfinished(
	{ state, place }: ReportRow,
	{ stop, report }: RunEnd,
	folder: Folder,
	world: SwarmWorld,
): boolean {
	if (ROW_STATES[state.kind].isLeft !== true) return false;
	if (state.kind === 'beyond_allowance') return !world.isAllowanceUsedUp(report.rows.length);
	// With --use-brief, the user has decided against the order.
	if (place.kind === 'replaced' && state.kind === 'unanswered')
		return !folder.given.has(toContent(state.order.input));
	// P13: the run says that the next run orders one row.
	return !(place.kind === 'row' && isNotOrdered(state.kind) && stop?.code === 'failures_in_row');
}

/** Returns what the service says against the state of a row; null if it agrees. */
function findContradiction({ state, brief }: ReportRow, world: SwarmWorld): string | null {
	const { created } = world;
	switch (state.kind) {
		case 'failed':
		case 'attempts_used': {
			const content = toContent(state.order.input);
			const isOfRow = ({ id, input }: CreatedBrief) =>
				id === brief?.id || toContent(input) === content;
			const failed = created.filter((each) => isOfRow(each) && isDoomed(each));
			const expected = state.kind === 'failed' ? 1 : 3;
			return failed.length < expected ? `${failed.length} briefs of it have failed` : null;
		}
		case 'hidden_input': {
			const named = created.filter(({ id }) => state.briefIds.includes(id));
			// A brief that is listed and cannot be fetched is hidden, and its review stays until the user decides.
			const canBeHidden = state.isSent || world.hasHiddenBrief;
			const isClear = !canBeHidden && named.every((each) => world.isShownWhole(each));
			return isClear ? 'every brief shows its input' : null;
		}
		default:
			return null;
	}
}

function isNotOrdered(kind: string): boolean {
	return kind === 'stopped' || kind === 'not_ordered';
}

/** Returns the ready rows with the brief of another content, or without the brief's file. */
export function findWrongResults(
	{ report }: RunEnd,
	folder: Folder,
	{ created, files }: SwarmWorld,
): string[] {
	return report.rows.flatMap(({ place, state, brief, file, name }) => {
		if (place.kind !== 'row' || state.kind !== 'ready') return [];
		const own = created.find(({ id }) => id === brief?.id);
		const text = files.get(`${folder.name}/results/${file}.json`)?.toString() ?? '{}';
		const { id } = JSON.parse(text) as { id?: string };
		return [
			...(own === undefined || folder.isResultOf(place.number, own)
				? []
				: [`P12: ${folder.name}: row ${name} has brief ${own.id} of another content`]),
			...(own !== undefined && id === own.id
				? []
				: [`P6: ${folder.name}: ready row ${name} has no file`]),
		];
	});
}

/** Returns the briefs that a folder has paid for, and that it shows neither as a brief nor in a review. */
export async function findLost(folder: Folder, world: SwarmWorld): Promise<string[]> {
	const missing = await world.findLostBriefs(folder.name);
	return missing.flatMap((brief) => {
		if (!folder.hasPaidFor(brief) || folder.canHaveLost(brief)) return [];
		return [`P2: ${folder.name} has lost brief ${brief.id}`];
	});
}

/** Returns the failed rows that `retry` has left as they were. */
export function findNotRetried(
	before: RunEnd,
	{ report, stop }: RunEnd,
	{ given }: Folder,
): string[] {
	if (stop !== null) return [];
	return report.rows.flatMap((row, index) => {
		const earlier = before.report.rows[index];
		const isSame = earlier?.state.kind === 'failed' && row.brief?.id === earlier.brief?.id;
		// An edited row uses a failed brief of its new content first, which costs nothing.
		if (given.has(row.brief?.id ?? '')) return [];
		const { state, place } = row;
		// The allowance is a reason to leave a row.
		const isLeft = isSame && place.kind === 'row' && state.kind === 'failed' && !state.left;
		return isLeft ? [`retry has left row ${row.name}`] : [];
	});
}
