import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Brief } from '../../../../core/api/types';
import { toBriefOutput } from '../../../shared/brief-output';
import { mergeBriefWithInput, prefixBriefFields } from '../../../shared/input-fields';
import { canContinue, toErrorItem, toItem, type Output } from '../../../shared/items';
import { isTool } from '../../../shared/tool';
import type { OrderReason } from '../../orders/item-types';
import type { ItemOrders } from '../../orders/order-items';
import { getBriefFields, type CreateRun, type FailedItem } from './create-briefs';
import type { ItemRequest, ValidRequest } from './item-requests';

/** What a run would do with an item. */
export type PlannedItem =
	| { action: 'order'; request: ValidRequest; reason: OrderReason }
	| { action: 'reuse'; request: ValidRequest; brief: Brief }
	| { action: 'same_as_item'; request: ValidRequest; sameAs: number }
	| { action: 'limit_reached' | 'allowance_used_up'; request: ValidRequest }
	| (FailedItem & { action: 'error' });

/**
 * Returns what a run would do with each item. Orders nothing. An item that is not valid or cannot be ordered never ends
 * the node.
 * @throws {NodeFailure} if the service cannot be asked and On Error is Stop
 */
export async function planItems(
	context: IExecuteFunctions,
	requests: readonly ItemRequest[],
	run: CreateRun,
	orders: ItemOrders,
): Promise<PlannedItem[]> {
	const plans = await run.decideItems(requests);
	// The caller of a tool waits.
	const allowance = isTool(context) ? null : await orders.readAllowance();
	const firstItems = new Map<string, number>();
	return requests.map((request, index) => {
		const plan = request.kind === 'valid' ? plans.get(request.item) : undefined;
		const failed = run.findFailedItem(request, plans);
		if (failed !== null) {
			if (plan?.kind === 'error' && !canContinue(context)) throw failed.failure;
			return { ...failed, action: 'error' };
		}
		if (request.kind === 'valid' && plan?.kind === 'brief')
			return { action: 'reuse', request, brief: plan.brief };
		if (request.kind === 'invalid' || plan?.kind !== 'order')
			throw new Error('decideItems decides every valid request');
		const { contentId } = plan.order;
		const sameAs = firstItems.get(contentId);
		if (sameAs !== undefined) return { action: 'same_as_item', request, sameAs };
		const action = orders.reserveForCheck(plan.order, allowance);
		if (action !== 'order') return { action, request };
		firstItems.set(contentId, index);
		return { action, request, reason: plan.reason };
	});
}

export async function toPlannedOutputItem(
	context: IExecuteFunctions,
	item: PlannedItem,
): Promise<INodeExecutionData> {
	const { itemIndex } = item.request;
	const output =
		item.action === 'error'
			? toErrorItem(context, item.failure, itemIndex, getBriefFields(context, item))
			: toItem(await toPlannedOutput(context, item), itemIndex);
	// The first column: those of a sheet would hide it.
	output.json = { planned_action: item.action, ...output.json };
	return output;
}

async function toPlannedOutput(
	context: IExecuteFunctions,
	item: Exclude<PlannedItem, { action: 'error' }>,
): Promise<Output> {
	const { itemIndex, format, item: wanted } = item.request;
	if (item.action === 'reuse') {
		const brief = { ...item.brief, already_existed: true, markdown: null };
		return await toBriefOutput(context, brief, format, itemIndex);
	}
	const fields = {
		...(item.action === 'same_as_item' ? { same_as_item_index: item.sameAs } : {}),
		already_existed: item.action === 'same_as_item',
		product_name: wanted.input.product_name,
	};
	if (!format.includesInput) return { json: fields };
	return { json: mergeBriefWithInput(context, prefixBriefFields(fields), itemIndex) };
}
