import {
	BROKEN_JSON,
	BUSY,
	CUT,
	LOGIN_PAGE,
	rateLimit,
	refusal,
	refused,
	type Fault,
} from '../faults';
import { inputOf, type Content } from '../batch/desk';
import type { WireResponse } from '../../../service/api/ports';
import type { VirtualSandboxOptions } from '../virtual-sandbox';
import { Promises } from './promises';
import { World, type Start } from './world';
import { DAY, HOUR, MINUTE } from '../time';

/** What a service, a gateway or a network may do to one request, by name, so that a sequence can be written down. */
export const FAULTS = {
	'never sent': { answerLost: 'never-sent' },
	'lost before': { answerLost: 'before' },
	'lost after': CUT,
	'broken JSON': BROKEN_JSON,
	'login page': LOGIN_PAGE,
	redirect: { answer: { status: 307, headers: { location: 'https://other.example/' } } },
	timeout: { answer: refusal(408, 'timeout', 'Too slow'), after: true },
	'500': refused(500, 'internal', 'Oops'),
	'saved 500': { answer: refusal(500, 'internal', 'Oops'), isSaved: true },
	'502 after': { answer: { status: 502, body: '<html>' }, after: true },
	'503': refused(503, 'down', 'Maintenance', { 'retry-after': '90' }),
	rate: rateLimit(7),
	'rate, 50 minutes': rateLimit(3000),
	'rate, a day': rateLimit(86_400),
	'rate by header': refused(429, '', 'Too many requests', { 'ratelimit-reset': '20' }),
	'slots 429': BUSY,
	'slots 409': refused(409, 'conflict', 'Two briefs are already running'),
	allowance: refused(429, 'allowance_reached', 'Nothing is left of this month'),
	'in flight': {
		answer: refusal(409, 'idempotency_in_progress', 'The key is in use'),
		after: true,
	},
	...pagesOf(400, 401, 403, 404, 405, 407, 409, 413, 422, 451),
	'page 403 after': { answer: pageOf(403), after: true },
	'page 429': { answer: pageOf(429, { 'retry-after': '7' }) },
	'page 429, a day': { answer: pageOf(429, { 'retry-after': '86400' }) },
	teapot: { answer: { status: 418, body: '' } },
	'empty 200': { answer: { status: 200, body: '{}' }, after: true },
	refused: refused(400, 'invalid_request', 'Not this product'),
	'key refused': refused(401, 'unauthorized', 'Revoked'),
	'scope refused': refused(403, 'insufficient_scope', 'No'),
} satisfies Record<string, Fault>;

/** A page of each of these statuses, from something between that has passed no request on. */
function pagesOf<Status extends number>(...statuses: Status[]): Record<`page ${Status}`, Fault> {
	const pages = statuses.map((status) => [`page ${status}`, { answer: pageOf(status) }]);
	return Object.fromEntries(pages) as Record<`page ${Status}`, Fault>;
}

function pageOf(status: number, headers: Record<string, string> = {}): WireResponse {
	return { status, headers, body: `<html><title>Page ${status}</title>` };
}

export type FaultName = keyof typeof FAULTS;
type Operation = 'create_brief' | 'get_brief' | 'list_briefs' | 'list_licences';

/** One thing that happens in the world. All of it is plain data, so that a failing sequence can be kept as a test. */
export type Action =
	| ({ do: 'run' } & Start)
	/** The next requests of an operation meet faults, one each. */
	| { do: 'fault'; on: Operation; with: FaultName; times: number }
	/**
	 * The CSV: rows added, taken out, changed, moved. `cell` edits what is ordered of a product, and `set` does it in every
	 * row, as a --set that is given or forgotten.
	 */
	| {
			do: 'edit';
			how: 'add' | 'remove' | 'change' | 'reverse' | 'double' | 'cell' | 'set';
			at: number;
	  }
	/** Somebody else’s brief, of the product of a row if that is given, on terms of their own. */
	| { do: 'others'; minutes: number; of?: number }
	| { do: 'pass'; ms: number }
	| { do: 'next month' }
	/** The machine's clock is set, or that of the Date header. */
	| { do: 'skew' | 'date'; ms: number };

export interface Case {
	options: VirtualSandboxOptions & { failsEvery?: number };
	actions: Action[];
}

const ROWS = 3;

function begun({ failsEvery, ...options }: Case['options']): World {
	const failed = (index: number) => failsEvery !== undefined && index % failsEvery === 1;
	const world = new World({ ...options, failed });
	world.rows = Array.from({ length: ROWS }, (_, i) => `Product ${i}`);
	return world;
}

/** A world after all that, whatever came of it; then nothing is wrong any more, everything is listed, and the CSV is edited. */
export async function playedOut(
	{ options, actions }: Case,
	edits: readonly Action[],
): Promise<World> {
	const world = begun(options);
	let productCount = ROWS;
	for (const action of actions) productCount = await act(world, action, productCount);
	world.service.mend();
	world.disk.mend();
	await world.pass(HOUR);
	for (const one of edits) productCount = await act(world, one, productCount);
	return world;
}

/** Plays a sequence and holds every promise after each step; and at the end, when all trouble is over. */
export async function play(
	{ options, actions }: Case,
	onWorld: (world: World) => void = () => undefined,
): Promise<World> {
	const world = begun(options);
	onWorld(world);
	const promises = new Promises(world);
	let productCount = ROWS;
	for (const action of actions) {
		productCount = await act(world, action, productCount);
		promises.check();
	}
	await settleDown(world, promises);
	return world;
}

/** @returns the number of the next product that is made up */
async function act(world: World, action: Action, productCount: number): Promise<number> {
	switch (action.do) {
		case 'run':
			await world.run(action);
			break;
		case 'fault':
			for (let n = 0; n < action.times; n += 1) world.service.fail(action.on, FAULTS[action.with]);
			break;
		case 'edit':
			return edit(world, action, productCount);
		case 'others':
			if (world.service.running() < 2)
				world.service.startOther(action.minutes * MINUTE, ...othersOrder(world, action.of));
			break;
		case 'pass':
			await world.pass(action.ms);
			break;
		case 'next month':
			await world.pass(nextMonth(world.clock.now()) - world.clock.now());
			break;
		case 'skew':
			// If the service does not give its time, nobody can know that clocks differ.
			if (world.options.isDateless !== true && world.service.dateAhead === 0)
				world.skew = action.ms;
			break;
		case 'date':
			// One clock is right.
			if (world.skew === 0) world.service.dateAhead = action.ms;
	}
	return productCount;
}

function edit(world: World, { how, at }: Action & { do: 'edit' }, productCount: number): number {
	const { rows } = world;
	const place = rows.length === 0 ? 0 : at % rows.length;
	switch (how) {
		case 'add':
			rows.splice(place, 0, `Product ${productCount}`);
			return productCount + 1;
		case 'remove':
			if (rows.length > 1) rows.splice(place, 1);
			return productCount;
		case 'change':
			rows[place] = `Product ${productCount}`;
			return productCount + 1;
		case 'reverse':
			rows.reverse();
			return productCount;
		case 'double':
			rows.push(rows[place] ?? 'Product 0');
			return productCount;
		case 'cell':
			rows[place] = withTerms(rows[place] ?? 'Product 0', at);
			return productCount;
		case 'set':
			world.rows = rows.map((row) => withTerms(row, at));
			return productCount;
	}
}

function othersOrder({ rows }: World, of: number | undefined): [product?: string, terms?: string] {
	const row = of === undefined ? undefined : rows[of % rows.length];
	if (row === undefined) return [];
	return [inputOf(row).product_name, 'Theirs'];
}

/** The row with other campaign terms, or none. */
function withTerms(row: Content, at: number): Content {
	const { product_name } = inputOf(row);
	return at % 3 === 0 ? product_name : { product_name, campaign_terms: `${at % 3}0 %` };
}

function nextMonth(now: number): number {
	const date = new Date(now);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1, 0, 5);
}

/** So many runs must be enough once nothing goes wrong any more: a month's allowance each, and time in between. */
const RUNS_TO_THE_END = 8;

/** All faults are gone, and the same command is run again, as the messages say, until nothing is left to do. */
export async function settleDown(world: World, promises: Promises): Promise<void> {
	world.service.mend();
	world.disk.mend();
	for (let runs = 1; ; runs += 1) {
		const ending = await world.run();
		promises.check();
		if ('report' in ending) {
			const { pending, deferred } = ending.report.end.counts;
			if (pending + deferred === 0 && ending.report.end.stop === undefined) break;
			if (deferred > 0) await world.pass(nextMonth(world.clock.now()) - world.clock.now());
		}
		if (runs === RUNS_TO_THE_END) {
			throw new Error(`After ${runs} runs without a fault: ${JSON.stringify(ending)}`);
		}
		// Before an order without an answer is sent again, the list has to be certain of the tries before.
		await world.pass(runs < 4 ? 2 * HOUR : DAY);
	}
	// Parked briefs, and those of rows that are gone from the CSV, end one day.
	await world.pass(DAY);
	await world.run();
	promises.checkEnd();
}
