import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientFolder } from '../support/client-folder';
import { listen } from '../support/raw-server';
import type { ProcessResult } from '../support/running-process';
import { openPlatformFolder, startNode } from '../support/windows/platform-folder';

const run = (folder: ClientFolder, ...options: string[]) =>
	folder.start(['run', 'products.csv', ...options]);

/** Expects one brief and complete files for each row. */
function expectAllReady(folder: ClientFolder, rows: number): void {
	expect(folder.findFaults()).toEqual([]);
	expect(folder.sandbox.createdCount()).toBe(rows);
	expect(folder.statuses()).toEqual(Array.from({ length: rows }, () => 'ready'));
}

test('orders twelve rows once, and nothing when the same command is repeated', async () => {
	const folder = await openPlatformFolder(12);
	expect(await run(folder).ended).toMatchObject({ code: 0, err: '' });
	expectAllReady(folder, 12);
	expect(await run(folder).ended).toMatchObject({ code: 0, err: '' });
	expectAllReady(folder, 12);
});

test('resumes a run that was killed, and orders nothing twice', async () => {
	const folder = await openPlatformFolder(6, { speed: 200 });
	for (const row of [2, 4]) {
		const running = run(folder);
		await running.waitForOutput(new RegExp(`row ${row} +ordered`));
		await running.kill();
	}
	expect((await run(folder).ended).code).toBe(0);
	expectAllReady(folder, 6);
});

test('lets one of three runs work in a folder, and the others end with 6', async () => {
	// No brief is ready before the sandbox's time is advanced.
	const folder = await openPlatformFolder(2, { speed: 5 });
	const ends: ProcessResult[] = [];
	const runs = [1, 2, 3].map(() => run(folder).ended.then((end) => ends.push(end)));
	while (ends.length < 2 || folder.sandbox.createdCount() < 2) await sleep(50);
	expect(ends.map(({ code }) => code)).toEqual([6, 6]);
	folder.sandbox.advance(600_000);
	await Promise.all(runs);
	expect(ends[2]).toMatchObject({ code: 0, err: '' });
	expectAllReady(folder, 2);
});

/** Only for a server that never answers: on a busy machine, another answer could come too late. */
const FAST_TIMEOUTS = { FAST_CLOCK_TIMEOUTS: '1' };

test.each<[what: string, answer: (socket: Socket) => void, reason: string, timeouts: object]>([
	['closes the connection', (socket) => socket.end(), 'the connection was cut', {}],
	['stays silent', () => undefined, 'no complete answer within 60 seconds', FAST_TIMEOUTS],
])('ends with 5 and names the proxy, if it %s', async (_what, answer, reason, timeouts) => {
	const folder = await openPlatformFolder(1);
	const proxy = await listen(answer);
	const env = {
		HTTPS_PROXY: `http://user:secret@${proxy}`,
		CREATOR_BRIEFING_BASE_URL: 'https://api.vendor.example/v1',
		...timeouts,
	};
	for (const command of ['plan products.csv', 'doctor']) {
		const { code, out, err } = await folder.start(command, { env }).ended;
		expect([command, code]).toEqual([command, 5]);
		expect(out + err).toContain(`the proxy http://${proxy} of HTTPS_PROXY failed (${reason}).`);
	}
});

test('ends with 5 if the service accepts connections and never answers', async () => {
	const folder = await openPlatformFolder(1);
	const url = `http://${await listen(() => undefined)}/v1`;
	const env = { CREATOR_BRIEFING_BASE_URL: url, ...FAST_TIMEOUTS };
	expect((await folder.start('plan products.csv', { env }).ended).code).toBe(5);
});

/** Tests of Windows. On Linux, they run in wine. */
const describeOnWindows = process.platform === 'darwin' ? describe.skip : describe;

describeOnWindows('on Windows', () => {
	test('names a results.csv that another program has open, and the next run writes it', async () => {
		const folder = await openPlatformFolder(2);
		expect((await run(folder, '--max', '1').ended).code).toBe(3);
		// Opens the file without sharing, as Windows programs do (UV_FS_O_EXLOCK).
		const script = `fs.openSync('briefs/results.csv', 0x10000000 | fs.constants.O_RDWR);
			console.log('open'); setTimeout(() => {}, 600_000)`;
		const spreadsheet = startNode(['-e', script], {}, folder.path);
		await spreadsheet.waitForOutput('open');
		const { code, out, err } = await run(folder).ended;
		await spreadsheet.kill();
		expect([code, out + err]).toEqual([0, expect.stringContaining('results.csv')]);
		expect(folder.statuses()).toEqual(['ready', 'pending']);
		expect((await run(folder).ended).code).toBe(0);
		expectAllReady(folder, 2);
	});

	test.each([
		['a name that Windows reserves', 'NUL'],
		['a drive that is missing', 'Q:\\briefs'],
		['a name of 300 characters', 'x'.repeat(300)],
		['a path of 300 characters', Array.from({ length: 30 }, () => 'abcdefghi').join('\\')],
	])('either uses %s as --out, or ends with one clear error', async (_, name) => {
		const folder = await openPlatformFolder(1);
		const { code, out, err } = await run(folder, '--out', name).ended;
		expect([0, 2]).toContain(code);
		expect(out + err).not.toMatch(/\n\s+at /);
	});
});
