import { exploreFaults } from '../../support/explore-faults';
import { DAY, HOUR } from '../../support/time';
import { CASES } from './cases';
import { playCase } from './play';

/*
 * Runs brief-batch with every sequence of at most this number of faults, and compares the promises with the briefs that the
 * service has created.
 *
 *     npx jest test/batch/explorer                                   every case with one fault
 *     npx jest -c test/slow.config.js test/batch/explorer            some cases with two faults, others each day
 *     EXPLORER_FAULTS=3 npx jest -c test/slow.config.js …/explorer        one case with three faults, another each day
 *     npx jest test/batch/explorer -t ': two folders$'               one case alone
 *
 * A breach prints its faults and the command that plays its path again: EXPLORER_PATH=0,0,3 npx jest … -t ': two folders$'
 */

/** A case with one fault takes one to three seconds of an idle core, and a case with three faults half an hour. */
const TIMEOUT_MS = 3 * HOUR;

const CASE_NAMES = Object.keys(CASES);

/** Returns the cases of one of `shards` test files, so that jest's workers share the cases. */
export function selectShard(index: number, shards: number): string[] {
	return CASE_NAMES.filter((_, position) => position % shards === index);
}

/**
 * Returns `count` cases, others each day, until every case was selected. They are spread over the list, because similar cases
 * are next to each other and take equally long.
 */
export function selectForDay(count: number): string[] {
	const day = Math.floor(Date.now() / DAY);
	const step = Math.ceil(CASE_NAMES.length / count);
	return Array.from({ length: count }, (_, index) => {
		return CASE_NAMES[(day + index * step) % CASE_NAMES.length] ?? '';
	});
}

/** Defines a test per case, which plays every path with at most this many faults. */
export function testCases(names: readonly string[], faults: number): void {
	test.each(names)(
		`keeps every promise after at most ${faults} fault(s): %s`,
		async (name) => {
			const path = process.env['EXPLORER_PATH']?.split(',').map(Number);
			expect(await explore(name, path === undefined ? faults : 0, path)).toEqual([]);
		},
		TIMEOUT_MS,
	);
}

/** Returns each broken promise, with the faults that led to it and how to play them again. */
async function explore(name: string, faults: number, start?: readonly number[]): Promise<string[]> {
	const explored = CASES[name];
	if (explored === undefined) throw new Error(`There is no case ${name}`);
	const breaches = await exploreFaults((path) => playCase(explored, path), faults, start);
	return breaches.map(({ breach, story, path }) => {
		const replay = `EXPLORER_PATH=${path.join(',')} npx jest test/batch/explorer -t ': ${name}$'`;
		return `${breach}\n${story.join(' | ')}\n${replay}`;
	});
}
