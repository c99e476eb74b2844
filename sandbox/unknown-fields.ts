/**
 * Adds unknown fields to every object that means something by itself: the answer, its items, an error. Free-form parts
 * (`input`, `document`) stay as they are.
 */
export function withUnknownFields(body: object): object {
	const entries = Object.entries(body as Record<string, unknown>).map(([name, value]) => {
		if (name === 'data' && Array.isArray(value)) return [name, value.map(extend)] as const;
		if (name === 'error') return [name, extend(value)] as const;
		return [name, value] as const;
	});
	return extend(Object.fromEntries(entries)) as object;
}

function extend(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return { ...value, x_experiment: 'b', x_links: { self: null, related: [] } };
}
