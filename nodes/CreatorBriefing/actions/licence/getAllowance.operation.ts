import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { allowanceOf, briefsOfThisMonth } from '../../../../service/list/allowance';
import { briefLicence, licenceNotices } from '../../../../service/list/licence';
import { forEachItem, showNotice } from '../../../shared/items';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await forEachItem(this, async (itemIndex, { reader, signal }) => {
		const choice = briefLicence(await reader.licences(signal));
		const briefs = await briefsOfThisMonth(reader, signal);
		const { notices, ...figures } = allowanceOf(choice.licence, briefs, reader.now());
		const notice = [...licenceNotices(choice), ...notices].join(' ') || null;
		if (notice !== null && itemIndex === 0) showNotice(this, notice, 'warning');
		return [{ json: { ...figures, notice } }];
	});
}
