import { ServiceError } from '../../core/api/errors';
import type { BriefSummary } from '../../core/api/types';
import {
	computeAllowance,
	findBriefLicence,
	type Allowance,
	type BriefLicence,
} from '../../core/workspace/allowance';
import { readWithRetries, type RequestContext } from '../../core/workspace/request-context';
import { getOrderBrief } from '../orders/order';
import type { Orders } from '../orders/orders';

/** @throws {ServiceError} if the workspace has no licence for briefs */
export async function readLicence(context: RequestContext): Promise<BriefLicence> {
	const { signal } = context;
	const licences = await readWithRetries(context, (client) => client.listLicences(signal));
	const licence = findBriefLicence(licences);
	if (licence !== null) return licence;
	throw new ServiceError({ kind: 'licence_missing', operation: 'list_licences' });
}

/** Computes the allowance. The briefs of the folder count even if the list does not show them yet. */
export function computeFolderAllowance(
	licence: BriefLicence,
	listed: readonly BriefSummary[],
	orders: Orders,
	now: number,
): Allowance {
	const own = orders.live.flatMap((order) => getOrderBrief(order) ?? []);
	return computeAllowance(licence, [...listed, ...own], now);
}
