import { installN8n } from '../install/install-n8n';
import { startN8nWithPackage, type N8nWithPackage } from '../n8n-with-package';
import { N8nWorker } from '../server/worker';
import { startPostgres } from './postgres';
import { findQueuePrograms } from './programs';
import { startRedis } from './redis';

/** An n8n in queue mode: one main process, its workers, and the Redis and PostgreSQL between them. */
export interface N8nInQueueMode extends N8nWithPackage {
	workers: N8nWorker[];
}

/** A dead worker’s job is found in 10 seconds instead of n8n’s 60. What happens then is the same. */
const QUICKLY_STALLED = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/** Of this repository's package it packs what is in dist/: build first. */
export async function startN8nInQueueMode(version: string): Promise<N8nInQueueMode> {
	const programs = findQueuePrograms();
	const disposals: Array<() => Promise<void>> = [];
	// Last started, first ended, because n8n complains at length without its database.
	const dispose = async () => {
		for (const each of disposals.splice(0).reverse()) await each();
	};
	try {
		const redis = await startRedis(programs.redis);
		disposals.push(redis.dispose);
		const postgres = await startPostgres(programs.postgres);
		disposals.push(postgres.dispose);
		const env = { ...postgres.env, ...redis.env, ...QUICKLY_STALLED, EXECUTIONS_MODE: 'queue' };
		const main = await startN8nWithPackage({ version, env });
		disposals.push(main.dispose);
		const n8n = await installN8n(version);
		const options = { n8n, env: { ...main.vendors.env, ...env } };
		const starts = [1, 2].map(async () => {
			const worker = await N8nWorker.start(options, main.server.userFolder);
			disposals.push(() => worker.dispose());
			return worker;
		});
		// If one does not start, the others still start to their end, so that they can be stopped.
		await Promise.allSettled(starts);
		return { ...main, workers: await Promise.all(starts), dispose };
	} catch (error) {
		await dispose();
		throw error;
	}
}
