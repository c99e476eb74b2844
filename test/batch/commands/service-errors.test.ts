import { makeRefusal, UNAVAILABLE, type Fault } from '../../support/faults';
import { runOnce, TestProgram } from '../support/test-program';

const COMMANDS = ['plan products.csv', 'run products.csv', 'retry products.csv', 'doctor'];
const NO_ROUTE = makeRefusal(404, 'not_found', 'No route matches');
const PAGE: Fault = { status: 404, body: '<title>404 Not Found</title>' };

describe.each([
	['the service', NO_ROUTE],
	['another server', PAGE],
])('before the first answer, a 404 of %s', (_who, fault) => {
	test.each(COMMANDS)(
		'ends %s with 2, and the message says to check the base URL',
		async (line) => {
			const program = new TestProgram(['Mug']);
			program.intercept = () => fault;
			const { code, output } = await program.type(line);
			expect([code, output]).toEqual([2, expect.stringContaining('(404)')]);
			expect(output).toContain('Check the base URL: it ends in /v1.');
		},
	);
});

describe('a run that the service does not admit writes results.csv and report.html', () => {
	test.each<[what: string, fault: Fault, code: number]>([
		['refuses the key', makeRefusal(401, 'unauthorized', 'The key is not valid'), 4],
		['is away', UNAVAILABLE, 5],
	])('if the service %s', async (_what, fault, expected) => {
		const program = await runOnce('Mug');
		program.writeProducts('Mug', 'Pan');
		program.intercept = () => fault;
		expect((await program.type('run products.csv')).code).toBe(expected);
		const lines = program.readFile('results.csv').split('\n');
		expect(lines[1]).toMatch(/^Mug,[\w-]+,ready,/);
		expect(lines[2]).toMatch(/^Pan,,pending,/);
		expect(program.readFile('report.html')).toContain('Pan');
	});

	test('but not if a confirmation is missing', async () => {
		const program = await runOnce('Mug');
		const before = program.readFile('results.csv');
		program.writeProducts('Lamp');
		expect((await program.type('run products.csv')).code).toBe(2);
		expect(program.readFile('results.csv')).toBe(before);
	});
});

describe('a licence that was not paid for (402)', () => {
	const UNPAID = makeRefusal(402, 'payment_required', 'The licence has not been paid for');

	test.each(COMMANDS)('ends %s with 4', async (line) => {
		const program = new TestProgram(['Mug']);
		program.fail('list_licences', UNPAID);
		const { code, output } = await program.type(line);
		expect([code, output]).toEqual([4, expect.stringContaining('has not been paid for')]);
	});

	test('ends a run with 4 at its first order, and the rows stay pending', async () => {
		const program = new TestProgram(['Mug', 'Pan', 'Cup']);
		program.fail('create_brief', UNPAID);
		expect((await program.type('run products.csv')).code).toBe(4);
		expect(program.count('create_brief')).toBe(1);
		expect(program.readFile('results.csv').match(/,pending,/g)).toHaveLength(3);
		expect((await program.type('run products.csv')).code).toBe(0);
	});
});
