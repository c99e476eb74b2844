import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCommunityFolder } from '../install/community-package';
import { installN8n } from '../install/install-n8n';
import { startN8nWithPackage, type N8nWithPackage } from '../n8n-with-package';
import { N8nWorker } from '../server/worker';
import { startPostgres, startRedis } from './stores';

/** An n8n in queue mode: a main process, its workers, and the Redis and PostgreSQL between them. */
export interface N8nInQueueMode extends N8nWithPackage {
	workers: N8nWorker[];
}

/** With these settings, n8n notices the job of a dead worker after 10 seconds instead of 60. */
const FAST_STALL_SETTINGS = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/** Starts n8n with two workers, and the package of the last build in each. */
export async function startN8nInQueueMode(version: string): Promise<N8nInQueueMode> {
	const disposals: Array<() => Promise<void>> = [];
	const dispose = async () => {
		// Ends in reverse order of the start, because n8n needs its database to end.
		for (const each of disposals.splice(0).reverse()) await each();
	};
	try {
		const redis = await startRedis();
		disposals.push(redis.dispose);
		const postgres = await startPostgres();
		disposals.push(postgres.dispose);
		const mode = { EXECUTIONS_MODE: 'queue', ...FAST_STALL_SETTINGS };
		const env = { ...postgres.env, ...redis.env, ...mode };
		const main = await startN8nWithPackage({ version, env });
		disposals.push(main.dispose);
		const n8n = await installN8n(version);
		const workers: N8nWorker[] = [];
		for (const name of ['worker-1-', 'worker-2-']) {
			// Each worker has its own folder, as on another machine.
			const userFolder = await mkdtemp(join(tmpdir(), name));
			const worker = new N8nWorker({ n8n, userFolder, env: { ...main.vendors.env, ...env } });
			disposals.push(async () => {
				await worker.stop(10_000);
				await rm(userFolder, { recursive: true, force: true, maxRetries: 3 });
			});
			const nodes = getCommunityFolder(main.server.userFolder);
			await cp(nodes, getCommunityFolder(userFolder), { recursive: true });
			await worker.start();
			workers.push(worker);
		}
		return { ...main, workers, dispose };
	} catch (error) {
		await dispose();
		throw error;
	}
}
