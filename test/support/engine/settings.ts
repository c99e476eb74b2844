import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Imported before n8n-core, which reads these when it is loaded, so that n8n does not use the settings of the user.
const folder = mkdtempSync(join(tmpdir(), 'creator-briefing-engine-'));
process.env['N8N_USER_FOLDER'] = folder;
process.env['N8N_LOG_LEVEL'] = 'silent';

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});
