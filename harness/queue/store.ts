import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Daemon } from './daemon';

/** A server that n8n keeps something in, and the settings by which n8n finds it. */
export interface Store {
	env: Record<string, string>;
	dispose: () => Promise<void>;
}

/** Starts a server in a temporary folder that is removed with the server, also if it does not start. */
export async function storeInFolder(
	prefix: string,
	start: (folder: string) => Promise<{ daemon: Daemon; env: Store['env'] }>,
): Promise<Store> {
	const folder = await mkdtemp(join(tmpdir(), prefix));
	const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
	try {
		const { daemon, env } = await start(folder);
		return { env, dispose: () => daemon.stop().finally(remove) };
	} catch (error) {
		await remove();
		throw error;
	}
}
