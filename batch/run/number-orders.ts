import type { Journal } from '../folder/journal/journal';
import { orderOf } from '../folder/records';
import { newNumbers } from '../plan/own-numbers';
import type { Plan } from '../plan/plan';

/** Puts the rows' own numbers on record with their orders: by them a row is known once its product is renamed. */
export async function numberOrders(plan: Plan, journal: Journal): Promise<void> {
	const lines = [...newNumbers(plan)].flatMap(([key, own_number]) => {
		const order = journal.records.withKey(key);
		if (order === undefined) return [];
		const { content } = order;
		return [{ event: 'ordered', ...orderOf(order), own_number, content } as const];
	});
	if (lines.length > 0) await journal.keep(...lines);
}
