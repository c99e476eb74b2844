import { TestProgram } from '../support/test-program';
import { listProducts } from '../support/world';

test('counts are of rows, and the cost is of briefs: rows with the same content share one', async () => {
	const program = new TestProgram([...listProducts(7), 'Product 1', 'Product 2'], {
		allowance: 100,
	});
	const plan = await program.type('plan products.csv');
	expect(plan.output).toContain('    9 to order');
	expect(plan.output).toMatch(/this run +9 rows, 7 briefs\n/);
	expect(plan.output).toMatch(/left afterwards +93\n/);
	expect(plan.output).toContain('To order 7 briefs:');
	const { output } = await program.type('run products.csv');
	expect(output).toContain('7 briefs ordered.');
	expect(output).toContain('    9 ready');
});

test.each([
	['--max 2', 100, '9 briefs: 9 this month'],
	['', 6, '9 briefs: 6 this month, the others in 1 more month'],
	['', 2, '9 briefs: 2 this month, the others in 4 more months'],
	['', 0, '9 briefs: 0 this month'],
])(
	'a plan beyond %s or an allowance of %d says what the whole list costs',
	async (max, allowance, text) => {
		const program = new TestProgram(listProducts(9), { allowance });
		const { output } = await program.type(`plan products.csv ${max}`.trim());
		expect(output).toMatch(new RegExp(`whole list +${text}\n`));
	},
);
