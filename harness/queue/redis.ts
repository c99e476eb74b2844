import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/free-port';
import { startDaemon } from './daemon';
import type { Store } from './store';

/** An empty Redis that keeps nothing on the disk. */
export async function startRedis(program: string): Promise<Store> {
	const folder = await mkdtemp(join(tmpdir(), 'redis-'));
	const remove = () => rm(folder, { recursive: true, force: true });
	const port = String(await freePort());
	const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	try {
		const ready = 'Ready to accept connections';
		const { stop } = await startDaemon(program, args, { cwd: folder, ready });
		return {
			env: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port },
			dispose: async () => {
				await stop();
				await remove();
			},
		};
	} catch (error) {
		await remove();
		throw error;
	}
}
