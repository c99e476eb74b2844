import { spawnSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../server/free-port';
import { lesserAccount, type Account } from './account';
import { startDaemon } from './daemon';
import { storeInFolder, type Store } from './store';

const USER = 'n8n';

/** An empty PostgreSQL that takes everybody on this machine and does not wait for the disk. */
export async function startPostgres(programs: string): Promise<Store> {
	const account = await lesserAccount();
	return storeInFolder('postgres-', async (folder) => {
		if (account) await chown(folder, account.uid, account.gid);
		const data = join(folder, 'data');
		initialise(join(programs, 'initdb'), data, { cwd: folder, ...account });
		const port = String(await freePort());
		const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
		const args = ['-D', data, '-h', '127.0.0.1', '-p', port, '-k', folder];
		const daemon = await startDaemon(
			join(programs, 'postgres'),
			[...args, ...settings.flatMap((setting) => ['-c', setting])],
			{ cwd: folder, readyText: 'database system is ready to accept connections', account },
		);
		return {
			daemon,
			env: {
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: '127.0.0.1',
				DB_POSTGRESDB_PORT: port,
				DB_POSTGRESDB_USER: USER,
				// The database that each PostgreSQL has from its beginning.
				DB_POSTGRESDB_DATABASE: 'postgres',
			},
		};
	});
}

function initialise(initdb: string, data: string, as: { cwd: string } & Partial<Account>): void {
	const args = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'];
	const result = spawnSync(initdb, args, { encoding: 'utf8', ...as });
	if (result.status !== 0) throw new Error(`initdb made no database.\n${result.stderr}`);
}
