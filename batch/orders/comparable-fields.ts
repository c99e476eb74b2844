import type { BriefInput } from '../../core/api/types';
import { normalizeField } from '../../core/input/content';
import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';

export type ComparableFields = Readonly<Record<InputField, string>>;

/** Returns the fields of an input in the form in which they are compared; a missing field is empty. */
export function getComparableFields(input: BriefInput): ComparableFields {
	const entries = INPUT_FIELDS.map((field) => [field, normalizeField(field, input[field])]);
	return Object.fromEntries(entries) as ComparableFields;
}
