import fc from 'fast-check';
import { CliError } from '../../batch/cli-error';
import type { Row } from '../../batch/csv/types';
import { matchRows } from '../../batch/orders/match-rows';
import { getRowStatus } from '../../batch/plan/row-status';
import type { BriefInput } from '../../core/api/types';
import { draws, isTorture } from '../support/long-run';
import { makeRow } from './support/order-builder';
import { Oracle, World } from './support/world';

/*
 * Months of a user, drawn at random: runs with faults, retries, edited, moved, removed and skipped rows, and time that passes.
 * What the service has made is compared with what the user asked for. SEED and SEED_PATH repeat a failure.
 */

jest.setTimeout(isTorture ? 7_200_000 : 120_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const AUDIENCES = ['Bakers', 'Cooks', 'Kids'];
const NAMES = ['Mug', 'Pan', 'Lamp', 'Rug'];

/** A fault at one of the next effects of the program. */
interface DrawnFault {
	readonly at: number;
	readonly pick: number;
}

class DrawnFaults extends Oracle {
	constructor(private readonly faults: readonly DrawnFault[]) {
		super();
	}

	override choose(...possible: string[]): string {
		const fault = this.faults.find(({ at }) => at === this.taken.length);
		this.taken.push(0);
		return fault === undefined ? '' : (possible[fault.pick % possible.length] ?? '');
	}
}

type Action =
	| {
			readonly do: 'run' | 'retry' | 'reorder';
			readonly row: number;
			readonly faults: DrawnFault[];
	  }
	| { readonly do: 'edit'; readonly row: number; readonly audience: number }
	| { readonly do: 'remove' | 'skip' | 'accept'; readonly row: number }
	| { readonly do: 'reverse' }
	| { readonly do: 'pass'; readonly ms: number };

const row = fc.nat(NAMES.length - 1);
const faults = fc.array(fc.record({ at: fc.nat(60), pick: fc.nat(20) }), { maxLength: 2 });
const command = fc.constantFrom('run', 'run', 'run', 'retry', 'reorder');
const action: fc.Arbitrary<Action> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ do: command, row, faults }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('edit'), row, audience: fc.nat(2) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constantFrom('remove', 'skip', 'accept'), row }) },
	{ weight: 1, arbitrary: fc.constant({ do: 'reverse' as const }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('pass'),
			ms: fc.constantFrom(10 * MINUTE, 59 * MINUTE, 3 * HOUR, 2 * DAY, 24 * DAY),
		}),
	},
);

const month = fc.record({
	actions: fc.array(action, { minLength: 2, maxLength: 12 }),
	hasRowIds: fc.boolean(),
	listLagMs: fc.constantFrom(0, 5 * MINUTE),
	/** The products whose first brief fails. */
	failing: fc.subarray(NAMES),
});

type Month = typeof month extends fc.Arbitrary<infer Value> ? Value : never;

interface Line {
	readonly id: string;
	input: BriefInput;
	isRemoved: boolean;
	isSkipped: boolean;
}

/** A user with a CSV, and how many briefs of each input the user has asked for. */
class User {
	readonly world: World;
	readonly allowed = new Map<string, number>();
	private lines: Line[] = NAMES.map((product_name, index) => ({
		id: `SKU-${index}`,
		input: { product_name, audience: 'Bakers' },
		isRemoved: false,
		isSkipped: false,
	}));

	constructor(private readonly month: Month) {
		const { listLagMs, failing } = month;
		this.world = new World({ listLagMs });
		this.world.failedBriefs = ({ product_name }, index) =>
			index === 0 && failing.includes(product_name);
	}

	get rows(): Row[] {
		const lines = this.lines.filter(({ isRemoved }) => !isRemoved);
		const { hasRowIds } = this.month;
		return lines.map(({ id, input, isSkipped }, index) =>
			makeRow(index + 2, input, { rowId: hasRowIds ? id : null, isSkipped }),
		);
	}

	async act(next: Action): Promise<void> {
		switch (next.do) {
			case 'reverse':
				this.lines = this.lines.toReversed();
				return;
			case 'pass':
				await this.world.clock.pass(next.ms);
				return;
			case 'edit':
				this.edit(next.row, (line) => {
					line.input = { ...line.input, audience: AUDIENCES[next.audience] ?? '' };
				});
				return;
			case 'remove':
				this.edit(next.row, (line) => (line.isRemoved = !line.isRemoved));
				return;
			case 'skip':
				this.edit(next.row, (line) => (line.isSkipped = !line.isSkipped));
				return;
			case 'accept':
				await this.run('run', { acceptEdits: ['changed'] });
				return;
			default:
				this.world.oracle = new DrawnFaults(next.faults);
				await this.order(next.do, next.row);
				this.world.oracle = new Oracle();
		}
	}

	private async order(what: 'run' | 'retry' | 'reorder', index: number): Promise<void> {
		const { rows } = this;
		if (what === 'retry') for (const { input } of rows) this.allow(input);
		const chosen = rows[index];
		if (what !== 'reorder' || chosen === undefined)
			return await this.run(what === 'retry' ? 'retry' : 'run');
		this.allow(chosen.input);
		await this.run('run', { reorder: [String(chosen.number)] });
	}

	async run(verb: 'run' | 'retry', options: object = {}): Promise<void> {
		const { rows } = this;
		try {
			const command = { rows, command: verb, options: { maxFailures: ['0'], ...options } };
			await this.world.runBatch(command);
		} catch (error) {
			// An option that has no effect on its row is refused.
			if (!(error instanceof CliError)) throw error;
		}
		await this.world.clock.pass(1000);
	}

	private edit(index: number, change: (line: Line) => void): void {
		const line = this.lines[index];
		if (line !== undefined) change(line);
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
	const matches = matchRows(rows, orders);
	const open = rows.filter((each) => getRowStatus(each, matches.get(each)) === 'pending');
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
		// Without faults, what is left comes to an end.
		for (let run = 0; run < 3; run += 1) {
			await user.world.clock.pass(20 * MINUTE);
			await user.run('run');
		}
		expect(await findBreaches(user)).toEqual([]);
		const count = user.world.created.length;
		await user.run('run');
		expect(user.world.created.length).toBe(count);
	});
	await fc.assert(property, draws(isTorture ? 20_000 : 150, 20261128));
});
