import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxOptions } from '../../../sandbox/sandbox';
import { deskOf, type Desk } from '../../support/batch/brief-batch';
import type { Running } from '../../support/started';
import { lockText } from '../../support/batch/lock-fixtures';
import { until } from '../../support/until';

jest.setTimeout(120_000);

/** A process in namespaces of its own, like one in a container: it has the number 1, and a name of its computer. */
const container = (name: string) => [
	...['unshare', '--user', '--map-root-user', '--uts', '--pid', '--fork', '--kill-child'],
	...['--mount-proc', 'bash', '-c', `hostname ${name}; exec "$@"`, 'bash'],
];

let desk: Desk;

/** A run is at work for as long as a test needs it. */
const SLOWLY = { speed: 10 };

async function given(options: SandboxOptions = {}): Promise<void> {
	desk = await deskOf(2, { speed: 400, slots: 9, ...options });
}

const start = (via: string[] = []): Running => desk.start('run products.csv', {}, via);

/** A run that has ordered something, and was killed. */
const killed = (via?: string[]) => desk.killAt(/ordered/, undefined, via);

const lockFile = () => desk.path('briefs/.lock');

/** All rows are there, each paid once, the journal is whole, and no lock is left. */
function expectAllPaidOnce(): void {
	desk.expectPaid(2);
	const states = desk.journal().records.all();
	expect(states.map(({ state }) => state.stage)).toEqual(['done', 'done']);
	expect(readdirSync(desk.path('briefs')).filter((name) => /lock/.test(name))).toEqual([]);
}

test('this machine can give a process its own namespaces, without which the tests below mean nothing', () => {
	const [command = '', ...rest] = container('pod-1');
	const script = 'process.stdout.write([process.pid, os.hostname()].join())';
	const { stdout, stderr } = spawnSync(command, [...rest, process.execPath, '-e', script]);
	expect([String(stderr), String(stdout)]).toEqual(['', '1,pod-1']);
});

describe('a folder in use', () => {
	test('is refused with 6 here, in a container of the same name and in another one', async () => {
		await given(SLOWLY);
		const first = start(container('pod-1'));
		await first.prints(/ordered/);
		expect(statSync(lockFile()).mode & 0o777).toBe(0o600);
		expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: 1, host: 'pod-1' });
		const others = [start(container('pod-1')), start(container('pod-2')), start()];
		others.push(desk.start('unlock --json'));
		for (const { ended } of others) {
			const { code, err } = await ended;
			expect(err).toMatch(/process 1 on pod-1, since [^]*alive: its heart beats/);
			expect(code).toBe(6);
		}
		desk.sandbox.advance(600_000);
		expect((await first.ended).code).toBe(0);
		expectAllPaidOnce();
	});

	test('is refused at once if its process works on this computer', async () => {
		await given(SLOWLY);
		const first = start();
		await first.prints(/ordered/);
		for (const args of ['run products.csv', 'retry products.csv --yes', 'unlock']) {
			const said = [`process ${first.child.pid} on`, 'alive: its process is at work'];
			const { out } = await desk.expectEnd(args, 6, ...said);
			expect(out).not.toContain('Looking');
		}
		await first.kill();
	});
});

describe('the lock of a dead run is taken over', () => {
	test('from another computer if its heartbeat stops', async () => {
		await given();
		await killed(container('pod-1'));
		const { code, out } = await start(container('pod-2')).ended;
		expect(out).toMatch(/lock of process 1 on pod-1, since .* Looking for up to 20 seconds/);
		expect(code).toBe(0);
		expectAllPaidOnce();
	});

	test('at once if another program has its process number', async () => {
		await given();
		await killed();
		const lock = JSON.parse(readFileSync(lockFile(), 'utf8')) as object;
		writeFileSync(lockFile(), JSON.stringify({ ...lock, pid: process.pid }));
		const { code, out } = await start().ended;
		expect(out).not.toContain('Looking');
		expect(code).toBe(0);
		expectAllPaidOnce();
	});

	test('at once if it is a zombie', async () => {
		await given();
		// The parent becomes a program that never asks for its child.
		const first = start(['bash', '-c', '"$@" & exec sleep 100', 'bash']);
		await first.prints(/ordered/);
		const { pid } = JSON.parse(readFileSync(lockFile(), 'utf8')) as { pid: number };
		process.kill(pid, 'SIGKILL');
		const { code, out } = await start().ended;
		expect(out).not.toContain('Looking');
		expect(code).toBe(0);
		first.child.kill('SIGKILL');
		expectAllPaidOnce();
	});
});

describe('a run that is stopped for long', () => {
	test.each([
		['taken the lock over', () => undefined],
		['used unlock', async () => expect((await desk.run('unlock')).code).toBe(0)],
	])('writes nothing, orders nothing and ends with 6 after others have %s', async (_, before) => {
		await given();
		const first = start();
		await first.prints(/row 3 +ordered/);
		first.child.kill('SIGSTOP');
		await before();
		const second = start();
		await second.prints(/row 3 +(pending|ready)/);
		second.child.kill('SIGSTOP');
		// What it had begun when the signal came is done by then.
		await until(() => / T /.test(readFileSync(`/proc/${second.child.pid}/stat`, 'utf8')));
		const left = { lines: desk.journal().lines, creates: desk.sandbox.createdCount() };
		first.child.kill('SIGCONT');
		const { code, out, err } = await first.ended;
		expect(out + err).toMatch(/another run \(process \d+ on .*\) has taken over the folder briefs/);
		expect(code).toBe(6);
		expect({ lines: desk.journal().lines, creates: desk.sandbox.createdCount() }).toEqual(left);
		second.child.kill('SIGCONT');
		expect((await second.ended).code).toBe(0);
		expectAllPaidOnce();
	});

	test('goes on if nobody wanted the folder meanwhile', async () => {
		await given();
		const first = start();
		await first.prints(/ordered/);
		first.child.kill('SIGSTOP');
		await sleep(3000);
		first.child.kill('SIGCONT');
		expect((await first.ended).code).toBe(0);
		expectAllPaidOnce();
	});
});

test('a lock of another version is kept, and the message says what to do', async () => {
	await given();
	mkdirSync(desk.path('briefs'));
	writeFileSync(lockFile(), lockText({ beat: undefined }));
	for (const args of ['run products.csv', 'unlock']) {
		const said = 'If no run works on the folder, remove the file briefs/.lock.';
		await desk.expectEnd(args, 6, said);
	}
});

test('report hears Ctrl-C while it looks whether the run that has the lock is alive', async () => {
	await given();
	expect((await start().ended).code).toBe(0);
	writeFileSync(lockFile(), lockText({ host: 'elsewhere' }));
	const report = desk.start('report');
	await report.prints(/Looking for up to \d+ seconds/);
	expect((await report.kill('SIGINT')).code).toBe(130);
});

test('unlock removes the lock of a dead run, and the next run goes on from its journal', async () => {
	await given();
	await killed(container('pod-1'));
	const { code, out } = await desk.start('unlock', {}, container('pod-2')).ended;
	expect(out).toMatch(/^The lock in briefs is of process 1 on pod-1, since /);
	expect(out).toMatch(/That run is dead\. Its lock is removed/);
	expect(code).toBe(0);
	await desk.expectEnd('unlock', 0, 'There is no lock in briefs.\n');
	expect((await start().ended).code).toBe(0);
	expectAllPaidOnce();
});
