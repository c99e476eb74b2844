import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forEachItem } from '../../../shared/items';
import { openSession } from '../../../shared/session';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const session = await openSession(this);
	return await forEachItem(this, session, async () => {
		const licences = await session.reader.licences(session.signal);
		return licences.map((json) => ({ json }));
	});
}
