type Flat = string | number | boolean | null | { [key: string]: Flat } | Flat[];

/**
 * Reads the format n8n sends execution data in: a JSON array of values, in which every string inside an object or
 * array is the position of the real value. That way circular and shared values fit into JSON.
 */
export function parseFlatted(text: string): unknown {
	const table = JSON.parse(text) as Flat[];
	const made = new Map<number, unknown>();

	function at(position: number): unknown {
		if (made.has(position)) return made.get(position);
		const flat = table[position];
		if (flat === null || typeof flat !== 'object') return flat;
		if (Array.isArray(flat)) {
			const list: unknown[] = [];
			made.set(position, list);
			for (const child of flat) list.push(real(child));
			return list;
		}
		const object: Record<string, unknown> = {};
		made.set(position, object);
		for (const [key, child] of Object.entries(flat)) object[key] = real(child);
		return object;
	}

	function real(child: Flat): unknown {
		return typeof child === 'string' ? at(Number(child)) : child;
	}

	return at(0);
}
