import { freePort } from './free-port';
import { N8nProcess, type ProcessOptions } from './n8n-process';

interface ServerOptions extends ProcessOptions {
	/** The folder of n8n's database, settings and community nodes. */
	userFolder: string;
	/** A free one if not given. */
	port?: number;
}

/** One real n8n: its process, user folder, address and log. */
export class N8nServer extends N8nProcess {
	private constructor(
		options: ServerOptions,
		readonly port: number,
	) {
		const env = { N8N_PORT: String(port), ...options.env };
		super('start', { ...options, env }, options.userFolder);
	}

	static async start(options: ServerOptions): Promise<N8nServer> {
		const port = options.port ?? (await freePort());
		const server = new N8nServer(options, port);
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

	async dispose(): Promise<void> {
		await this.stop(10_000);
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
