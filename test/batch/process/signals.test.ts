import { openClientFolder } from '../../support/client-folder';
import { preload } from '../../support/preload';
import { waitUntil } from '../../support/wait-until';

jest.setTimeout(60_000);

/** Starts a run whose brief is created at once, and whose create request is answered after a delay. */
async function startSlowCreate(delayMs: number) {
	const folder = await openClientFolder(1);
	const operation = 'create_brief';
	folder.sandbox.faults.add({ kind: 'slow', at: 'after-work', operation, delayMs, times: 1 });
	const running = folder.start('run products.csv', { env: { FAST_CLOCK_FACTOR: '1' } });
	await waitUntil(() => folder.sandbox.createdCount() === 1);
	return { folder, running };
}

describe('a run that is interrupted', () => {
	test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
		'by %s writes its files, ends with 130 and is resumed by the next run',
		async (signal) => {
			// Slow enough that the briefs are still being written when the test continues.
			const folder = await openClientFolder(3, { speed: 10 });
			const running = folder.start('run products.csv');
			await running.waitForOutput(/row 3 +ordered/);
			expect((await running.kill(signal)).code).toBe(130);
			expect(folder.statuses()).toEqual(['pending', 'pending', 'pending']);
			expect(folder.findFaults()).toEqual([]);
			expect(folder.exists('briefs/report.html')).toBe(true);
			expect(folder.exists('briefs/.lock')).toBe(false);
			folder.sandbox.advance(600_000);
			const next = folder.start('run products.csv');
			await next.waitForOutput(/row 4 +ordered/);
			folder.sandbox.advance(600_000);
			expect((await next.ended).code).toBe(0);
			expect(folder.findFaults()).toEqual([]);
			expect(folder.sandbox.createdCount()).toBe(3);
		},
	);

	test('before its first order leaves no lock and orders nothing', async () => {
		const folder = await openClientFolder(1);
		folder.sandbox.faults.add({ kind: 'slow', delayMs: 600_000, times: 9 });
		const running = folder.start('run products.csv');
		await waitUntil(() => folder.sandbox.requests.length > 0);
		const { code, err } = await running.kill('SIGINT');
		expect([code, err]).toEqual([130, '']);
		expect(folder.exists('briefs/.lock')).toBe(false);
		expect(folder.sandbox.createdCount()).toBe(0);
	});

	test('waits for the create request that is on its way, whose brief is the order’s', async () => {
		const { folder, running } = await startSlowCreate(1_000);
		expect((await running.kill('SIGINT')).code).toBe(130);
		const [brief] = folder.sandbox.briefs();
		expect(folder.results()[0]).toMatchObject({ brief_status: 'pending', brief_id: brief?.id });
		expect(folder.findFaults()).toEqual([]);
	});

	test('by a second Ctrl-C ends at once, and the next run finds the brief', async () => {
		const { folder, running } = await startSlowCreate(600_000);
		running.child.kill('SIGINT');
		const second = setInterval(() => running.child.kill('SIGINT'), 50);
		expect((await running.ended).code).toBe(130);
		clearInterval(second);
		// The first Ctrl-C alone would wait for the request, and remove the lock at the end.
		expect(folder.exists('briefs/.lock')).toBe(true);
		expect(await folder.getCodeAndBriefs('run products.csv')).toEqual([0, 1]);
		expect(folder.findFaults()).toEqual([]);
	});
});

test.each([
	['output', '"$@" 2>&1', 0],
	['errors', '"$@" --map x 2>&1 >/dev/null', 2],
])('keeps its exit code when the reader of its %s has ended', async (_, command, code) => {
	const folder = await openClientFolder(1);
	const via = ['sh', '-c', `{ ${command}; echo $? > code; } | :`, 'sh'];
	await folder.run('run products.csv', { via });
	expect(folder.read('code')).toBe(`${code}\n`);
});

describe('a reader that is slow', () => {
	/** More than a pipe holds. */
	const env = { NODE_OPTIONS: preload('process.stdout.write("x".repeat(1_000_000))') };
	const pipeTo = (reader: string) => ['sh', '-c', `{ "$@"; echo $? > code; } | ${reader}`, 'sh'];

	test('gets the whole output', async () => {
		const folder = await openClientFolder(1);
		await folder.run('--version', { via: pipeTo('{ sleep 1; cat > output; }'), env });
		expect(folder.read('output')).toMatch(/^x{1000000}\d+\.\d+\.\d+\n$/);
		expect(folder.read('code')).toBe('0\n');
	});

	test('and takes nothing for a minute does not keep the process alive', async () => {
		const folder = await openClientFolder(1);
		const options = { via: pipeTo('sleep 20'), env: { ...env, FAST_CLOCK_TIMEOUTS: '1' } };
		const running = folder.start('--version', options);
		await waitUntil(() => folder.exists('code') && folder.read('code') !== '');
		expect(folder.read('code')).toBe('0\n');
		running.child.kill();
	});
});
