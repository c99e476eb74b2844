import { freePort } from '../server/free-port';
import { startDaemon } from './daemon';
import { storeInFolder, type Store } from './store';

/** An empty Redis that keeps nothing on the disk. */
export function startRedis(program: string): Promise<Store> {
	return storeInFolder('redis-', async (folder) => {
		const port = String(await freePort());
		const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
		const readyText = 'Ready to accept connections';
		const daemon = await startDaemon(program, args, { cwd: folder, readyText });
		return { daemon, env: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port } };
	});
}
