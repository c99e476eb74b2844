import { FolderStore } from '../folder/folder-store';
import { renderResults } from '../report/results-csv';
import { renderReport } from '../report/report-page';
import { EXIT, type ExitCode } from '../exit-codes';
import type { CommandContext } from './session';
import { readFolder, makeNoRunError } from './read-folder';

/**
 * `report`: writes results.csv and report.html again. Takes the lock, because a run that is in progress writes them
 * itself.
 */
export async function reportCommand({
	invocation,
	console,
	ports,
	signal,
}: CommandContext): Promise<ExitCode> {
	const path = invocation.settings.out;
	if ((await ports.disk.list(path)).length === 0) throw makeNoRunError(path);
	const folder = await FolderStore.open(path, 'write', { ...ports, signal });
	try {
		const { subject, table, report } = await readFolder(folder, invocation, ports);
		if (table === null)
			console.print([
				`Cannot read ${subject.csv || 'the CSV'}: results.csv stays as it is, and report.html shows the orders of the folder.`,
			]);
		else await folder.replaceFile('results.csv', renderResults(table, report));
		await folder.replaceFile('report.html', renderReport(subject, report, ports.clock.now()));
		const files = table === null ? ['report.html'] : ['results.csv', 'report.html'];
		console.print([`Saved: ${files.map((file) => `${path}/${file}`).join(', ')}`]);
		return EXIT.ok;
	} finally {
		await folder.close();
	}
}
