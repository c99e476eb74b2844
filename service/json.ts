/** Whether a value of an answer is an object with fields, and neither a list nor null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
