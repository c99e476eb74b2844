import { createHash } from 'node:crypto';

/** What is remembered under an idempotency key. */
export interface Remembered {
	bodyHash: string;
	at: number;
	briefId: string;
}

/** The idempotency memory of all workspaces (docs/api.md section 4.3 rule 2). */
export class KeyMemory {
	private readonly entries = new Map<string, Remembered>();

	find(workspace: string, key: string, now: number, memoryMs: number): Remembered | undefined {
		const entry = this.entries.get(place(workspace, key));
		return entry !== undefined && now - entry.at < memoryMs ? entry : undefined;
	}

	save(workspace: string, key: string, entry: Remembered): void {
		this.entries.set(place(workspace, key), entry);
	}
}

function place(workspace: string, key: string): string {
	return `${workspace} ${key.toLowerCase()}`;
}

/** The order of the fields makes no difference. */
export function bodyHash(body: object): string {
	const fields = Object.entries(body)
		.filter(([name]) => name !== 'idempotency_key')
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
