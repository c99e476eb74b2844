import type { BriefOwners } from '../../../batch/order/brief-owners';
import type { isFreeFor } from '../../../batch/order/free-briefs';
import type { Comparison } from '../../../service/order/find-brief';
import type { Likeness } from '../../../service/order/likeness';
import { INPUT } from './answers';
import { createdOf, NOW, WRITERS } from './clocks';
import { orderAt } from './record';
import { BRIEFS, idOf, ownerOf, type Adversary, type Ref, type Row, type State } from './state';

/** The briefs of a row’s product that the list shows. */
function listedFor(state: State, index: number, { isSameProduct }: Adversary): Ref[] {
	const { rows, isAlikeListed } = state;
	const isListed = (ref: Ref) => {
		const owner = ownerOf(index, ref);
		return owner === null ? isAlikeListed : rows[owner]?.brief === 'listed';
	};
	return (isSameProduct ? REFS : REFS.slice(0, 1)).filter(isListed);
}

const REFS: readonly Ref[] = ['own', 'next', 'alike'];

/** The listed briefs that a row may take: as new, or as what its create without an answer has made. */
export function mayTake(
	state: State,
	index: number,
	{ adversary, owners, isFreeFor }: Whose,
	isUnsent: boolean,
): Ref[] {
	const refs = listedFor(state, index, adversary);
	// One that keeps no record asks only the list.
	if (state.rows[index]!.guest !== null) return refs;
	return refs.filter((ref) => {
		const id = idOf(index, ref);
		if (!isUnsent) return owners.ownerOf(id) === undefined;
		const owner = ownerOf(index, ref);
		const wasThere = owner === null ? state.wasAlikeListed : state.rows[owner]!.wasListed;
		const brief = { ...BRIEFS[ref], id, product_name: INPUT.product_name };
		return isFreeFor(orderAt(index, adversary), brief, wasThere, owners);
	});
}

/** The rules that say whose each brief is, in a state. */
interface Whose {
	adversary: Adversary;
	owners: BriefOwners;
	isFreeFor: typeof isFreeFor;
}

/** A listed brief as the service may show it, first as it does when nothing goes wrong. */
export function shownAs(
	ref: Ref,
	row: Row,
	{ doClocksDisagree, isSameContent }: Adversary,
	isUnsent: boolean,
): Comparison[] {
	const isSame = ref === 'own' || (ref === 'next' && isSameContent);
	// That a row without its journal is ordered again if its brief shows other words is one of the honest limits.
	const ownLikeness: Likeness[] = isUnsent ? ['same', 'maybe'] : ['same', 'maybe', 'other'];
	const likenesses: Likeness[] = isSame ? ownLikeness : ['other', 'maybe'];
	const writers = doClocksDisagree && !isUnsent ? WRITERS : [0];
	const product_name = INPUT.product_name;
	return likenesses.flatMap((likeness) =>
		writers.map((ahead) => {
			const created_at = isUnsent ? NOW.service : createdOf(row) + ahead;
			return { likeness, brief: { ...BRIEFS[ref], product_name, created_at } };
		}),
	);
}

/** Every way to take one of each. */
export function combinations<T>(choices: readonly T[][]): T[][] {
	return choices.reduce<T[][]>(
		(all, some) => all.flatMap((one) => some.map((next) => [...one, next])),
		[[]],
	);
}
