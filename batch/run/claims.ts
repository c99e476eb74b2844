import type { Records } from '../journal/records';

/** Which row a brief of the list belongs to: two rows of one product may find the same one at the same time. */
export class Claims {
	private readonly taken = new Set<string>();

	constructor(private readonly records: Records) {}

	/** Takes a brief for a row, unless another has it. */
	take(id: string): boolean {
		const isOwned = this.records.all().some(({ brief_id }) => brief_id === id);
		if (isOwned || this.taken.has(id)) return false;
		this.taken.add(id);
		return true;
	}
}
