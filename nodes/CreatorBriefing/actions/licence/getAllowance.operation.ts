import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isRunning } from '../../../../core/api/types';
import { monthStart, nextMonthStart } from '../../../../core/dates';
import { computeAllowance, findBriefLicence } from '../../../../core/workspace/allowance';
import { readWithRetries } from '../../../../core/workspace/request-context';
import { forEachItem, showNotice } from '../../../shared/items';
import type { Session } from '../../../shared/session';

export const NO_LICENCE =
	'The workspace lists no licence for creator briefs, so the service refuses orders (403).';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await forEachItem(this, async (itemIndex, session) => {
		const allowance = await readAllowance(session);
		if (allowance.notice !== null && itemIndex === 0) showNotice(this, allowance.notice, 'warning');
		return [{ json: allowance }];
	});
}

async function readAllowance({ context, workspace }: Session) {
	const { client, signal } = context;
	const licences = await readWithRetries(context, () => client.listLicences(signal));
	const licence = findBriefLicence(licences);
	const now = client.now();
	const newestBriefs = await workspace.briefs.readNewestPage(context, 0);
	const briefs = await workspace.briefs.readSince(monthStart(now), context);
	const computed = licence === null ? null : computeAllowance(licence, briefs, now);
	return {
		allowance: computed?.limit ?? null,
		used: computed?.used ?? briefs.length,
		remaining: computed?.remaining ?? null,
		// A brief of last month can still be running.
		running: newestBriefs.filter(isRunning).length,
		resets_at: new Date(nextMonthStart(now)).toISOString(),
		notice: licence === null ? NO_LICENCE : null,
	};
}
