import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function freshUserFolder(): Promise<string> {
	return mkdtemp(join(tmpdir(), 'n8n-'));
}

/** The folder in which n8n looks for community nodes. */
export function communityNodes(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes');
}
