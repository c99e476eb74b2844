import { mkdir, rm } from 'node:fs/promises';
import { freePort } from './free-port';
import { N8nProcess, type ProcessOptions } from './n8n-process';
import { freshUserFolder } from './user-folder';

export interface ServerOptions extends ProcessOptions {
	/** The folder of n8n's database, settings and community nodes. A fresh one, removed at the end, if not given. */
	userFolder?: string;
	/** A free one if not given. */
	port?: number;
}

/** One real n8n: its process, user folder, address and log. */
export class N8nServer extends N8nProcess {
	private constructor(
		options: ServerOptions,
		userFolder: string,
		private readonly ownsUserFolder: boolean,
		readonly port: number,
	) {
		const env = { N8N_PORT: String(port), ...options.env };
		super('start', { ...options, env }, userFolder);
	}

	static async start(options: ServerOptions): Promise<N8nServer> {
		const userFolder = options.userFolder ?? (await freshUserFolder());
		await mkdir(userFolder, { recursive: true });
		const port = options.port ?? (await freePort());
		const owns = options.userFolder === undefined;
		const server = new N8nServer(options, userFolder, owns, port);
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

	/** Stops it and removes the user folder, unless that was given from outside. */
	async dispose(): Promise<void> {
		await this.stop(10_000);
		if (this.ownsUserFolder) {
			await rm(this.userFolder, { recursive: true, force: true, maxRetries: 3 });
		}
	}

	/** The database is migrated, the REST API answers, and the published workflows have been taken up. */
	protected override async isReady(log: string): Promise<boolean> {
		if (!log.includes('Editor is now accessible')) return false;
		try {
			const response = await fetch(`${this.url}/rest/settings`);
			await response.json();
			return response.ok;
		} catch {
			return false;
		}
	}
}
