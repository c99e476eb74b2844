import type { ChildProcess } from 'node:child_process';
import { delimiter } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCommunityFolder } from '../install/community-package';
import type { InstalledN8n } from '../install/install-n8n';
import { findFreePort } from '../process/free-port';
import { pollUntil } from '../process/poll-until';
import { killGroup, spawnGroup } from '../process/process-groups';
import { makeQuietEnvironment } from './quiet-environment';

export interface ProcessOptions {
	n8n: InstalledN8n;
	/** The folder of n8n's database, settings and community packages. */
	userFolder: string;
	/** Settings that are added to those of makeQuietEnvironment(), or replace them. */
	env: Record<string, string>;
}

const START_TIMEOUT_MS = 180_000;

/** A process of n8n, `n8n start` or `n8n worker`, with its log. */
export abstract class N8nProcess {
	/** Everything that n8n has printed since the first start. */
	log = '';
	readonly userFolder: string;
	private child: ChildProcess | undefined;
	private brokerPort = 0;
	private killContainer: () => void = () => undefined;

	constructor(
		private readonly command: 'start' | 'worker',
		private readonly options: ProcessOptions,
	) {
		this.userFolder = options.userFolder;
	}

	/** Whether n8n is ready, by its log since the start and its answers. */
	protected abstract isReady(log: string): boolean | Promise<boolean>;

	get isRunning(): boolean {
		return this.child !== undefined;
	}

	/** Starts n8n, and waits until it is ready. */
	async start(): Promise<void> {
		this.brokerPort ||= await findFreePort();
		const startOfLog = this.log.length;
		this.launch();
		const check = async () => {
			if (!this.isRunning) throw new Error(`n8n ended while starting.\n${this.lastLines}`);
			return (await this.isReady(this.log.slice(startOfLog))) || undefined;
		};
		const getTimeoutMessage = () => `n8n was not ready in time.\n${this.lastLines}`;
		try {
			await pollUntil(check, { timeoutMs: START_TIMEOUT_MS, getTimeoutMessage });
			this.checkPackages(this.log.slice(startOfLog));
		} catch (error) {
			await this.kill();
			throw error;
		}
	}

	/** Stops n8n and starts it on the same folder and address. */
	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** Asks n8n to end, as a deployment does, and kills it after the timeout. */
	async stop(timeoutMs = 40_000): Promise<void> {
		this.child?.kill('SIGTERM');
		const deadline = Date.now() + timeoutMs;
		while (this.isRunning && Date.now() < deadline) await sleep(50);
		await this.kill();
	}

	/** Kills n8n and its task runner at once, as a power cut does. */
	async kill(): Promise<void> {
		this.killContainer();
		killGroup(this.child?.pid, 'SIGKILL');
		while (this.isRunning) await sleep(20);
	}

	private launch(): void {
		const { n8n, userFolder, env } = this.options;
		const settings = {
			...makeQuietEnvironment(n8n.version),
			N8N_USER_FOLDER: userFolder,
			N8N_RUNNERS_BROKER_PORT: String(this.brokerPort),
			...env,
		};
		const { program, args, binDir, kill } = n8n.makeCommand(this.command, settings);
		this.killContainer = kill;
		const path = process.env['PATH'] ?? '';
		const child = spawnGroup(program, args, {
			cwd: userFolder,
			env: { PATH: binDir === null ? path : binDir + delimiter + path, ...settings },
			onOutput: (text) => (this.log += text),
			onExit: () => {
				// A task runner that outlives n8n keeps the port of the next start busy.
				killGroup(child.pid, 'SIGKILL');
				if (this.child === child) this.child = undefined;
			},
		});
		this.child = child;
	}

	/**
	 * Throws if n8n could not load the package. n8n then starts without it and reports it only in the log: newer versions
	 * name the package, older versions print an error with one of its files.
	 */
	private checkPackages(log: string): void {
		const nodes = getCommunityFolder(this.userFolder);
		const lines = log.split('\n');
		const line = lines.findIndex(
			(text) => text.includes('Failed to load package') || text.includes(nodes),
		);
		if (line < 0) return;
		const context = lines.slice(Math.max(0, line - 3), line + 4).join('\n');
		throw new Error(`n8n could not load a community package:\n${context}`);
	}

	private get lastLines(): string {
		return this.log.trimEnd().split('\n').slice(-30).join('\n');
	}
}
