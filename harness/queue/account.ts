import { readFile } from 'node:fs/promises';

export interface Account {
	uid: number;
	gid: number;
}

/**
 * The account for programs that refuse to run as root: `postgres` or, without it, `nobody`. Undefined if we are not
 * root.
 */
export async function lesserAccount(): Promise<Account | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const accounts = (await readFile('/etc/passwd', 'utf8'))
		.split('\n')
		.map((line) => line.split(':'));
	for (const wanted of ['postgres', 'nobody']) {
		const found = accounts.find(([name]) => name === wanted);
		if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
	}
	throw new Error('PostgreSQL does not run as root, and there is no account postgres or nobody.');
}
