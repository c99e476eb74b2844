import { makeDiskFullError } from '../support/world-disk';
import { TestProgram } from '../support/test-program';
import { startWebhook } from '../support/webhook';

test('when the disk is full at the end of a run, the error and the ordered briefs are printed and posted', async () => {
	const webhook = await startWebhook();
	const program = new TestProgram(['Mug', 'Pan']);
	const { disk } = program;
	const append = disk.append.bind(disk);
	disk.append = async (path, bytes) => {
		if (bytes.includes('"end"')) throw makeDiskFullError(path);
		await append(path, bytes);
	};
	const { code, output } = await program.type(`run products.csv --notify ${webhook.url}`);
	expect(code).toBe(5);
	expect(output).toContain('2 briefs ordered.');
	expect(output).toContain('Cannot read or write briefs/journal.jsonl (ENOSPC).');
	expect(output).toContain('Saved: briefs/results.csv, briefs/report.html');
	expect(webhook.bodies).toMatchObject([{ exit_code: 5, briefs: [{ row: 2 }, { row: 3 }] }]);
	expect(webhook.bodies[0]?.text).toContain('Cannot read or write briefs/journal.jsonl (ENOSPC).');
});

test('when the disk is full and the key is refused, the refusal is posted', async () => {
	const webhook = await startWebhook();
	const program = new TestProgram(['Mug']);
	await program.type('run products.csv');
	program.disk.append = async (path) => await Promise.reject(makeDiskFullError(path));
	program.refuseKey();
	const { code, output } = await program.type(`run products.csv --notify ${webhook.url}`);
	expect(code).toBe(5);
	expect(output).toContain('Cannot read or write briefs/journal.jsonl (ENOSPC).');
	expect(webhook.bodies).toMatchObject([{ exit_code: 4 }]);
});

test.each([
	['ENOSPC', 'check the disk and its free space'],
	['EBUSY', 'close it in other programs, or check its permissions'],
])('results that cannot be replaced (%s) are named with what to do', async (errorCode, advice) => {
	const program = new TestProgram(['Mug']);
	const { disk } = program;
	const replace = disk.replace.bind(disk);
	disk.replace = async (path, bytes) => {
		if (path.endsWith('results.csv')) throw Object.assign(new Error(), { code: errorCode });
		await replace(path, bytes);
	};
	const { code, output } = await program.type('run products.csv');
	expect(code).toBe(0);
	expect(output).toContain(
		`Could not replace briefs/results.csv (${errorCode}): ${advice}. The next run writes it again.`,
	);
});
