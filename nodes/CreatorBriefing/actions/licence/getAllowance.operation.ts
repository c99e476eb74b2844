import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { allowanceOf, briefsOfThisMonth } from '../../../../service/allowance';
import { briefLicence, licenceNotices } from '../../../../service/licence';
import { forEachItem } from '../../../shared/items';
import { showNotice } from '../../../shared/notice';
import { openSession } from '../../../shared/session';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const session = await openSession(this);
	const { reader, signal } = session;
	return await forEachItem(this, session, async (itemIndex) => {
		const found = briefLicence(await reader.licences(signal), reader.now());
		const briefs = await briefsOfThisMonth(reader, signal);
		const { notices, ...figures } = allowanceOf(found.licence, briefs, reader.now());
		const notice = [...licenceNotices(found), ...notices].join(' ') || null;
		if (notice !== null && itemIndex === 0) showNotice(this, notice, 'warning');
		return [{ json: { ...figures, notice } }];
	});
}
