import { readFolder } from '../../../batch/commands/read-folder';
import { FolderStore } from '../../../batch/folder/folder-store';
import type { Ports } from '../../../batch/session';
import { makeRows } from '../support/order-builder';
import { VirtualBatch } from '../support/virtual-batch';
import { makeInvocation, makeTable } from '../support/world';

test('status suggests commands with the --max and --reserve of the last run', async () => {
	const batch = new VirtualBatch();
	const names = ['Mug', 'Pan', 'Cup'];
	await batch.run(names, { max: ['1'], reserve: ['20'] });
	const { clock, disk } = batch;
	const rows = makeRows(...names.map((product_name) => ({ product_name })));
	const ports = { clock, disk, readTable: async () => makeTable(rows) } as unknown as Ports;
	const folder = await FolderStore.open('out', 'read', {
		disk,
		lockFolder: async () => {
			throw new Error('status locks nothing');
		},
		clock,
		signal: new AbortController().signal,
	});
	const { overview } = await readFolder(folder, makeInvocation({}), ports);
	const steps = overview.groups.flatMap(({ nextSteps }) => nextSteps);
	const [command] = steps.flatMap(({ commands = [] }) => commands);
	expect(command).toMatch(/products\.csv --out out --max 1 --reserve 20$/);
});
