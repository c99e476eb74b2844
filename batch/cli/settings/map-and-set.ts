import { INPUT_FIELDS, type InputField } from '../../../service/input';
import type { TableOptions } from '../../csv/table';
import { Failure } from '../../failure';

/** The columns that --map "Header=field" names. A header may hold an equals sign. */
export function readMap(texts: readonly string[]): TableOptions['map'] {
	return texts.map((text) => {
		const at = text.lastIndexOf('=');
		const header = text.slice(0, Math.max(0, at)).trim();
		return { header, field: fieldNamed('--map', text.slice(at + 1), '"Header=field"', at < 1) };
	});
}

/** The values that --set field=value gives. A value may hold an equals sign. */
export function readSet(texts: readonly string[]): TableOptions['set'] {
	return Object.fromEntries(
		texts.map((text) => {
			const at = text.indexOf('=');
			const field = text.slice(0, Math.max(0, at));
			return [fieldNamed('--set', field, 'field=value'), text.slice(at + 1)];
		}),
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
