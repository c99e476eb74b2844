import { makeRefusal } from '../../support/faults';
import { listCommands, TestProgram } from '../support/test-program';

/** No variable agrees to the cost. */
const NO_YES = { env: { CREATOR_BRIEFING_YES: '' } };

const makeProgram = (...names: readonly string[]) => new TestProgram(names, { allowance: 100 });

/** The service can be read, and takes no orders. */
function refuseOrders(program: TestProgram): void {
	program.interceptCreates(() => makeRefusal(503, 'unavailable', 'Try later'));
}

describe('a run that costs briefs, without a terminal', () => {
	test('is refused without --yes: the number and the rest come first, then the complete command', async () => {
		const program = makeProgram('Mug', 'Pan');
		const { code, output } = await program.type('run products.csv --max 1', NO_YES);
		expect([code, program.created.length]).toEqual([2, 0]);
		expect(output.split('\n').slice(0, 3)).toEqual([
			'This run would order 1 brief, and leave 99 of 100 this month. Nothing was ordered.',
			'If you may spend this:',
			'  brief-batch run products.csv --max 1 --yes',
		]);
		expect(program.readFile('results.csv')).toBe('');
	});

	test('names a missing confirmation and the yes in one command', async () => {
		const program = makeProgram('Mug');
		await program.type('run products.csv');
		program.writeProducts('Lamp');
		const { code, output } = await program.type('run products.csv', NO_YES);
		expect([code, program.created.length]).toEqual([2, 1]);
		expect(listCommands(output)).toEqual([
			'brief-batch run products.csv --allow unknown-csv --yes',
		]);
	});

	test.each(['run products.csv --yes', 'run products.csv --json --yes'])(
		'orders: %s',
		async (words) => {
			const program = makeProgram('Mug');
			expect((await program.type(words, NO_YES)).code).toBe(0);
			expect(program.created.length).toBe(1);
		},
	);

	test('orders if the variable agrees', async () => {
		const program = makeProgram('Mug');
		expect((await program.type('run products.csv')).code).toBe(0);
	});

	test('names the command for what is free', async () => {
		const program = makeProgram('Mug', 'Pan');
		await program.interrupt('run products.csv --only 2', 1);
		const { code, output } = await program.type('run products.csv', NO_YES);
		expect(code).toBe(2);
		const free = 'brief-batch run products.csv --max 0';
		expect(listCommands(output)).toEqual(['brief-batch run products.csv --yes', free]);
		expect((await program.type('run products.csv --max 0', NO_YES)).code).toBe(3);
		expect([program.created.length, program.readFile('results.csv').includes(',ready,')]).toEqual([
			1,
			true,
		]);
	});
});

describe('on a terminal', () => {
	test('the variable of a schedule does not answer the question', async () => {
		const program = makeProgram('Mug');
		const { code, output } = await program.type('run products.csv', { answer: 'n\n' });
		expect([code, program.created.length]).toEqual([2, 0]);
		expect(output).toMatch(/Order 1 brief for .+That leaves 99 of 100 this month/);
	});

	test('--yes skips the question', async () => {
		const program = makeProgram('Mug');
		const { output } = await program.type('run products.csv --yes', { answer: 'n\n' });
		expect(program.created.length).toBe(1);
		expect(output).not.toContain('[y/N]');
	});
});

test('what an earlier run has agreed to is sent again without a yes', async () => {
	const program = makeProgram('Mug');
	refuseOrders(program);
	await program.type('run products.csv');
	program.stopIntercepting();
	expect((await program.type('run products.csv', NO_YES)).code).toBe(0);
	expect(program.created.length).toBe(1);
});

describe('--max 0', () => {
	test('orders nothing new, and is not remembered as the limit of the folder', async () => {
		const program = makeProgram('Mug', 'Pan', 'Cup');
		await program.type('run products.csv --max 1');
		const { code } = await program.type('run products.csv --max 0');
		expect([code, program.created.length]).toEqual([3, 1]);
		const { output } = await program.type('status');
		expect(listCommands(output).join()).toContain('--max 1');
		expect(listCommands(output).join()).not.toContain('--max 0 --max');
	});

	test('is named by the plan of an order that is sent again', async () => {
		const program = makeProgram('Mug', 'Pan');
		refuseOrders(program);
		await program.type('run products.csv');
		program.stopIntercepting();
		const { output } = await program.type('plan products.csv --max 0');
		expect(output).toMatch(/sent again +up to 2 briefs, of orders since 10 November/);
	});
});
