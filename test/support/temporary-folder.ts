import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a new folder, which is removed after the tests of the file. */
export function makeTemporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'brief-batch-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
