import type { BriefInput } from '../../core/api/types';
import { normalizeField } from '../../core/input/content';
import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';

export type ComparableFields = Readonly<Record<InputField, string>>;

/** A CSV is matched several times in a run, and inputs do not change. */
const cache = new WeakMap<BriefInput, ComparableFields>();

/** Returns the fields of an input in the form in which they are compared; a missing field is empty. */
export function getComparableFields(input: BriefInput): ComparableFields {
	const known = cache.get(input);
	if (known !== undefined) return known;
	const entries = INPUT_FIELDS.map((field) => [field, normalizeField(field, input[field])]);
	const fields = Object.fromEntries(entries) as ComparableFields;
	cache.set(input, fields);
	return fields;
}
