import { spawnSync } from 'node:child_process';
import { accessSync, chownSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '../process/free-port';
import { pollUntil } from '../process/poll-until';
import { killGroup, spawnGroup } from '../process/process-groups';

/** A database server, and the settings with which n8n connects to it. */
interface Store {
	env: Record<string, string>;
	dispose: () => Promise<void>;
}

const USER = 'n8n';

/** Starts an empty Redis, which writes nothing to disk. */
export async function startRedis(): Promise<Store> {
	const program = findProgram('redis-server');
	const port = String(await findFreePort());
	const folder = await mkdtemp(join(tmpdir(), 'redis-'));
	const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	const readyText = 'Ready to accept connections';
	const dispose = await startDaemon([program, ...args], { folder, readyText });
	return { env: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port }, dispose };
}

/** Starts an empty PostgreSQL without a password and without fsync. */
export async function startPostgres(): Promise<Store> {
	const program = findProgram('postgres');
	const port = String(await findFreePort());
	const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
	const account = findPostgresAccount();
	if (account) chownSync(folder, account.uid, account.gid);
	const data = join(folder, 'data');
	const init = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'];
	const made = spawnSync(findProgram('initdb'), init, {
		encoding: 'utf8',
		cwd: folder,
		...account,
	});
	if (made.status !== 0) throw new Error(`initdb failed.\n${made.stderr}`);
	const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
	const args = ['-D', data, '-h', '127.0.0.1', '-p', port, '-k', folder];
	const dispose = await startDaemon(
		[program, ...args, ...settings.flatMap((setting) => ['-c', setting])],
		{ folder, readyText: 'database system is ready to accept connections', account },
	);
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: USER,
			// The database that every new PostgreSQL has.
			DB_POSTGRESDB_DATABASE: 'postgres',
		},
		dispose,
	};
}

interface Account {
	uid: number;
	gid: number;
}

/** Returns the account for PostgreSQL, which refuses to run as root, or undefined if we are not root. */
function findPostgresAccount(): Account | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const [, uid, gid] =
		/^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
	if (gid === undefined) throw new Error('There is no account postgres, and root cannot run it.');
	return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the path of a program. Debian installs PostgreSQL's programs in a folder per version, which is not on PATH. */
function findProgram(name: string): string {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian)
		? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
		: [];
	const folders = [
		...versions.map((version) => join(debian, version, 'bin')),
		...(process.env['PATH'] ?? '').split(delimiter),
	];
	const path = folders.map((folder) => join(folder, name)).find(isExecutable);
	if (path !== undefined) return path;
	throw new Error(
		`Queue mode needs ${name}. Install Redis and PostgreSQL (Debian: apt-get install -y redis-server postgresql).`,
	);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

interface DaemonOptions {
	/** The daemon's working folder, which is removed after the daemon has ended. */
	folder: string;
	/** The text that the daemon prints when it accepts connections. */
	readyText: string;
	account?: Account | undefined;
}

/** Starts a server in the foreground, and returns a function that stops it. */
async function startDaemon(
	[program = '', ...args]: string[],
	{ folder, readyText, account }: DaemonOptions,
): Promise<() => Promise<void>> {
	let log = '';
	let isRunning = true;
	const child = spawnGroup(program, args, {
		cwd: folder,
		env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
		...account,
		onOutput: (text) => (log += text),
		onExit: () => (isRunning = false),
	});
	const waitForEnd = (timeoutMs: number) =>
		pollUntil(() => !isRunning || undefined, {
			timeoutMs,
			getTimeoutMessage: () => `${program} still runs.`,
		});
	const stop = async () => {
		// PostgreSQL's child processes are in other groups. PostgreSQL ends them when it gets SIGQUIT.
		killGroup(child.pid, 'SIGQUIT');
		await waitForEnd(10_000).catch(() => killGroup(child.pid, 'SIGKILL'));
		await waitForEnd(10_000);
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
	};
	const check = () => {
		if (!isRunning) throw new Error(`${program} ended while starting.\n${log}`);
		return log.includes(readyText) || undefined;
	};
	try {
		const getTimeoutMessage = () => `${program} was not ready in time.\n${log}`;
		await pollUntil(check, { timeoutMs: 60_000, getTimeoutMessage });
	} catch (error) {
		await stop();
		throw error;
	}
	return stop;
}
