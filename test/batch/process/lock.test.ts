import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJournal } from '../../../batch/journal/read';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products, type Running } from '../../support/batch/brief-batch';
import { lockText } from '../../support/batch/lock-fixtures';

jest.setTimeout(120_000);

/** A process in namespaces of its own, like one in a container: it has the number 1, and a name of its computer. */
const container = (name: string) => [
	...['unshare', '--user', '--map-root-user', '--uts', '--pid', '--fork', '--kill-child'],
	...['--mount-proc', 'bash', '-c', `hostname ${name}; exec "$@"`, 'bash'],
];

/** The heart beats every half second, and others watch it for two. */
const QUICK = {
	NODE_OPTIONS: `--require ${resolve(__dirname, '../../support/batch/quick-heart.cjs')}`,
};

let sandbox: Sandbox;
let desk: Desk;
let begun: Running[];

/** A brief takes less than a second at this speed; slowly, as long as the heart of a lock is watched for. */
const SLOWLY = { speed: 120 };

async function given(options: SandboxOptions = {}): Promise<string> {
	sandbox = await startSandbox({
		speed: 400,
		seed: 'lock',
		failureShare: 0,
		requestsPerMinute: 0,
		slots: 9,
		...options,
	});
	desk = new Desk(sandbox);
	begun = [];
	return desk.csv('products.csv', products(4));
}

afterEach(async () => {
	for (const { child } of begun) child.kill('SIGKILL');
	await sandbox.close();
	desk.remove();
});

function start(csv: string, via: string[] = []): Running {
	const running = desk.start(['run', csv, ...FAST], QUICK, via);
	begun.push(running);
	return running;
}

const lockFile = () => join(desk.folder, 'briefs', '.lock');

function journal() {
	return parseJournal(readFileSync(join(desk.folder, 'briefs', 'journal.jsonl')), 'journal.jsonl');
}

/** All rows are there, each paid once, the journal is whole, and no lock is left. */
function expectAllPaidOnce(): void {
	const names = sandbox.briefs().map(({ product_name }) => product_name);
	expect(names.sort()).toEqual(['Product 1', 'Product 2', 'Product 3', 'Product 4']);
	expect(
		journal()
			.records.all()
			.map(({ state }) => state),
	).toEqual(Array(4).fill('done'));
	expect(readdirSync(join(desk.folder, 'briefs')).filter((name) => /lock/.test(name))).toEqual([]);
}

test('this machine lets a process have namespaces of its own, without which nothing below means anything', async () => {
	await given();
	const [command = '', ...rest] = container('pod-1');
	const script = 'process.stdout.write([process.pid, os.hostname()].join())';
	const { stdout, stderr } = spawnSync(command, [...rest, process.execPath, '-e', script]);
	expect(String(stderr)).toBe('');
	expect(String(stdout)).toBe('1,pod-1');
});

describe('a folder in use', () => {
	test('is refused with 6, and nothing is done, whether the run is seen here, in another container of the same name or of another', async () => {
		const csv = await given(SLOWLY);
		const first = start(csv, container('pod-1'));
		await first.said(/ordered/);
		expect(statSync(lockFile()).mode & 0o777).toBe(0o600);
		expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: 1, host: 'pod-1' });
		const others = [start(csv, container('pod-1')), start(csv, container('pod-2')), start(csv)];
		for (const { ended } of others) {
			const { code, err } = await ended;
			expect(err).toMatch(/in use by process 1 on pod-1, since .*\n.*alive: its heart beats/);
			expect(code).toBe(6);
		}
		const { code } = await first.ended;
		expect(code).toBe(0);
		expectAllPaidOnce();
	});

	test('is refused at once where its process is at work on this computer', async () => {
		const csv = await given(SLOWLY);
		const first = start(csv);
		await first.said(/ordered/);
		for (const args of [['run', csv], ['retry', csv, '--yes'], ['unlock']]) {
			const { code, err, out } = await desk.run(args);
			expect(err).toContain('alive: its process is at work');
			expect(out).not.toContain('Looking');
			expect(code).toBe(6);
		}
		expect((await first.ended).code).toBe(0);
		expectAllPaidOnce();
	});
});

describe('the lock of a run that is dead', () => {
	test('under another computer’s name is taken over when its heart was seen to stand still', async () => {
		const csv = await given();
		const first = start(csv, container('pod-1'));
		await first.said(/ordered/);
		first.child.kill('SIGKILL');
		await first.ended;
		const { code, out } = await start(csv, container('pod-2')).ended;
		expect(out).toMatch(/lock of process 1 on pod-1, since .* Looking for up to 2 seconds/);
		expect(code).toBe(0);
		expectAllPaidOnce();
	});

	test('whose process number belongs to another program by now is taken over at once', async () => {
		const csv = await given();
		const first = start(csv);
		await first.said(/ordered/);
		first.child.kill('SIGKILL');
		await first.ended;
		const lock = JSON.parse(readFileSync(lockFile(), 'utf8')) as object;
		writeFileSync(lockFile(), JSON.stringify({ ...lock, pid: process.pid }));
		const { code, out } = await start(csv).ended;
		expect(out).not.toContain('Looking');
		expect(code).toBe(0);
		expectAllPaidOnce();
	});

	test('killed with SIGKILL and not yet asked for by its parent, a zombie, is taken over at once', async () => {
		const csv = await given();
		// The parent becomes a program that never asks for its child.
		const first = start(csv, ['bash', '-c', '"$@" & exec sleep 100', 'bash']);
		await first.said(/ordered/);
		const { pid } = JSON.parse(readFileSync(lockFile(), 'utf8')) as { pid: number };
		process.kill(pid, 'SIGKILL');
		const { code, out } = await start(csv).ended;
		expect(out).not.toContain('Looking');
		expect(code).toBe(0);
		expectAllPaidOnce();
	});
});

/** Until a process stands still: what it had begun when the signal came is done by then. */
async function stopped(pid: number | undefined): Promise<void> {
	const isStopped = () => / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	while (!isStopped()) await sleep(10);
}

describe('a run that is stopped for long and then goes on', () => {
	test('writes nothing and orders nothing once another has taken over, and ends with 6', async () => {
		const csv = await given();
		const first = start(csv);
		await first.said(/row 3 +ordered/);
		first.child.kill('SIGSTOP');
		const second = start(csv);
		await second.said(/row 3 +(resumed|ready)/);
		second.child.kill('SIGSTOP');
		await stopped(second.child.pid);
		const before = { lines: journal().lines, creates: sandbox.createdCount() };
		first.child.kill('SIGCONT');
		const { code, out, err } = await first.ended;
		expect(out + err).toMatch(/another run \(process \d+ on .*\) has taken over the folder briefs/);
		expect(code).toBe(6);
		expect({ lines: journal().lines, creates: sandbox.createdCount() }).toEqual(before);
		second.child.kill('SIGCONT');
		expect((await second.ended).code).toBe(0);
		expectAllPaidOnce();
	});

	test('goes on where nobody wanted the folder meanwhile', async () => {
		const csv = await given();
		const first = start(csv);
		await first.said(/ordered/);
		first.child.kill('SIGSTOP');
		await new Promise((resolve) => setTimeout(resolve, 3000));
		first.child.kill('SIGCONT');
		expect((await first.ended).code).toBe(0);
		expectAllPaidOnce();
	});
});

test('a lock that another version made is kept, and a person hears what to do', async () => {
	const csv = await given();
	mkdirSync(join(desk.folder, 'briefs'));
	writeFileSync(lockFile(), lockText({ beat: undefined }));
	for (const args of [['run', csv], ['unlock']]) {
		const { code, err } = await desk.run(args);
		expect(err).toContain('If no run works on the folder, remove the file briefs/.lock.');
		expect(code).toBe(6);
	}
	expect(sandbox.createdCount()).toBe(0);
});

describe('brief-batch unlock', () => {
	test('says that there is none, with 0', async () => {
		await given();
		expect(await desk.run(['unlock'])).toMatchObject({
			code: 0,
			out: 'There is no lock in briefs.\n',
			err: '',
		});
	});

	test('says whose it was and removes that of a dead run, and the next run goes on from its journal', async () => {
		const csv = await given();
		const first = start(csv, container('pod-1'));
		await first.said(/ordered/);
		first.child.kill('SIGKILL');
		await first.ended;
		const { code, out } = await desk.run(['unlock'], QUICK, container('pod-2'));
		expect(out).toMatch(/^The lock in briefs is of process 1 on pod-1, since /);
		expect(out).toMatch(/That run is dead\. Its lock is removed/);
		expect(code).toBe(0);
		expect((await start(csv).ended).code).toBe(0);
		expectAllPaidOnce();
	});

	test('refuses that of a run that lives in another container, and tells a machine so', async () => {
		const csv = await given(SLOWLY);
		const first = start(csv, container('pod-1'));
		await first.said(/ordered/);
		const { code, err } = await desk.run(['unlock', '--json'], QUICK);
		expect(err).toContain('alive: its heart beats');
		expect(code).toBe(6);
		expect((await first.ended).code).toBe(0);
		expectAllPaidOnce();
	});

	test('keeps a run that was only stopped from writing into the journal of the next', async () => {
		const csv = await given();
		const first = start(csv);
		await first.said(/row 3 +ordered/);
		first.child.kill('SIGSTOP');
		const unlocked = await desk.run(['unlock'], QUICK);
		expect(unlocked.code).toBe(0);
		const second = start(csv);
		await second.said(/row 3 +(resumed|ready)/);
		first.child.kill('SIGCONT');
		expect((await first.ended).code).toBe(6);
		expect((await second.ended).code).toBe(0);
		expectAllPaidOnce();
	});
});
