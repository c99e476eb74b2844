import fc from 'fast-check';
import { UsageProblem } from '../../batch/cli-error';
import type { TypedOptions } from '../../batch/cli/settings';
import type { Row } from '../../batch/csv/types';
import { matchRows } from '../../batch/orders/match-rows';
import { readRowStatus } from './support/world';
import type { BriefInput } from '../../core/api/types';
import { getPropertySettings, isTorture } from '../support/long-run';
import { makeRow } from './support/order-builder';
import { Oracle } from '../support/oracle';
import { World } from './support/world';
import { DAY, HOUR, MINUTE } from '../support/time';

/*
 * Random sequences of a user's actions over months: runs with faults, retries, edited, moved, removed and skipped rows. The
 * briefs that the service has created are compared with those that the user asked for. SEED and SEED_PATH repeat a failure.
 */

jest.setTimeout(isTorture ? 7_200_000 : 120_000);

const NAMES = ['Mug', 'Pan', 'Lamp', 'Rug'];

/** A fault at one of the next effects of the program. */
const fault = fc.record({ at: fc.nat(60), pick: fc.nat(20) });

/** The kind decides which of the other values count. */
const action = fc.record({
	kind: fc.constantFrom(
		...(['run', 'run', 'run', 'run', 'retry', 'reorder', 'edit', 'edit'] as const),
		...(['remove', 'skip', 'accept', 'reverse', 'pass', 'pass'] as const),
	),
	row: fc.nat(NAMES.length - 1),
	audience: fc.constantFrom('Bakers', 'Cooks', 'Kids'),
	faults: fc.array(fault, { maxLength: 2 }),
	ms: fc.constantFrom(10 * MINUTE, 59 * MINUTE, 3 * HOUR, 2 * DAY, 24 * DAY),
});

const month = fc.record({
	actions: fc.array(action, { minLength: 2, maxLength: 12 }),
	hasRowIds: fc.boolean(),
	listLagMs: fc.constantFrom(0, 5 * MINUTE),
	/** The products whose first brief fails. */
	failing: fc.subarray(NAMES),
});

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Month = Drawn<typeof month>;
type Action = Month['actions'][number];

class DrawnFaults extends Oracle {
	constructor(private readonly faults: Action['faults']) {
		super();
	}

	override choose(...possible: string[]): string {
		const drawn = this.faults.find(({ at }) => at === this.taken.length);
		this.taken.push(0);
		return drawn === undefined ? '' : (possible[drawn.pick % possible.length] ?? '');
	}
}

/** A user with a CSV, and how many briefs of each input the user has asked for. */
class User {
	readonly world: World;
	readonly allowed = new Map<string, number>();
	private lines = NAMES.map((product_name) => ({
		rowId: product_name,
		input: { product_name, audience: 'Bakers' },
		isRemoved: false,
		isSkipped: false,
	}));

	constructor(private readonly month: Month) {
		const { listLagMs, failing } = month;
		this.world = new World({ listLagMs });
		this.world.shouldFail = ({ product_name }, index) =>
			index === 0 && failing.includes(product_name);
	}

	get rows(): Row[] {
		const lines = this.lines.filter(({ isRemoved }) => !isRemoved);
		return lines.map(({ rowId, input, isSkipped }, index) =>
			makeRow(index + 2, input, { rowId: this.month.hasRowIds ? rowId : null, isSkipped }),
		);
	}

	async act({ kind, row, audience, faults, ms }: Action): Promise<void> {
		const line = this.lines[row];
		if (line === undefined) return;
		switch (kind) {
			case 'reverse':
				this.lines = this.lines.toReversed();
				return;
			case 'edit':
				line.input = { ...line.input, audience };
				return;
			case 'remove':
				line.isRemoved = !line.isRemoved;
				return;
			case 'skip':
				line.isSkipped = !line.isSkipped;
				return;
			case 'pass':
				return await this.world.clock.pass(ms);
			case 'accept':
				return await this.run('run', { acceptEdits: ['changed'] });
			default:
				this.world.oracle = new DrawnFaults(faults);
				await this.order(kind, row);
				this.world.oracle = new Oracle();
		}
	}

	private async order(kind: 'run' | 'retry' | 'reorder', index: number): Promise<void> {
		const { rows } = this;
		const chosen = rows[index];
		if (kind === 'retry') for (const { input } of rows) this.allow(input);
		if (kind !== 'reorder') return await this.run(kind);
		if (chosen === undefined) return await this.run('run');
		this.allow(chosen.input);
		await this.run('run', { reorder: [String(chosen.number)] });
	}

	async run(command: 'run' | 'retry', typed: TypedOptions = {}): Promise<void> {
		const { rows } = this;
		await this.world.runBatch({ rows, command, options: typed }).catch((error: unknown) => {
			// An option that has no effect on its row is refused.
			if (!(error instanceof UsageProblem)) throw error;
		});
		await this.world.clock.pass(1000);
	}

	private allow(input: BriefInput): void {
		const name = JSON.stringify(input);
		this.allowed.set(name, (this.allowed.get(name) ?? 1) + 1);
	}
}

/** Returns the promises that are broken. */
async function findBreaches({ world, rows, allowed }: User): Promise<string[]> {
	const { created, files } = world;
	const { orders } = await world.readStore();
	const counts = new Map<string, number>();
	for (const { input } of created) {
		const name = JSON.stringify(input);
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	const twice = [...counts].filter(([name, count]) => count > (allowed.get(name) ?? 1));
	const lost = await world.findLostBriefs('out');
	const matches = matchRows(rows, orders, world.clock.now());
	const open = rows.filter((each) => readRowStatus(each, orders, matches) === 'pending');
	const wrongFiles = orders.live.filter(({ input, state }) => {
		if (state.kind !== 'ready') return false;
		const text = files.get(`out/results/${state.file}.json`)?.toString() ?? '{}';
		const { id } = JSON.parse(text) as { id?: string };
		const brief = created.find((each) => each.id === id);
		return id !== state.brief.id || brief?.input.product_name !== input.product_name;
	});
	return [
		...twice.map(([name, count]) => `P1: ${name} was paid for ${count} times`),
		...lost.map(({ id }) => `P2: brief ${id} is lost`),
		...(world.mostRunning > 2 ? [`P4: ${world.mostRunning} briefs ran at once`] : []),
		...(world.isKeyReused ? ['P7: a key came with two bodies'] : []),
		...open.map(({ number }) => `P11: row ${number} is pending`),
		...wrongFiles.map(({ id }) => `P12: order ${id} has another file`),
	];
}

test('keeps every promise in any sequence of runs, edits, faults and time', async () => {
	const property = fc.asyncProperty(month, async (drawn) => {
		const user = new User(drawn);
		for (const next of drawn.actions) await user.act(next);
		// Without faults, the remaining rows reach a final status.
		for (let run = 0; run < 3; run += 1) {
			await user.world.clock.pass(20 * MINUTE);
			await user.run('run');
		}
		expect(await findBreaches(user)).toEqual([]);
		const count = user.world.created.length;
		await user.run('run');
		expect(user.world.created.length).toBe(count);
	});
	await fc.assert(property, getPropertySettings(isTorture ? 20_000 : 150, 20261128));
});
