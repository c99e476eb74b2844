import { productGroup } from '../../service/order/likeness';
import type { Look } from '../../service/order/shell';
import type { Records } from '../folder/journal/records';
import { keysOfGoneRows, type Plan } from '../plan/plan';
import type { Try } from '../plan/try';

/** The rows that the briefs of the list belong to: two rows of one product may find the same one at the same time. */
export class Claims {
	/** By the ID of the brief, the key of the order that takes it. */
	private readonly taken = new Map<string, string>();

	readonly records: Records;
	/** The orders in doubt whose row is no longer in the CSV. */
	readonly goneKeys: ReadonlySet<string>;

	constructor(known: Plan) {
		this.records = known.source.records;
		this.goneKeys = keysOfGoneRows(known);
	}

	/** Takes a brief for an order, unless another has it. */
	take(id: string, key: string): boolean {
		const owner = this.taken.get(id);
		if (owner !== undefined) return owner === key;
		if (this.records.owns(id)) return false;
		this.taken.set(id, key);
		return true;
	}

	/** Says whether no row has a brief, or only the order of this key has taken it. */
	isFree(id: string, key?: string): boolean {
		const owner = this.taken.get(id);
		return !this.records.owns(id) && (owner === undefined || owner === key);
	}

	/**
	 * Gives what a look showed, without briefs that may as well be of another order in doubt: as long as the key of that order may
	 * be sent again, only its answer shows whose the brief is.
	 */
	withoutThoseOfOthers(look: Look, own: Try): Look {
		if (look.is === 'nothing') return look;
		const isOwnGone = this.goneKeys.has(own.key);
		const others = this.records
			.inDoubt()
			.filter(({ key }) => key !== own.key)
			.filter(({ key }) => !isOwnGone || !this.goneKeys.has(key));
		const isOthers =
			look.is === 'found'
				? others.some(({ row }) => row === own.row)
				: others.some((other) => productGroup(other) === productGroup(own));
		if (!isOthers) return look;
		return { is: 'unclear', ids: look.is === 'found' ? [look.brief.id] : look.ids };
	}
}
