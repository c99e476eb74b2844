import type { Journal } from '../folder/journal/journal';
import { newNumbers } from '../plan/own-numbers';
import type { Plan } from '../plan/plan';

/** Puts the rows' own numbers on record with their orders: by them a row is known once its product is renamed. */
export async function numberOrders(plan: Plan, journal: Journal): Promise<void> {
	const numbers = newNumbers(plan);
	if (numbers.size > 0)
		await journal.append({ type: 'numbered', numbers: Object.fromEntries(numbers) });
}
