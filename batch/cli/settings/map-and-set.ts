import { INPUT_FIELDS, type InputField } from '../../../service/input';
import type { TableOptions } from '../../csv/table';
import { Failure } from '../../failure';
import { PLACEHOLDER } from './placeholder';

/** The columns that --map "Header=field" names. A header may hold an equals sign. */
export function readMap(texts: readonly string[]): TableOptions['map'] {
	const fields = new Map<string, InputField>();
	return texts.map((text) => {
		const at = text.lastIndexOf('=');
		const header = text.slice(0, Math.max(0, at)).trim();
		const field = fieldNamed('--map', text.slice(at + 1), '"Header=field"', at < 1);
		const before = fields.get(header) ?? field;
		if (before !== field) {
			throw new Failure(
				`--map gives the column “${header}” to two fields, ${before} and ${field}.`,
				'Keep one of the two.',
			);
		}
		fields.set(header, field);
		return { header, field };
	});
}

/** The values that --set field=value gives. A value may hold an equals sign. */
export function readSet(texts: readonly string[]): TableOptions['set'] {
	const values: Partial<Record<InputField, string>> = {};
	for (const text of texts) {
		const at = text.indexOf('=');
		const field = fieldNamed('--set', text.slice(0, Math.max(0, at)), 'field=value');
		const value = text.slice(at + 1);
		refuseWithoutValue(field, value.trim());
		if ((values[field] ?? value) !== value) {
			throw new Failure(
				`--set gives ${field} two different values.`,
				'Keep one of the two: a field has one value for all rows.',
			);
		}
		values[field] = value;
	}
	return values;
}

/** Without its value each row would be ordered as another one, and perhaps paid for a second time. */
function refuseWithoutValue(field: InputField, value: string): void {
	if (value === '') {
		throw new Failure(
			`--set ${field} has no value.`,
			'Give it one, or leave the option out. In a script, look whether the variable that it takes is set.',
		);
	}
	if (!PLACEHOLDER.test(value)) return;
	throw new Failure(
		`--set ${field} is “${value}”, a placeholder and not a text.`,
		`Put the text itself in its place. A shell fills in a variable in "…", not in '…', and nothing fills in one in a file of variables.`,
	);
}

function fieldNamed(
	option: string,
	text: string,
	form: string,
	isMalformed = text === '',
): InputField {
	const field = INPUT_FIELDS.find((name) => name === text.trim());
	if (field !== undefined && !isMalformed) return field;
	const what = isMalformed
		? `${option} takes ${form}.`
		: `${option} names an unknown field “${text.trim()}”.`;
	throw new Failure(what, `The fields are: ${INPUT_FIELDS.join(', ')}.`);
}
