// A brief's ID is sent, stored and shown as the service gave it, and compared without regard to case, because UUIDs may
// be written either way.

function idKey(id: string): string {
	return id.toLowerCase();
}

export function isSameId(one: string | null | undefined, other: string): boolean {
	return one != null && idKey(one) === idKey(other);
}

/** A set of brief IDs, spelled as they came in first. */
export class IdSet extends Set<string> {
	private readonly spellings = new Map<string, string>();

	constructor(ids: Iterable<string> = []) {
		super();
		for (const id of ids) this.add(id);
	}

	override has(id: string): boolean {
		return this.spellings.has(idKey(id));
	}

	override add(id: string): this {
		if (this.has(id)) return this;
		this.spellings.set(idKey(id), id);
		return super.add(id);
	}

	override delete(id: string): boolean {
		const spelling = this.spellings.get(idKey(id));
		this.spellings.delete(idKey(id));
		return spelling !== undefined && super.delete(spelling);
	}
}

/** A map by brief ID, whose keys are spelled as they came in first. */
export class IdMap<V> extends Map<string, V> {
	private readonly spellings = new Map<string, string>();

	constructor(entries: Iterable<readonly [string, V]> = []) {
		super();
		for (const [id, value] of entries) this.set(id, value);
	}

	override has(id: string): boolean {
		return this.spellings.has(idKey(id));
	}

	override get(id: string): V | undefined {
		return super.get(this.spellings.get(idKey(id)) ?? id);
	}

	override set(id: string, value: V): this {
		const spelling = this.spellings.get(idKey(id)) ?? id;
		this.spellings.set(idKey(id), spelling);
		return super.set(spelling, value);
	}

	override delete(id: string): boolean {
		const spelling = this.spellings.get(idKey(id));
		this.spellings.delete(idKey(id));
		return spelling !== undefined && super.delete(spelling);
	}
}
