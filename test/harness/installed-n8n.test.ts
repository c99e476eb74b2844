import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installN8n } from '../../harness/install/install-n8n';
import { temporaryFolder } from '../support/temporary-folder';

const dir = temporaryFolder();
const program = join(dir, 'node_modules', 'n8n');

beforeAll(() => {
	mkdirSync(program, { recursive: true });
	writeFileSync(join(program, 'package.json'), JSON.stringify({ version: '2.41.0' }));
});
afterEach(() => Reflect.deleteProperty(process.env, 'N8N_DIR'));

describe('with N8N_DIR', () => {
	it('uses the n8n in that folder, and installs nothing', async () => {
		process.env['N8N_DIR'] = dir;
		const progress: string[] = [];
		const n8n = await installN8n(undefined, { say: (line) => progress.push(line) });
		expect(n8n.version).toBe('2.41.0');
		expect(n8n.program).toBe(join(program, 'bin', 'n8n'));
		expect(progress).toEqual([]);
	});

	it('refuses a folder that has another version than the version asked for', async () => {
		process.env['N8N_DIR'] = dir;
		await expect(installN8n('2.41.1')).rejects.toThrow(
			`N8N_DIR has n8n 2.41.0, not 2.41.1: ${dir}`,
		);
	});

	it('refuses a folder without n8n', async () => {
		process.env['N8N_DIR'] = join(dir, 'node_modules');
		await expect(installN8n()).rejects.toThrow('N8N_DIR has no node_modules/n8n:');
	});
});
