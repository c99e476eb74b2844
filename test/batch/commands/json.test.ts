import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv from 'ajv';
import { makeRefusal } from '../../support/faults';
import { DAY } from '../../support/time';
import { TestProgram } from '../support/test-program';
import { listProducts } from '../support/world';
import { COLLEAGUE } from '../../support/virtual-service';

const schema = JSON.parse(
	readFileSync(resolve(__dirname, '../../../batch/schema.json'), 'utf8'),
) as object;
const validate = new Ajv({
	allErrors: true,
	validateFormats: false,
	allowUnionTypes: true,
}).compile(schema);

/** The parts of an object that the tests read. */
interface Output {
	readonly command: string;
	readonly exit_code: number;
	readonly error: { code: string; message: string; next_steps: Step[] } | null;
	readonly out?: string;
	readonly csv?: string | null;
	readonly counts?: Readonly<Record<string, number>> | null;
	readonly cost?: Readonly<Record<string, unknown>> | null;
	readonly run?: Readonly<Record<string, unknown>> | null;
	readonly stop?: { code: string } | null;
	readonly next_steps?: readonly Step[];
	readonly confirmations?: ReadonlyArray<{ code: string }>;
	readonly rows?: ReadonlyArray<Readonly<Record<string, unknown>>> | null;
	readonly other_briefs?: ReadonlyArray<Readonly<Record<string, unknown>>>;
	readonly folders?: ReadonlyArray<{ exit_code: number; error: { code: string } | null }>;
	readonly checks?: ReadonlyArray<{ check: string; state: string }>;
}

interface Step {
	readonly command: string | null;
	readonly argv: readonly string[] | null;
	readonly briefs: number | null;
}

/** Returns the only object on standard output, which fits the schema. */
async function runJson(program: TestProgram, words: string, yes = 'true'): Promise<Output> {
	const { code, stdout } = await program.type(`${words} --json`, {
		env: { CREATOR_BRIEFING_YES: yes },
	});
	const lines = stdout.trimEnd().split('\n');
	expect(lines).toHaveLength(1);
	const output = JSON.parse(lines[0] ?? '') as Output;
	validate(output);
	expect(validate.errors ?? []).toEqual([]);
	expect(output.exit_code).toBe(code);
	return output;
}

const makeProgram = (...names: readonly string[]) => new TestProgram(names, { allowance: 10 });

const pick = (output: Output, field: string) => output.rows?.map((row) => row[field]);

test('a plan names the cost, and the action of each row', async () => {
	const program = makeProgram('Mug', 'n/a', 'Mug', 'Pan');
	const output = await runJson(program, 'plan products.csv --max 1');
	expect(output.cost).toMatchObject({ to_order: 1, to_order_in_all: 2, months: 1, allowance: 10 });
	expect(pick(output, 'action')).toEqual(['order', 'none', 'order', 'none']);
	expect(pick(output, 'state')).toEqual(['to_order', 'invalid', 'to_order', 'beyond_max']);
	expect(pick(output, 'same_as_row')).toEqual([null, null, 2, null]);
	expect([output.run, output.error]).toEqual([null, null]);
	expect(output.next_steps?.[0]).toMatchObject({
		command: 'brief-batch run products.csv --max 1 --json',
		briefs: 1,
	});
});

test('a step for some of the rows to review names only these rows', async () => {
	const program = new TestProgram(['Pan', 'Cr?me', 'M?sli'], { isInputShown: false });
	program.create(COLLEAGUE, { product_name: 'Pan' }, 0);
	await program.clock.pass(DAY);
	const output = await runJson(program, 'plan products.csv');
	expect(pick(output, 'state')).toEqual(['hidden_input', 'damaged', 'damaged']);
	expect(output.next_steps).toMatchObject([{ state: 'damaged', rows: [3, 4] }]);
});

test('a list that takes more than the month names the months', async () => {
	const { cost } = await runJson(makeProgram(...listProducts(25)), 'plan products.csv');
	expect(cost).toMatchObject({ to_order: 10, to_order_in_all: 25, months: 3 });
});

test('a run says what it did for each row, and what it cost', async () => {
	const program = makeProgram('Mug', 'Pan');
	program.create(COLLEAGUE, { product_name: 'Pan' }, 0);
	await program.clock.pass(DAY);
	const output = await runJson(program, 'run products.csv');
	expect(pick(output, 'action')).toEqual(['order', 'reuse']);
	expect(output.run).toMatchObject({ ordered: 1, reused: 1, saved: 2, is_running: false });
	expect(output.cost).toMatchObject({ to_order: 1, allowance_left: 8 });
	expect(output.counts).toMatchObject({ ready: 2, pending: 0 });
});

test('a run that finishes the brief of an interrupted run has waited for it', async () => {
	const program = makeProgram('Mug');
	await program.interrupt('run products.csv', 1);
	const output = await runJson(program, 'run products.csv');
	expect([pick(output, 'action'), pick(output, 'status')]).toEqual([['wait'], ['ready']]);
});

test('a refused run names the number, and the command with its words', async () => {
	const output = await runJson(makeProgram('Mug'), 'run products.csv', '');
	expect(output.error).toMatchObject({ code: 'not_permitted' });
	const [step] = output.error?.next_steps ?? [];
	const words = 'brief-batch run products.csv --json --yes';
	expect(step).toMatchObject({ command: words, argv: words.split(' '), briefs: 1 });
	expect([output.cost, output.run]).toMatchObject([{ to_order: 1 }, null]);
});

test('a plan that has to be confirmed is a result', async () => {
	const program = makeProgram('Mug');
	await program.type('run products.csv');
	program.writeProducts('Lamp');
	const output = await runJson(program, 'plan products.csv');
	expect([output.exit_code, output.error]).toEqual([2, null]);
	expect(output.confirmations?.map(({ code }) => code)).toEqual(['unknown-csv']);
});

test.each<[what: string, words: string, code: string]>([
	['the command', 'paln products.csv', 'usage'],
	['an option', 'run products.csv --max x', 'usage'],
	['the CSV', 'run missing.csv', 'csv_unusable'],
	['the folder', 'status nowhere', 'usage'],
])('a mistake in %s leaves everything else empty', async (_, words, code) => {
	const output = await runJson(makeProgram('Mug'), words);
	expect(output.error?.code).toBe(code);
	expect([output.counts ?? null, output.rows ?? null]).toEqual([null, null]);
});

test('a command that is refused before its CSV is read names its client and its folder', async () => {
	const output = await runJson(makeProgram('Mug'), 'run missing.csv --out acme --name Acme');
	expect(output).toMatchObject({ name: 'Acme', out: resolve('acme'), csv: null });
});

test('a refused key is the error of the run', async () => {
	const program = makeProgram('Mug');
	program.refuseKey();
	expect((await runJson(program, 'run products.csv')).error?.code).toBe('key_refused');
});

test('a run that failures in a row have stopped names why', async () => {
	const program = new TestProgram(listProducts(9));
	program.shouldFail = () => true;
	const output = await runJson(program, 'run products.csv');
	expect([output.exit_code, output.error, output.stop?.code]).toEqual([1, null, 'failures_in_row']);
	expect((await runJson(program, 'status')).folders).toMatchObject([{ exit_code: 1 }]);
});

test('a replaced brief is no row', async () => {
	const program = makeProgram('Mug');
	await program.type('run products.csv');
	await program.clock.pass(2 * DAY);
	const output = await runJson(program, 'run products.csv --reorder 2');
	expect(output.rows).toHaveLength(1);
	expect(output.other_briefs).toMatchObject([{ row: null, state: 'replaced' }]);
});

test('status names a folder that cannot be read next to the others', async () => {
	const program = makeProgram('Mug');
	await program.type('run products.csv');
	const { folders } = await runJson(program, 'status briefs nowhere');
	expect(folders).toMatchObject([{ exit_code: 0 }, { error: { code: 'usage' } }]);
});

test('doctor names the checks that a failed check leaves out', async () => {
	const program = makeProgram('Mug');
	program.fail('list_licences', makeRefusal(401, 'unauthorized', 'No'));
	const { checks, exit_code: code } = await runJson(program, 'doctor');
	expect(checks?.map(({ check, state }) => `${check} ${state}`)).toEqual([
		'service failed',
		'scopes skipped',
		'licence skipped',
		'clock skipped',
		'folder ok',
	]);
	expect(code).toBe(4);
});
