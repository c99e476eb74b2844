import { refused } from '../../support/faults';
import { TestProgram } from '../support/test-program';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NAMES = ['Mug', 'Pan', 'Cup', 'Lamp', 'Rug'];

/** Returns the lines of an output that begin a group of rows, such as “3 not ordered yet”. */
function listGroups(output: string): string[] {
	return output.split('\n').flatMap((line) => /^ {2,5}(\d[\d,]* [a-z].*)$/.exec(line)?.[1] ?? []);
}

/** Returns a program whose run was interrupted while two of five briefs were being written. */
async function interrupt() {
	const program = new TestProgram();
	program.writeProducts(...NAMES);
	const stop = new AbortController();
	program.sandbox.intercept = ({ operation }) => {
		if (operation === 'list_briefs' && program.created === 2) stop.abort();
		return undefined;
	};
	const end = await program.run('run products.csv', { signal: stop.signal });
	program.sandbox.mend();
	return { program, ...end };
}

test('rows beyond --max are ordered by its limit, or all without it', async () => {
	const program = new TestProgram();
	program.writeProducts(...NAMES);
	const { output } = await program.run('run products.csv --max 1');
	expect(output).toMatch(
		/To order the next of them \(without --max: all of them\), .+:\n +brief-batch run products\.csv --max 1\n/,
	);
});

describe('after Ctrl-C', () => {
	test('briefs that are being written and rows that are not ordered yet are separate groups', async () => {
		const { code, output } = await interrupt();
		expect(code).toBe(130);
		expect(listGroups(output)).toEqual(['2 being written', '3 not ordered yet']);
		expect(output).toContain('To wait for them and save them (free):');
		expect(output).toContain('To order them, one brief each:');
	});

	test('status has the same groups, and plan counts the cost of the rows that are not ordered', async () => {
		const { program } = await interrupt();
		const status = await program.run('status');
		expect(listGroups(status.output)).toEqual(['2 being written', '3 not ordered yet']);
		const plan = await program.run('plan products.csv');
		expect(listGroups(plan.output)).toEqual(['3 to order', '2 being written']);
		expect(plan.output).toMatch(/this run +3\n/);
	});
});

test('edited rows beyond --max keep what was edited', async () => {
	const program = new TestProgram();
	const write = (audience: string) =>
		program.write(
			'products.csv',
			'Name,Audience',
			...['Mug', 'Pan'].map((n) => `${n},${audience}`),
		);
	write('Cooks');
	await program.run('run products.csv');
	write('Hikers');
	const { output } = await program.run('run products.csv --reorder changed --max 1');
	expect(output).toMatch(/row 3 .*was “Cooks”, now “Hikers”\. Beyond --max of this run\./);
});

describe('--reserve', () => {
	test('a run that stops for it says what is kept, and that lowering it would order the rows', async () => {
		const program = new TestProgram({ allowance: 5 });
		program.writeProducts(...NAMES, 'Bowl');
		const { code, output } = await program.run('run products.csv --reserve 3');
		expect([code, program.created]).toEqual([3, 2]);
		expect(output).toContain(
			'3 of 5 briefs left this month (resets on 1 December, UTC; --reserve keeps 3)',
		);
		expect(listGroups(output)).toEqual(['4 deferred', '2 ready']);
		expect(output).toContain('Next month, or now with a lower --reserve, run:');
	});

	test('a run that reaches it meanwhile, because others order, says the same', async () => {
		const program = new TestProgram({ allowance: 5 });
		program.writeProducts(...NAMES);
		program.sandbox.intercept = ({ operation }) => {
			if (operation === 'get_brief' && program.created === 2) program.sandbox.startOther(MINUTE);
			return undefined;
		};
		const { code, output } = await program.run('run products.csv --reserve 1');
		expect([code, program.created]).toEqual([3, 4]);
		expect(output).toContain('1 of 5 briefs left this month');
		expect(output).toContain('The rest of this month’s allowance is kept by --reserve.');
	});

	test('is named in results.csv without an apostrophe of the spreadsheet', async () => {
		const program = new TestProgram({ allowance: 3 });
		program.writeProducts('Mug', 'Pan', 'Cup', 'Pot');
		await program.run('run products.csv --reserve 1 --max 1');
		expect(program.readFile('results.csv')).not.toContain("'");
		const { output } = await program.run('plan products.csv --reserve 1');
		expect(output).toContain(
			'The rest of this month’s allowance is kept by --reserve. This month’s allowance is not enough.',
		);
	});

	test('status repeats --reserve and --max of the last run', async () => {
		const program = new TestProgram({ allowance: 5 });
		program.writeProducts(...NAMES);
		await program.run('run products.csv --reserve 3 --max 9');
		const { output } = await program.run('status');
		expect(listGroups(output)).toEqual(['3 deferred', '2 ready']);
		expect(output).toMatch(/brief-batch run \S+products\.csv --max 9 --reserve 3\n/);
	});
});

describe('an order without an answer', () => {
	async function loseAnswers() {
		const program = new TestProgram();
		program.writeProducts('Mug', 'Pan');
		program.sandbox.intercept = ({ body }) =>
			body?.includes('Mug') === true
				? { answer: { status: 502, body: '<html><title>Blocked</title></html>' } }
				: undefined;
		const run = await program.run('run products.csv');
		return { program, run };
	}

	test('is a group of its own in every view, with what answered', async () => {
		const { program, run } = await loseAnswers();
		const status = await program.run('status');
		for (const { output } of [run, status]) {
			expect(listGroups(output)).toEqual(['1 sent without an answer', '1 ready']);
			expect(output).toMatch(/row 2 .*502.*Blocked.*might have been created/);
		}
		expect(program.readFile('report.html')).toContain('Blocked');
	});

	test('is printed once while it is sent again, with what answered', async () => {
		const { run } = await loseAnswers();
		expect(run.output.match(/row 2 .*no answer/g)).toHaveLength(1);
	});

	test('is explained without a sentence that repeats itself', async () => {
		const program = new TestProgram();
		program.writeProducts('Mug');
		program.sandbox.intercept = ({ body }) =>
			body === undefined
				? undefined
				: { answer: { status: 202, body: '{"error":{"code":"busy","message":"Try later"}}' } };
		const { output } = await program.run('run products.csv --quiet');
		expect(output).toContain(
			'The order got no usable answer (202). The service says: Try later. Its brief might have been created.',
		);
		expect(output.match(/no usable answer/g)).toHaveLength(1);
	});

	test.each(['plan products.csv', 'plan products.csv --reorder 2'])(
		'is sent again by `%s`, which says so',
		async (words) => {
			const { program } = await loseAnswers();
			const { output } = await program.run(words);
			expect(listGroups(output)).toEqual(['1 to send again', '1 ready']);
			expect(output).toContain('The run sends this order again, and pays only for a brief');
			expect(output).toContain('To send these orders again:');
		},
	);
});

describe('failed rows', () => {
	test('retry is named with the number of rows that it takes', async () => {
		const program = new TestProgram({ failed: () => true });
		program.writeProducts('Mug', 'Pan');
		await program.run('run products.csv --only 2');
		await program.run('retry products.csv --only 2');
		const third = await program.run('retry products.csv --only 2');
		expect(third.output).not.toContain('brief-batch retry');
		expect(third.output).toContain('brief-batch run products.csv --reorder 2');
		const { output } = await program.run('run products.csv');
		expect(output).toContain('To order 1 of them again, one brief each:');
	});

	test('keep the reason of their failure if a limited retry leaves them', async () => {
		const program = new TestProgram({ failed: () => true });
		program.writeProducts('Mug', 'Pan');
		await program.run('run products.csv');
		const { output } = await program.run('retry products.csv --max 1');
		expect(output).toMatch(/row 3 .*could not write this brief.*\. Beyond --max of this run\./);
	});

	test('only a row that the service refused for its content has to be corrected', async () => {
		const program = new TestProgram();
		program.writeProducts('Mug');
		program.sandbox.fail('create_brief', refused(400, 'invalid', 'audience is too vague'));
		const invalid = await program.run('run products.csv');
		expect(invalid.output).toContain('In the CSV, correct the row that the service refused. Then:');
		// `run` would not order the row again.
		expect(invalid.output).not.toContain('run it again');
		program.sandbox.fail('create_brief', refused(404, 'not_found', 'no such route'));
		const notFound = await program.run('retry products.csv');
		expect(notFound.output).not.toContain('correct the row');
		expect(notFound.output).toContain('To order it again (one brief):');
	});

	test('failed briefs that a plan would reuse are named apart, with their date', async () => {
		const program = new TestProgram();
		program.writeProducts('Mug', 'Pan');
		for (const [product_name, failed] of [
			['Mug', true],
			['Pan', false],
		] as const)
			program.sandbox.put({ product_name }, MINUTE, { failed });
		await program.clock.pass(DAY);
		const plan = await program.run('plan products.csv');
		expect(listGroups(plan.output)).toEqual(['1 to reuse', '1 failed in the workspace']);
		expect(plan.output).toMatch(/The workspace’s brief [0-9a-f]{8} of 10 November failed\./);
		const { code, output } = await program.run('run products.csv');
		expect(code).toBe(1);
		expect(output).toMatch(
			/The workspace’s brief [0-9a-f]{8} of 10 November failed \(research_failed\)\./,
		);
	});
});
