import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '../process/poll-until';
import { killProcessGroup, trackProcessGroup } from '../process/process-groups';
import type { Account } from './account';

interface DaemonOptions {
	cwd: string;
	/** What it prints when it takes connections. */
	readyText: string;
	/** Who it runs as. This process's user if not given. */
	account?: Account | undefined;
}

/** A server of another maker that runs in the foreground, in its own process group. */
export interface Daemon {
	stop: () => Promise<void>;
}

export async function startDaemon(
	program: string,
	args: string[],
	{ cwd, readyText, account }: DaemonOptions,
): Promise<Daemon> {
	const child = spawn(program, args, {
		cwd,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
		...account,
	});
	const forget = trackProcessGroup(child.pid);
	let log = '';
	let isRunning = true;
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
	}
	const onExit = () => {
		isRunning = false;
		forget();
	};
	child.once('exit', onExit);
	child.once('error', (error) => {
		log += error.message;
		onExit();
	});
	// PostgreSQL’s own processes are groups of their own: only it can end them, and does so at SIGQUIT.
	const stop = async () => {
		killProcessGroup(child.pid, 'SIGQUIT');
		const deadline = Date.now() + 10_000;
		while (isRunning && Date.now() < deadline) await sleep(20);
		killProcessGroup(child.pid, 'SIGKILL');
		while (isRunning) await sleep(20);
	};
	const ask = () => {
		if (!isRunning) throw new Error(`${program} ended while starting.\n${log}`);
		return log.includes(readyText) || undefined;
	};
	try {
		const lateText = () => `${program} was not ready in time.\n${log}`;
		await pollUntil(ask, { timeoutMs: 60_000, lateText });
	} catch (error) {
		await stop();
		throw error;
	}
	return { stop };
}
