import { spawnSync } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/free-port';
import { lesserAccount } from './account';
import { startDaemon } from './daemon';
import type { Store } from './store';

const USER = 'n8n';

/** An empty PostgreSQL that takes everybody on this machine and does not wait for the disk. */
export async function startPostgres(programs: string): Promise<Store> {
	const account = await lesserAccount();
	const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
	const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
	const data = join(folder, 'data');
	const port = String(await freePort());
	try {
		if (account) await chown(folder, account.uid, account.gid);
		const initialise = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'];
		const made = spawnSync(join(programs, 'initdb'), initialise, {
			cwd: folder,
			encoding: 'utf8',
			...account,
		});
		if (made.status !== 0) throw new Error(`initdb made no database.\n${made.stderr}`);
		const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
		const args = ['-D', data, '-h', '127.0.0.1', '-p', port, '-k', folder];
		const { stop } = await startDaemon(
			join(programs, 'postgres'),
			[...args, ...settings.flatMap((setting) => ['-c', setting])],
			{ cwd: folder, ready: 'database system is ready to accept connections', account },
		);
		return {
			env: {
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: '127.0.0.1',
				DB_POSTGRESDB_PORT: port,
				DB_POSTGRESDB_USER: USER,
				// The database that each PostgreSQL has from its beginning.
				DB_POSTGRESDB_DATABASE: 'postgres',
			},
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
