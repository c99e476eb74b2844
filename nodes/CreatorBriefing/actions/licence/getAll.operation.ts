import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { briefLicence, licenceNotices } from '../../../../service/licence';
import { forEachItem } from '../../../shared/items';
import { showNotice } from '../../../shared/notice';
import { openSession } from '../../../shared/session';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const session = await openSession(this);
	return await forEachItem(this, session, async (itemIndex) => {
		const licences = await session.reader.licences(session.signal);
		const notices = licenceNotices(briefLicence(licences, session.reader.now()));
		if (itemIndex === 0) for (const text of notices) showNotice(this, text, 'warning');
		return licences.map((json) => ({ json }));
	});
}
