import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../../harness/paths';
import { BROKEN_RULES, type BrokenRule } from './broken-rules';

/*
 * Breaks each rule in turn, and runs the unit test that must fail. With BROKEN_RULES_HISTORIES, also counts the random
 * histories until the swarm fails, and prints the table of docs/reliability.md:
 *
 *     npx jest -c test/slow.config.js test/broken-rules                                the unit tests
 *     BROKEN_RULES_HISTORIES=3000 npx jest -c test/slow.config.js test/broken-rules    and the table, in an hour
 *     … -t 'rule 12 '                                                                  one rule
 *
 * SEED chooses other histories. Histories that fail with the unbroken code, too, do not count.
 */

const HISTORIES = Number(process.env['BROKEN_RULES_HISTORIES'] ?? 0);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const TIMEOUT_MS = 120_000 + HISTORIES * 500;

beforeAll(() => {
	if (HISTORIES > 0) print('| rule | broken | unit test | histories |\n|---|---|---|---|');
});

test.each(BROKEN_RULES)(
	'rule $rule is tested: $broken',
	(broken) => {
		const { failures, isCompiled } = runTest(broken, `${broken.test}.test.ts`);
		expect(isCompiled).toBe(true);
		expect(failures).toContainEqual(expect.stringContaining('expect('));
		if (HISTORIES > 0)
			print(
				`| ${broken.rule} | ${broken.broken} | \`${broken.test}\` | ${countHistories(broken)} |`,
			);
	},
	TIMEOUT_MS,
);

/** Returns how many histories are played until one fails that succeeds without the broken rule. */
function countHistories(broken: BrokenRule): string {
	const end = FIRST_SEED + HISTORIES;
	for (let seed = FIRST_SEED; seed < end; seed += 1) {
		const failed = findFailingSeed(broken, seed, end - seed);
		if (failed === null) return '–';
		const unbroken = { ...broken, to: broken.from };
		if (findFailingSeed(unbroken, failed, 1) === null) return String(failed - FIRST_SEED + 1);
		seed = failed;
	}
	return '–';
}

function findFailingSeed(broken: BrokenRule, seed: number, histories: number): number | null {
	const env = { SEED: String(seed), SWARM_HISTORIES: String(histories) };
	const { failures } = runTest(broken, 'test/swarm', env);
	if (failures.length === 0) return null;
	const [, failed] = /SEED=(\d+) SWARM_HISTORIES=1 /.exec(failures.join()) ?? [];
	if (failed === undefined) throw new Error(failures.join());
	return Number(failed);
}

interface TestResult {
	/** The messages of the failed tests. */
	readonly failures: readonly string[];
	readonly isCompiled: boolean;
}

function runTest(broken: BrokenRule, path: string, env: Record<string, string> = {}): TestResult {
	const args = ['node_modules/jest/bin/jest.js', '-c', 'test/broken-rules/jest.config.js'];
	const { stdout, stderr } = spawnSync(process.execPath, [...args, '--json', path], {
		cwd: repositoryRoot,
		env: { ...process.env, ...env, BROKEN_RULE: JSON.stringify(broken) },
		encoding: 'utf8',
		timeout: TIMEOUT_MS,
	});
	if (stdout === '') throw new Error(`No result: ${stderr}`);
	const { numRuntimeErrorTestSuites, testResults } = JSON.parse(stdout) as JestResult;
	const results = testResults.flatMap(({ assertionResults }) => assertionResults);
	return {
		failures: results.flatMap(({ failureMessages }) => failureMessages),
		isCompiled: numRuntimeErrorTestSuites === 0,
	};
}

/** The result that jest prints. */
interface JestResult {
	readonly numRuntimeErrorTestSuites: number;
	readonly testResults: ReadonlyArray<{
		readonly assertionResults: ReadonlyArray<{ readonly failureMessages: readonly string[] }>;
	}>;
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
