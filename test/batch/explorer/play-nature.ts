import { MAX_LIST_WAIT_MS } from '../../../core/assumptions';
import { getRowStatus } from '../../../batch/plan/row-status';
import { getNamedBriefIds } from '../support/named-briefs';
import { COLLEAGUE, Oracle, World, type Nature } from '../support/world';

const RUNS = 4;
const GAPS = {
	'thirteen minutes': 780_000,
	'two hours': 7_200_000,
	'three hours': 10_800_000,
} as const;

/** Plays four runs of a CSV with the faults of a path, then without faults until they have come to an end. */
export async function playNature(nature: Nature, path: readonly number[]) {
	const oracle = new Oracle(path);
	const world = new World(nature, oracle);
	for (let run = 0; run < RUNS; run += 1) {
		const isRemoved = nature.isRowRemoved === true && (run === 1 || run === 2);
		await world.runBatch({ rows: isRemoved ? world.rows.slice(0, -1) : world.rows });
		if (run === RUNS - 1) break;
		const gap = oracle.choose(...Object.keys(GAPS)) as keyof typeof GAPS | '';
		await world.clock.pass(gap === '' ? 1000 : GAPS[gap]);
	}
	// From here on nothing fails: what is left must come to an end.
	world.oracle = new Oracle();
	for (let run = 0; run < 2; run += 1) {
		await world.clock.pass(800_000);
		await world.runBatch();
	}
	return { oracle, breach: await findBreach(world, oracle.story) };
}

async function findBreach(world: World, story: readonly string[]): Promise<string | null> {
	const { nature, created } = world;
	const { orders } = await world.readStore();
	for (const row of world.rows) {
		const briefs = created.filter(
			({ input }) => JSON.stringify(input) === JSON.stringify(row.input),
		);
		const own = briefs.filter(({ key }) => key !== COLLEAGUE);
		if (own.length > 1) return `P1: row ${row.number} was paid for ${own.length} times`;
		const other = briefs.find(({ key }) => key === COLLEAGUE);
		const isVisible = nature.listLagMs === 0 && nature.showsInput;
		if (other && own[0] && isVisible && other.createdAt < own[0].createdAt)
			return `P10: row ${row.number} was ordered although a colleague had ordered the same`;
		const order = orders.findByContent(row.contentId).at(-1);
		const status = getRowStatus(
			row,
			order === undefined ? { kind: 'new' } : { kind: 'same', order },
		);
		if (!['ready', 'failed', 'needs_review'].includes(status))
			return `P11: row ${row.number} is ${status}`;
		// Only a refusal after a lost answer is left to the user here.
		const isSettledByList =
			nature.colleague === 'has ordered other content' && nature.listLagMs === 0;
		const isRefused = story.some((fault) => fault.includes('refused'));
		if (isSettledByList && status === 'needs_review' && !isRefused)
			return `P1: row ${row.number} is left to the user although the list settles it`;
	}
	const named = getNamedBriefIds(orders);
	for (const { id, key, input } of created) {
		const owner = orders.findByBrief(id);
		if (key === COLLEAGUE) {
			const isOtherProduct = owner && input.product_name !== owner.input.product_name;
			const isOtherContent = owner && input.audience !== owner.input.audience;
			if (isOtherProduct || (isOtherContent && nature.showsInput))
				return 'P12: the brief of a colleague belongs to a row with other content';
			continue;
		}
		if (owner === undefined && !named.has(id)) return `P2: brief ${id} is lost`;
		if (owner === undefined) continue;
		if (owner.state.kind !== 'ready') return `P2: brief ${id} is ${owner.state.kind}`;
		if (JSON.stringify(owner.input) !== JSON.stringify(input))
			return `P12: brief ${id} belongs to another row`;
		if (!world.files.has(`out/results/${owner.state.file}.md`))
			return `P6: brief ${id} has no file`;
	}
	if (world.isKeyReused) return 'P7: a key came with two bodies';
	// An order without an answer uses a slot for two minutes. A list that lags longer hides its brief.
	const canHideBrief = nature.listLagMs > MAX_LIST_WAIT_MS && story.length > 1;
	if (canHideBrief) return null;
	return world.mostRunning > 2 ? `P4: ${world.mostRunning} briefs ran at once` : null;
}
