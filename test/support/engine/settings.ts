import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Imported before n8n-core, which reads these when it is loaded: it keeps settings in a folder, and shall not find
// anybody's own.
const folder = mkdtempSync(join(tmpdir(), 'creator-briefing-engine-'));
process.env['N8N_USER_FOLDER'] = folder;
process.env['N8N_LOG_LEVEL'] = 'silent';

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});
