import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { canWaitAgain } from './node-errors';

/**
 * What an item of output keeps of its input item, such as a row of the user's sheet. An input field whose name the output
 * needs is kept as `input_<name>`:
 *
 *     input item                          { SKU: 'A1', id: 7, error: 'none' }
 *     error item                          { SKU, id, input_error, error, code, message }
 *     brief with Include Input Fields     { SKU, id, input_error, brief_id, brief_title, … }
 */

/** Returns the fields of an input item. An item that is tried again no longer has the error of its last try. */
export function getInputFields(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const { json = {} } = context.getInputData()[itemIndex] ?? {};
	if (!canWaitAgain(json)) return json;
	const kept = Object.entries(json).filter(([name]) => !FAILURE_FIELDS.has(name));
	return Object.fromEntries(kept);
}

const FAILURE_FIELDS = new Set(['error', 'code', 'message']);

/** Adds fields to the fields of an input item. */
export function addToInput(
	context: IExecuteFunctions,
	fields: IDataObject,
	itemIndex: number,
): IDataObject {
	return mergeFields(getInputFields(context, itemIndex), fields);
}

/**
 * Returns the fields of an input item, a brief and its failure. An item that Create returned has an earlier state of the
 * same brief, which is replaced.
 */
export function mergeBriefWithInput(
	context: IExecuteFunctions,
	brief: IDataObject,
	itemIndex: number,
	failure: IDataObject = {},
): IDataObject {
	const input = getInputFields(context, itemIndex);
	const isSameBrief = ['id', 'brief_id'].some(
		(name) => name in brief && input[name] === brief[name],
	);
	const kept = Object.entries(input).filter(([name]) => !(isSameBrief && name in brief));
	// Wait Until Ready recognizes an item of Check Only by this field.
	const renamed = renameFields(Object.fromEntries(kept), (name) => name === 'planned_action');
	return mergeFields(renamed, { ...brief, ...failure });
}

/** Fields that are not the brief's, and keep their names next to the input fields. */
const UNPREFIXED = new Set(['already_existed', 'same_as_item_index', 'next_step']);

export function prefixBriefFields(brief: object): IDataObject {
	const entries = Object.entries(brief as IDataObject);
	return Object.fromEntries(
		entries.map(([name, value]) => [UNPREFIXED.has(name) ? name : `brief_${name}`, value]),
	);
}

/** n8n recognizes a failed item by its field `error`, so an input field of this name never keeps its name. */
function mergeFields(input: IDataObject, fields: IDataObject): IDataObject {
	return { ...renameFields(input, (name) => name in fields || name === 'error'), ...fields };
}

function renameFields(fields: IDataObject, isRenamed: (name: string) => boolean): IDataObject {
	const entries = Object.entries(fields);
	return Object.fromEntries(
		entries.map(([name, value]) => [isRenamed(name) ? `input_${name}` : name, value]),
	);
}
