import { normalizeField, normalizeText } from './content';
import { INPUT_FIELDS, type InputField } from './input-fields';

/** The normalized values of the input that a brief shows. docs/api.md 2.2 leaves its structure open. */
export interface ShownInput {
	readonly byField: ReadonlyMap<InputField, ReadonlySet<string>>;
	/** Values under names that are no field of the input. */
	readonly unnamedValues: ReadonlySet<string>;
}

/** Reads the values of a free-form input by field, at any depth and with any spelling of the field names. */
export function readShownInput(input: unknown): ShownInput {
	const byField = new Map<InputField, Set<string>>();
	const unnamedValues = new Set<string>();
	const visit = (value: unknown, field: InputField | null): void => {
		if (value === null || value === undefined || value === '') return;
		const isArrayOfTexts = Array.isArray(value) && value.every((item) => typeof item !== 'object');
		if (typeof value === 'object' && !isArrayOfTexts) {
			for (const [name, inner] of Object.entries(value))
				if (keepLettersAndDigits(name) !== KEY_NAME) visit(inner, findShownField(name) ?? field);
			return;
		}
		const text = normalizeField(field, value);
		if (text === '') return;
		if (field === null) unnamedValues.add(text);
		else byField.set(field, (byField.get(field) ?? new Set()).add(text));
	};
	visit(input, null);
	return { byField, unnamedValues };
}

/** True if the brief shows a field other than the name of its product, which the brief list shows of every brief. */
export function showsMoreThanName({ byField }: ShownInput): boolean {
	return [...byField.keys()].some((field) => field !== 'product_name');
}

/** The name of the key in a body, without its underscore. A key belongs to a request, not to the campaign. */
const KEY_NAME = 'idempotencykey';

const FIELDS_BY_NAME = new Map(INPUT_FIELDS.map((field) => [keepLettersAndDigits(field), field]));

function findShownField(name: string): InputField | undefined {
	return FIELDS_BY_NAME.get(keepLettersAndDigits(name));
}

function keepLettersAndDigits(text: string): string {
	return normalizeText(text).replace(/[^\p{L}\p{N}]/gu, '');
}
