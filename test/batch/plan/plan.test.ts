import {
	countRows,
	makePlan,
	tryOfPlanned,
	type Bounds,
	type Plan,
	rowStatus,
	type PlanOptions,
	type PlanSource,
} from '../../../batch/plan/plan';
import type { BriefInput } from '../../../service/api/resources';
import type { Look } from '../../../service/order/shell';
import { products, tableOf, type Content } from '../../support/batch/desk';
import { entry, order, recordsOf, timed, type Unstamped } from '../../support/batch/journal-events';

/** What the journal says of a row, by its place; and what is known besides. */
type Told = Record<number, Array<(key: string) => Unstamped>>;
type Known = Partial<PlanOptions> & Pick<PlanSource, 'looks' | 'bounds'>;

function planOf(given: readonly Content[], told: Told = {}, known: Known = {}): Plan {
	const { rows } = tableOf(given);
	const events = Object.entries(told).flatMap(([place, more]) => {
		const { contentId, input } = rows[Number(place)]!;
		const { product_name } = input;
		const key = `k${place}`;
		const content = { product_name };
		const ordered = { ...entry.ordered(order(key, contentId)), product_name, content };
		return [ordered, entry.intended(key), ...more.map((event) => event(key))];
	});
	const { looks, bounds, ...options } = known;
	return makePlan({
		batch: 'b',
		rows,
		records: recordsOf(...events),
		options,
		...(looks && { looks }),
		...(bounds && { bounds }),
	});
}

const saidOf = ({ rows }: Plan) => rows.map((row) => `${rowStatus(row)}: ${row.todo}`);

const ready = [entry.accepted, (key: string) => entry.ended('ready', key), entry.filed];
const failed = [entry.accepted, (key: string) => entry.ended('failed', key)];

describe('a row is planned by what the journal says of it', () => {
	test.each<[string, Array<(key: string) => Unstamped>, string]>([
		['no answer is on record', [], 'pending: resume'],
		['its brief is being written', [entry.accepted], 'pending: resume'],
		['its files are still to be written', ready.slice(0, 2), 'pending: resume'],
		['it is done', ready, 'ready: nothing'],
		['it has failed', failed, 'failed: nothing'],
		['it is parked', [entry.parked], 'parked: look'],
		['certainly nothing came of it', [entry.withdrawn], 'pending: order'],
	])('%s', (_, events, expected) => {
		expect(saidOf(planOf(['Lamp'], { 0: events }))).toEqual([expected]);
	});

	test('which says nothing of a new row, and nothing that counts of one that cannot be sent', () => {
		expect(saidOf(planOf(['Lamp', '']))).toEqual(['pending: order', 'invalid: nothing']);
	});
});

describe('a row of the same content as an earlier one', () => {
	test('shares its brief and fares as that does', () => {
		const plan = planOf(['Lamp', 'Mug', 'Lamp', 'Mug'], { 0: ready });
		expect(saidOf(plan).slice(2)).toEqual(['ready: nothing', 'pending: nothing']);
		expect(plan.rows.map(({ sameAs }) => sameAs?.row.number)).toEqual([undefined, undefined, 2, 3]);
		expect(countRows(plan.rows)).toMatchObject({ ready: 1, pending: 1, duplicate: 2 });
	});
});

describe('a row whose product was ordered with other content', () => {
	const EDITED: BriefInput = { product_name: 'Lamp', audience: 'chefs' };
	/** A plan of the edited row, with a journal that knows the row as it was. */
	const edited = (events: Array<(key: string) => Unstamped>, known: Known = {}) => {
		const before = planOf(['Lamp'], { 0: events });
		const { rows } = tableOf([EDITED]);
		const options = known;
		return makePlan({ batch: 'b', rows, options, records: before.source.records });
	};

	test('is held back, and ordered if that is asked for', () => {
		expect(saidOf(edited(ready))).toEqual(['changed: nothing']);
		const asked = edited(ready, { orderChanged: true });
		expect(saidOf(asked)).toEqual(['pending: order']);
		expect(asked.rows[0]?.heldBy?.key).toBe('k0');
	});

	test('has failed once that order has, until it is retried: with the next try of that order', () => {
		const { rows, source } = edited([entry.accepted]);
		expect(rows.map(rowStatus)).toEqual(['changed']);
		source.records.apply(timed(entry.ended('failed', 'k0')));
		const by = (options: Partial<PlanOptions>) =>
			makePlan({ ...source, options: { ...source.options, ...options } });
		expect(saidOf(by({}))).toEqual(['failed: nothing']);
		expect(saidOf(by({ orderChanged: true }))).toEqual(['failed: nothing']);
		const retried = by({ retryUpTo: 3 });
		expect(saidOf(retried)).toEqual(['pending: order']);
		expect(tryOfPlanned(retried.rows[0]!, 'b')).toMatchObject({ try: 2, instead_of: 'k0' });
		expect(saidOf(by({ retryUpTo: 1 }))).toEqual(['failed: nothing']);
	});
});

describe('a new row of which the list shows a brief', () => {
	const look = (
		of: NonNullable<PlanSource['looks']> extends ReadonlyMap<number, infer L> ? L : never,
	) => new Map([[2, of]]);

	test('is compared, and then taken over, parked or ordered', () => {
		const brief = { id: 'theirs' } as never;
		const cases: Array<[PlanSource['looks'], string, string[]]> = [
			[undefined, 'pending: order', []],
			[look({ is: 'found', brief }), 'pending: take_over', ['theirs']],
			[look({ is: 'unclear', ids: ['a', 'b'] }), 'pending: park', ['a', 'b']],
			[look({ is: 'nothing' }), 'pending: order', []],
		];
		for (const [looks, expected, briefIds] of cases) {
			const plan = planOf(['Lamp'], {}, looks === undefined ? {} : { looks });
			expect([saidOf(plan), plan.rows[0]?.briefIds]).toEqual([[expected], briefIds]);
		}
	});

	test('is ordered with --order-again, and so are rows that took such a brief over or were parked for it', () => {
		const { rows } = tableOf(['Lamp', 'Mug', 'Jug']);
		const named = (key: string, place: number) => order(key, rows[place]?.contentId ?? '');
		const records = recordsOf(
			entry.ordered(named('k0', 0)),
			{ ...entry.accepted('k0', 'x'), found: true, paid: false },
			...[entry.ended('ready', 'k0'), entry.filed('k0')],
			entry.ordered(named('k1', 1)),
			{ event: 'parked', key: 'k1', reason: 'listed', ids: [] },
		);
		const looks = new Map<number, Look>([
			[3, { is: 'unclear', ids: ['hidden'] }],
			[4, { is: 'found', brief: { id: 'theirs' } as never }],
		]);
		const source = { batch: 'b', rows, records, looks };
		const as = (orderAgain: boolean) => makePlan({ ...source, options: { orderAgain } });
		expect(saidOf(as(false))).toEqual(['ready: nothing', 'parked: park', 'pending: take_over']);
		expect(saidOf(as(true))).toEqual(['ready: order', 'parked: order', 'pending: order']);
		const again = as(true).rows.map((row) => [row.again, tryOfPlanned(row, 'b').try]);
		expect(again).toEqual(Array(3).fill(['order_again', 2]));
	});
});

describe('the rows to order share what the allowance gives', () => {
	const shares = (n: number, rest: number, max: number, perMonth: number | null = 2) => {
		const bounds: Bounds = { rest, max, perMonth, now: Date.UTC(2026, 10, 20) };
		return planOf(products(n), {}, { bounds }).rows;
	};

	test.each([
		[10, 4, Infinity, [4, 0, 6]],
		[10, 4, 2, [2, 2, 6]],
		[10, 40, 2, [2, 8, 0]],
		[3, 40, 5, [3, 0, 0]],
		[3, 0, 5, [0, 0, 3]],
		[10, Infinity, 2, [2, 8, 0]],
	])('%d to order, %d left and --max %d', (n, left, max, expected) => {
		const rows = shares(n, left, max);
		const count = (is: string) => rows.filter(({ when }) => when?.is === is).length;
		expect(['now', 'beyond_max', 'deferred'].map(count)).toEqual(expected);
		expect(countRows(rows).deferred).toBe(expected[2]);
	});

	test('and those beyond it wait for the months to come', () => {
		const months = (perMonth: number | null) =>
			shares(4, 1, Infinity, perMonth).map(({ when }) =>
				when?.is === 'deferred' ? (when.until?.slice(0, 7) ?? 'never') : when?.is,
			);
		expect(months(2)).toEqual(['now', '2026-12', '2026-12', '2027-01']);
		expect(months(0)).toEqual(['now', 'never', 'never', 'never']);
	});
});
