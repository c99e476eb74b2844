import type { Records } from '../../journal/records';
import type { Summary } from './summarise';

/** The keys of orders in doubt whose row stands no more in the CSV. */
export function keysOfGoneRows({ begun }: Summary, records: Records): ReadonlySet<string> {
	const isInCsv = new Set(begun.map(({ record }) => record.key));
	const keys = records.inDoubt().map(({ key }) => key);
	return new Set(keys.filter((key) => !isInCsv.has(key)));
}
