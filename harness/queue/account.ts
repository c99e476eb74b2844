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
	for (const user of ['postgres', 'nobody']) {
		const account = accounts.find(([name]) => name === user);
		if (account) return { uid: Number(account[2]), gid: Number(account[3]) };
	}
	throw new Error('PostgreSQL does not run as root, and there is no account postgres or nobody.');
}
