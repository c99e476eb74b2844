import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { findBriefLicence } from '../../../../core/workspace/allowance';
import { readWithRetries } from '../../../../core/workspace/request-context';
import { forEachItem, showNotice } from '../../../shared/items';
import { NO_LICENCE } from './getAllowance.operation';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await forEachItem(this, async (itemIndex, { context }) => {
		const { signal } = context;
		const licences = await readWithRetries(context, (client) => client.listLicences(signal));
		if (itemIndex === 0 && findBriefLicence(licences) === null)
			showNotice(this, { message: NO_LICENCE, type: 'warning' });
		return licences.map((json) => ({ json }));
	});
}
