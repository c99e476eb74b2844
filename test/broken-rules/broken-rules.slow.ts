import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../../harness/paths';
import { BROKEN_RULES, type BrokenRule } from './broken-rules';

/*
 * Breaks each rule in turn, and runs the unit test that must notice it. With BROKEN_RULES_HISTORIES, also counts the random
 * histories until the swarm notices it, and prints the table of docs/reliability.md:
 *
 *     npx jest -c test/slow.config.js test/broken-rules                                the unit tests
 *     BROKEN_RULES_HISTORIES=3000 npx jest -c test/slow.config.js test/broken-rules    and the table, in an hour
 *     … -t 'rule 12 '                                                                  one rule
 */

const HISTORIES = Number(process.env['BROKEN_RULES_HISTORIES'] ?? 0);
const TIMEOUT_MS = 120_000 + HISTORIES * 500;

beforeAll(() => {
	if (HISTORIES > 0) print(['| rule | broken | unit test | histories |', '|---|---|---|---|']);
});

test.each(BROKEN_RULES)(
	'rule $rule is tested: $broken',
	(rule) => {
		const { failures, isCompiled } = runTest(rule, `${rule.test}.test.ts`);
		expect(isCompiled).toBe(true);
		expect(failures).toContainEqual(expect.stringContaining('expect('));
		if (HISTORIES > 0)
			print([`| ${rule.rule} | ${rule.broken} | \`${rule.test}\` | ${findSeed(rule)} |`]);
	},
	TIMEOUT_MS,
);

/** Returns the seed of the first history that notices the broken rule. */
function findSeed(rule: BrokenRule): string {
	const { failures } = runTest(rule, 'test/swarm', { SEED: '1', SWARM_HISTORIES: `${HISTORIES}` });
	if (failures.length === 0) return '–';
	return /SEED=(\d+) SWARM/.exec(failures.join())?.[1] ?? failures.join();
}

interface TestResult {
	/** The messages of the failed tests. */
	readonly failures: readonly string[];
	readonly isCompiled: boolean;
}

function runTest(rule: BrokenRule, path: string, env: Record<string, string> = {}): TestResult {
	const args = ['node_modules/jest/bin/jest.js', '-c', 'test/broken-rules/jest.config.js'];
	const { stdout, stderr } = spawnSync(process.execPath, [...args, '--json', path], {
		cwd: repositoryRoot,
		env: { ...process.env, ...env, BROKEN_RULE: JSON.stringify(rule) },
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

function print(lines: readonly string[]): void {
	process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
