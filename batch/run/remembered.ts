import { commandLine } from '../command-text';
import { columnName, isSameHeader, placeIn } from '../csv/columns';
import type { Table } from '../csv/table';
import { fileNameOf, type Records } from '../folder/records';
import { conditionIn } from '../plan/condition';
import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import type { RunRequest } from './request';

/**
 * Refuses a CSV without the column of a remembered --where: nobody can know which rows it leaves out.
 * @throws {Stop}
 */
export function refuseGoneCondition({ table, remembered }: RunRequest): void {
	const condition = goneCondition(table, remembered.where);
	if (condition === undefined) return;
	throw new Stop(
		`${fileNameOf(table.file)} does not have the column of the remembered ${commandLine('--where', condition)}. Nothing was ordered.`,
		'Put the column back. To order without this condition, add --where -',
		'condition_gone',
	);
}

/** Gives the first condition whose column the CSV does not have. */
export function goneCondition(
	{ columns }: Table,
	conditions: readonly string[] = [],
): string | undefined {
	return conditions.find((words) => placeIn(conditionIn(words)?.column ?? '', columns) === -1);
}

/** Says which remembered columns the CSV does not have. */
export function missingColumns({ table, remembered }: RunRequest): string[] {
	const { map = [], id } = remembered;
	const isThere = (header: string) => table.columns.some((column) => isSameHeader(column, header));
	const lacks = (column: string, as: string, ...toForget: string[]) =>
		`The column ${quote(column)}, remembered ${as}, is not in ${fileNameOf(table.file)} (to forget it: ${commandLine(...toForget)}).`;
	return [
		...map
			.filter(({ header, field }) => field !== '-' && !isThere(header))
			.map(({ header, field }) => lacks(header, `as ${field}`, '--map', `${header}=`)),
		...(id === undefined || placeIn(id, table.columns) !== -1
			? []
			: [lacks(id, 'for --id', '--id', '-')]),
	];
}

/** Says that the products come from another column than before; '' if they do not. */
export function otherProductColumn({ columns, headers }: Table, { run }: Records): string {
	const [now, before] = [headers.product_name, run?.product_column];
	if (now === undefined || before === undefined || isSameHeader(now, before)) return '';
	const isThere = columns.some((column) => isSameHeader(column, before));
	const asBefore = commandLine('--map', `${columnName(before)}=product_name`);
	const cure = isThere ? ` (to read them so again: ${asBefore})` : '';
	return ` Its products are read from the column ${quote(columnName(now))}, and were read from ${quote(columnName(before))} before${cure}.`;
}
