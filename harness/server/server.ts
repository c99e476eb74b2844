import { N8nProcess, type ProcessOptions } from './n8n-process';

/** The main process of n8n, with its editor and REST interface. */
export class N8nServer extends N8nProcess {
	readonly url: string;

	constructor(options: ProcessOptions, port: number) {
		super('start', { ...options, env: { N8N_PORT: String(port), ...options.env } });
		this.url = `http://127.0.0.1:${port}`;
	}

	/** The database is migrated, the REST interface answers, and the published workflows are active. */
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
