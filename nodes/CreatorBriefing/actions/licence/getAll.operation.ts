import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { briefLicence, licenceNotices } from '../../../../service/list/licence';
import { forEachItem, showNotice } from '../../../shared/items';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await forEachItem(this, async (itemIndex, { reader, signal }) => {
		const licences = await reader.licences(signal);
		const notices = licenceNotices(briefLicence(licences));
		if (itemIndex === 0) for (const text of notices) showNotice(this, text, 'warning');
		return licences.map((json) => ({ json }));
	});
}
