import { Failure } from '../../failure';
import type { AskedRows } from '../../plan/asked-rows';

const LIST = /^\d+(-\d+)?(,\d+(-\d+)?)*$/;

/**
 * Rows by their number, such as 3,5-9.
 * @throws {Failure} that names the option
 */
export function readRows(option: string, given: string | boolean | undefined): AskedRows {
	if (typeof given !== 'string') return given ?? false;
	const text = given.replace(/\s/g, '');
	if (!LIST.test(text)) {
		const example = `Write the numbers of rows, as in ${option} 3,5-9.`;
		const isFile = /\.\w+$/.test(text) || text === '-';
		throw new Failure(
			`${option} takes rows, and “${given}” is none.`,
			isFile ? `${example} A file name goes before ${option}.` : example,
		);
	}
	return text.split(',').map((part) => {
		const [from = 0, to = from] = part.split('-').map(Number);
		return [from, to] as const;
	});
}
