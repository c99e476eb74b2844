import { execFileSync, spawnSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseJournal } from '../../../batch/journal/read';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products, startBatch, type Ended } from '../../support/batch/brief-batch';

jest.setTimeout(120_000);

let sandbox: Sandbox;
let desk: Desk;
let undo: Array<() => void>;

async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		speed: 1000,
		seed: 'folder',
		failureShare: 0,
		requestsPerMinute: 0,
		...options,
	});
	desk = new Desk(sandbox);
	undo = [];
}

afterEach(async () => {
	for (const step of undo.reverse()) step();
	await sandbox.close();
	desk.remove();
});

const isTorture = process.env.TORTURE === '1';
const isRoot = process.getuid?.() === 0;

/** Root may write everywhere; without these two rights it is bound by a file's mode like everybody else. */
const AS_ANYBODY = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

/** Everything that was sent is on record, and nothing was paid twice. */
function expectOnRecord(): void {
	const bytes = readFileSync(join(desk.folder, 'briefs', 'journal.jsonl'));
	const keys = parseJournal(bytes, 'journal.jsonl')
		.records.all()
		.map(({ key }) => key);
	const briefs = sandbox.briefs();
	for (const { idempotencyKeys } of briefs)
		expect(keys).toEqual(expect.arrayContaining(idempotencyKeys));
	expect(new Set(briefs.map(({ product_name }) => product_name)).size).toBe(briefs.length);
}

/** It stopped, said why and what to do, and no stack trace; with 2 where running again would not cure it. */
function expectStopped({ code, out, err }: Ended, said: RegExp, exitCode = 2): void {
	expect(out + err).toMatch(said);
	expect(out + err).toMatch(/run the same command again/i);
	expect(out + err).not.toMatch(/Unexpected error|\n\s+at /);
	expect(code).toBe(exitCode);
}

async function expectGoesOn(csv: string, rows: number): Promise<void> {
	const { code, out, err } = await desk.run(['run', csv, ...FAST]);
	expect(out + err).toContain(`${rows} ready`);
	expect(code).toBe(0);
	expect(sandbox.createdCount()).toBe(rows);
	expectOnRecord();
	for (const { brief_file: file = '' } of desk.results())
		expect(desk.read(join('briefs', file))).toMatch(/\S\n$/);
}

/** How many creates came after this moment. */
function createsSince(start: number): number {
	return sandbox.requests.slice(start).filter(({ method }) => method === 'POST').length;
}

describe('a full disk', () => {
	/**
	 * A file system in memory of this many KiB as the folder of --out, where this machine lets us mount one. There the
	 * test fills a real disk, and else (an ordinary user, a plain container) it has the limit of a file's size.
	 */
	function mountSmall(folder: string, kib: number): boolean {
		mkdirSync(folder);
		const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
		if (status !== 0) return false;
		undo.push(() => execFileSync('umount', ['-l', folder]));
		return true;
	}

	test('in mid-run: ordering stops at once, and goes on when there is room', async () => {
		await given({ speed: 300 });
		const csv = desk.csv('products.csv', products(8));
		const out = join(desk.folder, 'briefs');
		const isMounted = mountSmall(out, 256);
		// The journal alone is larger than that after three orders.
		const via = isMounted ? [] : ['bash', '-c', 'ulimit -f 2; exec "$@"', 'bash'];
		const running = desk.start(['run', csv, ...FAST], {}, via);
		await running.said(/row 3 +ordered/);
		if (isMounted) fill(join(out, 'filler'));
		const start = sandbox.requests.length;
		const ended = await running.ended;
		expectStopped(ended, isMounted ? /disk is full/ : /EFBIG/, isMounted ? 5 : 2);
		expect(ended.out + ended.err).toMatch(isMounted ? /Make room/ : /ulimit -f/);
		// What was under way when the disk became full, and what the rest of a block of the journal still took.
		expect(createsSince(start)).toBeLessThanOrEqual(isMounted ? 4 : 8);
		expect(sandbox.createdCount()).toBeLessThan(8);
		expectOnRecord();

		// What the first run let go of when it ended is taken, too.
		if (isMounted) fill(join(out, 'more-filler'));
		const before = sandbox.createdCount();
		const again = await desk.run(['run', csv, ...FAST], {}, via);
		expectStopped(again, isMounted ? /full/ : /EFBIG/, isMounted ? 5 : 2);
		expect(sandbox.createdCount()).toBeLessThanOrEqual(before + (isMounted ? 0 : 1));
		expectOnRecord();

		if (isMounted) for (const name of ['filler', 'more-filler']) rmSync(join(out, name));
		await expectGoesOn(csv, 8);
	});

	/** Takes all the room there is, to the last byte. */
	function fill(path: string): void {
		spawnSync('bash', ['-c', 'cat /dev/zero > "$1"', 'bash', path]);
		expect(existsSync(path)).toBe(true);
	}

	test.each(isTorture ? [1, 2, 3, 4, 5, 6, 8, 10, 13, 20, 40] : [1, 40])(
		'files of at most %i KiB: nothing is ordered that is not on record, and all is paid once later',
		async (kib) => {
			await given();
			const csv = desk.csv('products.csv', products(6));
			const via = ['bash', '-c', `ulimit -f ${kib}; exec "$@"`, 'bash'];
			expectStopped(await desk.run(['run', csv, ...FAST], {}, via), /EFBIG/);
			expectOnRecord();
			const paid = sandbox.createdCount();
			if (kib < 2) expect(paid).toBeLessThanOrEqual(2);
			await expectGoesOn(csv, 6);
		},
	);
});

describe('a folder that cannot be used', () => {
	test('one that may only be read is refused before anything is ordered', async () => {
		await given();
		const csv = desk.csv('products.csv', products(2));
		mkdirSync(join(desk.folder, 'briefs'));
		chmodSync(join(desk.folder, 'briefs'), 0o555);
		undo.push(() => chmodSync(join(desk.folder, 'briefs'), 0o755));
		const ended = await desk.run(['run', csv, ...FAST], {}, AS_ANYBODY);
		expectStopped(ended, /briefs.* may not be written \(EACCES\)/);
		expect(createsSince(0)).toBe(0);
		chmodSync(join(desk.folder, 'briefs'), 0o755);
		await expectGoesOn(csv, 2);
	});

	test('one that becomes so in mid-run stops the run, and what was paid is fetched later', async () => {
		await given();
		const csv = desk.csv('products.csv', products(6));
		const results = join(desk.folder, 'briefs', 'results');
		const running = desk.start(['run', csv, ...FAST], {}, AS_ANYBODY);
		await running.said(/row 2 +ready/);
		chmodSync(results, 0o555);
		undo.push(() => chmodSync(results, 0o755));
		expectStopped(await running.ended, /EACCES/);
		expect(sandbox.createdCount()).toBeLessThan(6);
		expectOnRecord();
		chmodSync(results, 0o755);
		await expectGoesOn(csv, 6);
	});

	test('one that is moved away in mid-run: nothing more is ordered, and it goes on when it is back', async () => {
		await given({ speed: 300 });
		const csv = desk.csv('products.csv', products(8));
		const [folder, elsewhere] = [join(desk.folder, 'briefs'), join(desk.folder, 'elsewhere')];
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/row 3 +ordered/);
		const start = sandbox.requests.length;
		renameSync(folder, elsewhere);
		expectStopped(await running.ended, /is gone/, 5);
		// One may have been on its way when the folder went.
		expect(createsSince(start)).toBeLessThanOrEqual(1);
		rmSync(folder, { recursive: true, force: true });
		renameSync(elsewhere, folder);
		expectOnRecord();
		await expectGoesOn(csv, 8);
	});

	test('one that is removed in mid-run: nothing more is ordered', async () => {
		await given({ speed: 300 });
		const csv = desk.csv('products.csv', products(8));
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/row 3 +ordered/);
		const start = sandbox.requests.length;
		rmSync(join(desk.folder, 'briefs'), { recursive: true });
		expectStopped(await running.ended, /is gone/, 5);
		expect(createsSince(start)).toBeLessThanOrEqual(1);
		// The journal is lost, but the same rows have the same keys, which the service remembers.
		await expectGoesOn(csv, 8);
	});

	test.each(['briefs', 'briefs/results'])(
		'a file stands where %s should be: it is named, and nothing is lost',
		async (path) => {
			await given();
			const csv = desk.csv('products.csv', products(1));
			if (path.includes('/')) mkdirSync(join(desk.folder, 'briefs'));
			writeFileSync(join(desk.folder, path), 'notes');
			const ended = await desk.run(['run', csv, ...FAST]);
			expect(ended.code).toBe(2);
			expect(ended.out + ended.err).toMatch(/is a file where a folder is needed/);
			expect(ended.out + ended.err).not.toMatch(/Unexpected error|\n\s+at /);
			expect(desk.read(path)).toBe('notes');
			rmSync(join(desk.folder, path));
			await expectGoesOn(csv, 1);
		},
	);

	test.each(['briefs/journal.jsonl', 'briefs/results.csv', 'briefs/report.html'])(
		'a folder stands where %s should be: it is named, and nothing is lost',
		async (path) => {
			await given();
			const csv = desk.csv('products.csv', products(1));
			mkdirSync(join(desk.folder, path), { recursive: true });
			const ended = await desk.run(['run', csv, ...FAST]);
			expect(ended.code).toBe(2);
			expect(ended.out + ended.err).toMatch(/EISDIR/);
			expect(ended.out + ended.err).not.toMatch(/Unexpected error|\n\s+at /);
			rmSync(join(desk.folder, path), { recursive: true });
			await expectGoesOn(csv, 1);
		},
	);
});

test('a damaged journal is named, ends with 2 in every command, and nothing is ordered', async () => {
	await given();
	const csv = desk.csv('products.csv', products(1));
	await desk.run(['run', csv, ...FAST]);
	const path = join(desk.folder, 'briefs', 'journal.jsonl');
	writeFileSync(path, desk.read('briefs/journal.jsonl').replace('Product 1', 'Product 2'));
	const start = sandbox.requests.length;
	for (const args of [['run', csv, ...FAST], ['plan', csv], ['status'], ['audit', csv]]) {
		const { code, err } = await desk.run(args);
		expect([args[0], code]).toEqual([args[0], 2]);
		expect(err).toMatch(/journal.jsonl is damaged at line \d/);
	}
	expect(sandbox.requests).toHaveLength(start);
});

describe('a folder that cannot be made', () => {
	test('wherever it is: the run says so and ends with 2, and orders nothing', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		writeFileSync(join(desk.folder, 'file'), '');
		symlinkSync('nowhere', join(desk.folder, 'dangling'));
		symlinkSync('circle', join(desk.folder, 'circle'));
		const places: Array<[string, RegExp]> = [
			['file', /is a file where a folder is needed/],
			['file/x/y', /is a file where a folder is needed/],
			['dangling', /a link that leads nowhere/],
			['circle/x', /links lead in a circle/],
			['a'.repeat(300), /too long/],
			['/dev/null/x', /is a file where a folder is needed/],
		];
		// Asked for a folder there, Node's own recursive mkdir never comes back.
		if (process.platform === 'linux')
			places.push(['/proc/x/y', /No folder can be made at \/proc\/x/]);
		for (const [place, said] of places) {
			const { code, err } = await desk.run(['run', csv, '--out', place, ...FAST]);
			expect([place, code]).toEqual([place, 2]);
			expect(err).toMatch(said);
			expect(err).toMatch(/hoose another --out/);
		}
		expect(createsSince(0)).toBe(0);
	});

	test('an existing folder and files keep their mode, and what is made is for its owner only', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		const shared = join(desk.folder, 'shared');
		mkdirSync(shared, { mode: 0o750 });
		await desk.run(['run', csv, '--out', 'shared/new/briefs', ...FAST]);
		await desk.run(['run', csv, '--out', 'shared', ...FAST]);
		const mode = (path: string) => (statSync(join(shared, path)).mode & 0o777).toString(8);
		expect(mode('.')).toBe('750');
		const made = readdirSync(shared, { recursive: true, withFileTypes: true });
		expect(made.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['journal.jsonl', 'results.csv', 'report.html', 'results', 'new']),
		);
		for (const one of made) {
			const path = relative(shared, join(one.parentPath, one.name));
			expect([path, mode(path)]).toEqual([path, one.isDirectory() ? '700' : '600']);
		}
	});

	test('the lock of a run at work is for its owner only, too', async () => {
		await given({ speed: 100 });
		const csv = desk.csv('products.csv', products(1));
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/ordered/);
		const { mode } = statSync(join(desk.folder, 'briefs', '.lock'));
		running.child.kill('SIGKILL');
		await running.ended;
		expect((mode & 0o777).toString(8)).toBe('600');
	});
});

describe('file names', () => {
	test('of products with the longest names there may be, in no Latin letters, and all alike', async () => {
		await given();
		const names = [
			'🧴'.repeat(180),
			'👩‍🔬'.repeat(60),
			'字'.repeat(180),
			'../../etc/passwd',
			'CON',
			'a'.repeat(180),
			`${'a'.repeat(179)}b`,
			`${'A'.repeat(179)}c`,
			'𝔊𝔩𝔬𝔴 · Serum',
			'Glow Serum',
			'Glow – Serum',
			'GLOW-SERUM',
		];
		const csv = desk.csv('products.csv', ['Product Name', ...names]);
		await expectGoesOn(csv, names.length);
		const files = desk.results().map(({ brief_file: file = '' }) => file.toLowerCase());
		expect(new Set(files).size).toBe(names.length);
		for (const file of files) {
			expect(file).toMatch(/^results\/[\p{Ll}\p{Lo}\d-]+\.md$/u);
			expect(file.length).toBeLessThan(90);
		}
		expect(desk.results().map((row) => row['Product Name'])).toEqual(names);
		expect(readdirSync(desk.folder).sort()).toEqual(['briefs', 'products.csv']);
	});

	test('that a folder of that name has taken already do not lose the brief', async () => {
		await given({ speed: 300 });
		const csv = desk.csv('products.csv', products(3));
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/row 2 +ordered/);
		const [brief] = sandbox.briefs();
		const folder = `briefs/results/product-1-${brief!.id.slice(0, 8)}.md`;
		mkdirSync(join(desk.folder, folder), { recursive: true });
		expectStopped(await running.ended, /is a folder where a file is needed/);
		expectOnRecord();
		rmSync(join(desk.folder, folder), { recursive: true });
		await expectGoesOn(csv, 3);
	});
});

describe('the API key', () => {
	/** Nowhere under the folder, in no output. */
	function expectSecret(key: string, ended: Ended[], folder: string): void {
		for (const { out, err } of ended) expect(out + err).not.toContain(key);
		for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
			if (!file.isFile() || file.name === 'key.txt') continue;
			expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain(key);
		}
	}

	const processes = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });

	test('is in no output, file or process list, whatever goes wrong on the way', async () => {
		await given({
			faults: 'reset:0.05,html:0.05,5xx:0.05,redirect:0.05,create_brief/cut:0.3',
		});
		const csv = desk.csv('products.csv', products(6));
		const key = sandbox.keys.allScopes;
		writeFileSync(join(desk.folder, 'key.txt'), `${key}\n`);
		const ended: Ended[] = [];
		const keyFile = ['--api-key-file', 'key.txt'];
		for (const args of [
			['run', csv, ...FAST],
			['run', csv, '--json', ...FAST, ...keyFile],
		]) {
			const env = args.includes('key.txt') ? { CREATOR_BRIEFING_API_KEY: undefined } : {};
			const running = desk.start(args, env);
			await Promise.race([running.said(/ordered/), running.ended]).catch(() => undefined);
			// The sandbox's key is well known, so only the test's own process may be checked for it.
			const list = spawnSync('ps', ['-o', 'args=', '-p', String(running.child.pid ?? 0)]);
			expect(String(list.stdout)).not.toContain(key);
			running.child.kill('SIGKILL');
			ended.push(await running.ended);
		}
		for (const args of [
			['plan', csv],
			['run', csv, ...FAST],
			['run', csv, '--json', ...FAST],
			['retry', csv, '--yes', ...FAST],
			['audit', csv],
			['status'],
			['report'],
		])
			ended.push(await desk.run(args));
		expect(sandbox.requests.some(({ authorised }) => authorised)).toBe(true);
		// P8: what redirected to another name got no visitor.
		expect(new Set(sandbox.requests.map(({ host }) => host.split(':')[0]))).toEqual(
			new Set(['127.0.0.1']),
		);
		expectSecret(key, ended, desk.folder);
	});

	test('that is refused, malformed or meant for a service that is not there, is not told either', async () => {
		await given();
		const folder = mkdtempSync(join(tmpdir(), 'brief-batch-'));
		undo.push(() => rmSync(folder, { recursive: true }));
		writeFileSync(join(folder, 'products.csv'), `${products(2).join('\n')}\n`);
		const canary = `canary-${String(Math.random()).slice(2)}`;
		const ended: Ended[] = [];
		for (const [baseUrl, key] of [
			[sandbox.url, canary],
			[sandbox.url, `${canary}\r\nX-Other: 1`],
			[sandbox.url, `${canary}é`],
			['http://127.0.0.1:9/v1', canary],
			['https://127.0.0.1:9/v1', canary],
			[sandbox.url.replace('http:', 'https:'), canary],
			[`${sandbox.url}?key=1`, canary],
		] as const) {
			const env = { CREATOR_BRIEFING_BASE_URL: baseUrl, CREATOR_BRIEFING_API_KEY: key };
			const running = startBatch(['run', 'products.csv', ...FAST], env, folder);
			while (running.child.exitCode === null && running.child.signalCode === null) {
				expect(processes()).not.toContain(canary);
				await new Promise((done) => setTimeout(done, 150));
			}
			ended.push(await running.ended);
		}
		for (const { code } of ended) expect([2, 4, 5]).toContain(code);
		expectSecret(canary, ended, folder);
	});
});

describe('a folder that others can write', () => {
	test('has links laid at names that a run may use, and nothing is written through them', async () => {
		await given();
		const out = join(desk.folder, 'briefs');
		mkdirSync(out);
		const victim = join(desk.folder, 'victim');
		writeFileSync(victim, 'mine');
		for (const name of ['results.csv', 'report.html', 'failed.csv', 'deferred.csv']) {
			for (const link of [name, `${name}.part`]) symlinkSync(victim, join(out, link));
		}
		// A run that was killed.
		writeFileSync(join(out, 'report.html.0123456789abcdef.part'), 'half');
		desk.csv('products.csv', products(1));
		expect((await desk.run(['run', 'products.csv', ...FAST])).code).toBe(0);
		expect(readFileSync(victim, 'utf8')).toBe('mine');
		expect(desk.results()).toMatchObject([{ brief_status: 'ready' }]);
		expect(readdirSync(out)).not.toContain('report.html.0123456789abcdef.part');
	});

	test('in which results/ is a link is refused before anything is ordered', async () => {
		await given();
		const elsewhere = join(desk.folder, 'elsewhere');
		for (const folder of ['briefs', 'elsewhere']) mkdirSync(join(desk.folder, folder));
		symlinkSync(elsewhere, join(desk.folder, 'briefs', 'results'));
		desk.csv('products.csv', products(1));
		const { code, err } = await desk.run(['run', 'products.csv', ...FAST]);
		expect([code, err]).toEqual([2, expect.stringContaining('results is a link')]);
		expect([sandbox.createdCount(), readdirSync(elsewhere)]).toEqual([0, []]);
	});
});
