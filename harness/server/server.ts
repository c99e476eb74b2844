import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '../process/poll-until';
import { trackProcessGroup, killProcessGroup } from '../process/process-groups';
import { quietEnvironment } from './environment';
import { freePort } from './free-port';
import type { InstalledN8n } from '../install/install-n8n';

export interface ServerOptions {
	n8n: InstalledN8n;
	/** Where n8n keeps its database, settings and community nodes. A fresh one, removed at the end, if not given. */
	userFolder?: string;
	/** A free one if not given. */
	port?: number;
	/** Added to, or put in place of, what quietEnvironment() sets. */
	env?: Record<string, string>;
	/** Gets every line n8n prints, as it comes. */
	onLog?: (line: string) => void;
	startTimeoutMs?: number;
}

/** One real n8n: its process, user folder, address and log. */
export class N8nServer {
	/** Everything n8n printed since the first start, restarts included. */
	log = '';
	private child: ChildProcess | undefined;
	private brokerPort = 0;

	private constructor(
		private readonly options: ServerOptions & { env: Record<string, string> },
		readonly userFolder: string,
		private readonly ownsUserFolder: boolean,
		readonly port: number,
	) {}

	static async start(options: ServerOptions): Promise<N8nServer> {
		const userFolder = options.userFolder ?? (await freshUserFolder());
		await mkdir(userFolder, { recursive: true });
		const port = options.port ?? (await freePort());
		const owns = options.userFolder === undefined;
		const own = { ...options, env: { ...options.env } };
		const server = new N8nServer(own, userFolder, owns, port);
		try {
			await server.launch();
		} catch (error) {
			await server.dispose();
			throw error;
		}
		return server;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	get running(): boolean {
		return this.child !== undefined;
	}

	/** Starts it again on the same folder and address. `env` adds to what it was started with. */
	async restart(env: Record<string, string> = {}): Promise<void> {
		await this.stop();
		Object.assign(this.options.env, env);
		await this.launch();
	}

	/** Asks it to end, as a deployment does, and kills it if it has not ended in time. */
	async stop(timeoutMs = 40_000): Promise<void> {
		const { child } = this;
		if (!child) return;
		child.kill('SIGTERM');
		const deadline = Date.now() + timeoutMs;
		while (this.running && Date.now() < deadline) await sleep(50);
		await this.kill();
	}

	/** Kills n8n and its task runner at once, as a power cut does. */
	async kill(): Promise<void> {
		killProcessGroup(this.child?.pid, 'SIGKILL');
		while (this.running) await sleep(20);
	}

	/** Stops it and removes the user folder, unless that was given from outside. */
	async dispose(): Promise<void> {
		await this.stop(10_000);
		if (this.ownsUserFolder) {
			await rm(this.userFolder, { recursive: true, force: true, maxRetries: 3 });
		}
	}

	/** Waits until n8n has printed something. Only what comes after `from`, a length of `log`, counts. */
	async waitForLog(pattern: RegExp, timeoutMs: number, from = 0): Promise<string> {
		const late = () => `n8n did not print ${String(pattern)} in time.\n${this.lastLines()}`;
		return pollUntil(() => pattern.exec(this.log.slice(from))?.[0], { timeoutMs, late });
	}

	private async launch(): Promise<void> {
		const { n8n, env, onLog, startTimeoutMs = 180_000 } = this.options;
		this.brokerPort ||= await freePort();
		const from = this.log.length;
		const child = spawn(n8n.node.bin, [n8n.program, 'start'], {
			cwd: this.userFolder,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...quietEnvironment(n8n.version),
				PATH: n8n.node.binDir + delimiter + (process.env['PATH'] ?? ''),
				N8N_USER_FOLDER: this.userFolder,
				N8N_PORT: String(this.port),
				N8N_RUNNERS_BROKER_PORT: String(this.brokerPort),
				...env,
			},
		});
		this.child = child;
		const forget = trackProcessGroup(child.pid);
		const gone = () => {
			forget();
			// n8n's task runner may outlive it, and would keep the port of the next start busy.
			killProcessGroup(child.pid, 'SIGKILL');
			if (this.child === child) this.child = undefined;
		};
		child.once('exit', gone);
		child.once('error', (error) => {
			this.log += `${error.message}\n`;
			gone();
		});
		for (const stream of [child.stdout, child.stderr]) {
			let rest = '';
			stream.on('data', (chunk: Buffer) => {
				const text = chunk.toString();
				this.log += text;
				const lines = (rest + text).split('\n');
				rest = lines.pop() ?? '';
				for (const line of lines) onLog?.(line);
			});
		}
		await this.untilReady(from, startTimeoutMs);
		this.checkPackages(this.log.slice(from));
	}

	/**
	 * n8n goes on without a community package that it cannot load, and only its log knows: newer versions say so,
	 * older ones just print the error, in which a file of the package turns up.
	 */
	private checkPackages(log: string): void {
		const nodes = join(this.userFolder, '.n8n', 'nodes');
		const lines = log.split('\n');
		const line = lines.findIndex(
			(text) => text.includes('Failed to load package') || text.includes(nodes),
		);
		if (line < 0) return;
		const around = lines.slice(Math.max(0, line - 3), line + 4).join('\n');
		throw new Error(`n8n could not load a community package:\n${around}`);
	}

	/** The database is migrated, the REST API answers, and the published workflows have been taken up. */
	private async untilReady(from: number, timeoutMs: number): Promise<void> {
		const late = () => `n8n was not ready after ${timeoutMs / 1000} s.\n${this.lastLines()}`;
		const ask = async () => {
			if (!this.running) throw new Error(`n8n ended while starting.\n${this.lastLines()}`);
			if (!this.log.includes('Editor is now accessible', from)) return undefined;
			return (await this.answers()) || undefined;
		};
		try {
			await pollUntil(ask, { timeoutMs, late });
		} catch (error) {
			await this.kill();
			throw error;
		}
	}

	private async answers(): Promise<boolean> {
		try {
			const response = await fetch(`${this.url}/rest/settings`);
			await response.json();
			return response.ok;
		} catch {
			return false;
		}
	}

	private lastLines(): string {
		return this.log.trimEnd().split('\n').slice(-30).join('\n');
	}
}

export function freshUserFolder(): Promise<string> {
	return mkdtemp(join(tmpdir(), 'n8n-'));
}
