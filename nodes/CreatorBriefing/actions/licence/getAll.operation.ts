import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forEachItem } from '../../../shared/items';
import { openRun } from '../../../shared/run';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = await openRun(this);
	return await forEachItem(this, run, async () => {
		const licences = await run.reader.licences(run.signal);
		return licences.map((json) => ({ json }));
	});
}
