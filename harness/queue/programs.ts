import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs that queue mode needs beside n8n. */
interface QueuePrograms {
	redis: string;
	/** The folder of PostgreSQL's programs: Debian keeps them apart by version, and off the PATH. */
	postgres: string;
}

export function findQueuePrograms(): QueuePrograms {
	const redis = onPath().find((folder) => isProgram(join(folder, 'redis-server')));
	const postgres = [...newestOfDebian(), ...onPath()].find((folder) =>
		isProgram(join(folder, 'initdb')),
	);
	if (redis === undefined || postgres === undefined) {
		throw new Error(
			'Queue mode needs Redis and PostgreSQL; on Debian, install them with: apt-get install -y redis-server postgresql',
		);
	}
	return { redis: join(redis, 'redis-server'), postgres };
}

function onPath(): string[] {
	return (process.env['PATH'] ?? '').split(delimiter);
}

function newestOfDebian(): string[] {
	const all = '/usr/lib/postgresql';
	const versions = existsSync(all) ? readdirSync(all) : [];
	return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(all, version, 'bin'));
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
