import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isRunning } from '../../../../core/api/types';
import { monthStart, nextMonthStart } from '../../../../core/dates';
import { forEachItem, showNotice } from '../../../shared/items';
import type { Session } from '../../../shared/session';

export const NO_LICENCE =
	'The workspace lists no licence for creator briefs, so the service refuses orders (403).';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await forEachItem(this, async (itemIndex, session) => {
		const allowance = await readAllowance(session);
		if (allowance.notice !== null && itemIndex === 0)
			showNotice(this, { message: allowance.notice, type: 'warning' });
		return [{ json: allowance }];
	});
}

async function readAllowance({ context, workspace }: Session) {
	const { briefs } = workspace;
	const newestPage = await briefs.readNewestPage(context, 0);
	const allowance = await workspace.allowance.read(context);
	const licenceEnd = workspace.allowance.getLicenceEnd();
	const now = context.client.now();
	return {
		allowance: allowance?.limit ?? null,
		used: allowance?.used ?? briefs.getKnownSince(monthStart(now)).length,
		remaining: allowance?.remaining ?? null,
		// A brief of last month can still be running.
		running: newestPage.briefs.filter(isRunning).length,
		resets_at: new Date(nextMonthStart(now)).toISOString(),
		licence_renews_or_ends_at: licenceEnd === null ? null : new Date(licenceEnd).toISOString(),
		notice: allowance === null ? NO_LICENCE : null,
	};
}
