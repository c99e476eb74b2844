import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InstalledN8n } from '../install/install-n8n';
import { pollUntil } from '../process/poll-until';
import { trackProcessGroup, killProcessGroup } from '../process/process-groups';
import { quietEnvironment } from './quiet-environment';
import { freePort } from './free-port';
import { communityNodes } from './user-folder';

export interface ProcessOptions {
	n8n: InstalledN8n;
	/** Added to, or put in place of, what quietEnvironment() sets. */
	env?: Record<string, string>;
}

/** One process of n8n on a user folder: `n8n start` or `n8n worker`, with its log. */
export abstract class N8nProcess {
	/** Everything n8n printed since the first start, restarts included. */
	log = '';
	private child: ChildProcess | undefined;
	private brokerPort = 0;

	protected constructor(
		private readonly command: 'start' | 'worker',
		private readonly options: ProcessOptions,
		readonly userFolder: string,
	) {}

	/** Whether what n8n has printed since its start, and what it answers, say that it is ready. */
	protected abstract isReady(log: string): boolean | Promise<boolean>;

	get isRunning(): boolean {
		return this.child !== undefined;
	}

	/** Starts it again on the same folder and address. */
	async restart(): Promise<void> {
		await this.stop();
		await this.launch();
	}

	/** Asks it to end, as a deployment does, and kills it if it has not ended in time. */
	async stop(timeoutMs = 40_000): Promise<void> {
		const { child } = this;
		if (!child) return;
		child.kill('SIGTERM');
		const deadline = Date.now() + timeoutMs;
		while (this.isRunning && Date.now() < deadline) await sleep(50);
		await this.kill();
	}

	/** Kills n8n and its task runner at once, as a power cut does. */
	async kill(): Promise<void> {
		killProcessGroup(this.child?.pid, 'SIGKILL');
		while (this.isRunning) await sleep(20);
	}

	protected async launch(): Promise<void> {
		const { n8n } = this.options;
		this.brokerPort ||= await freePort();
		const from = this.log.length;
		const child = spawn(n8n.node.bin, [n8n.program, this.command], {
			cwd: this.userFolder,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...quietEnvironment(n8n.version),
				PATH: n8n.node.binDir + delimiter + (process.env['PATH'] ?? ''),
				N8N_USER_FOLDER: this.userFolder,
				N8N_RUNNERS_BROKER_PORT: String(this.brokerPort),
				...this.options.env,
			},
		});
		this.child = child;
		const forget = trackProcessGroup(child.pid);
		const onExit = () => {
			forget();
			// n8n's task runner may outlive it, and would keep the port of the next start busy.
			killProcessGroup(child.pid, 'SIGKILL');
			if (this.child === child) this.child = undefined;
		};
		child.once('exit', onExit);
		child.once('error', (error) => {
			this.log += `${error.message}\n`;
			onExit();
		});
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
		}
		await this.untilReady(from);
		this.checkPackages(this.log.slice(from));
	}

	/**
	 * n8n continues without a community package that it cannot load, and only its log says so: newer versions name it,
	 * older ones print an error with a file of the package in it.
	 */
	private checkPackages(log: string): void {
		const nodes = communityNodes(this.userFolder);
		const lines = log.split('\n');
		const line = lines.findIndex(
			(text) => text.includes('Failed to load package') || text.includes(nodes),
		);
		if (line < 0) return;
		const around = lines.slice(Math.max(0, line - 3), line + 4).join('\n');
		throw new Error(`n8n could not load a community package:\n${around}`);
	}

	private async untilReady(from: number): Promise<void> {
		const timeoutMs = 180_000;
		const lateText = () => `n8n was not ready after ${timeoutMs / 1000} s.\n${this.lastLines()}`;
		const ask = async () => {
			if (!this.isRunning) throw new Error(`n8n ended while starting.\n${this.lastLines()}`);
			return (await this.isReady(this.log.slice(from))) || undefined;
		};
		try {
			await pollUntil(ask, { timeoutMs, lateText });
		} catch (error) {
			await this.kill();
			throw error;
		}
	}

	private lastLines(): string {
		return this.log.trimEnd().split('\n').slice(-30).join('\n');
	}
}
