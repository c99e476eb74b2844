import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { DAY_MS, REUSE_WINDOW_MS } from '../../../../core/assumptions';
import { formatCount } from '../../../../core/text';
import { showNotice } from '../../../shared/items';
import { isOutsideCall } from '../../../shared/outside-call';
import {
	includeInputFields,
	markdownFileOption,
	makeOptions,
	outputDataFieldOption,
	pollIntervalOption,
	readOptions,
	simplify,
	timeoutOption,
	readWholeNumber,
} from '../../../shared/properties';
import { openSession } from '../../../shared/session';
import { makeToolDescription, makeToolVariant } from '../../../shared/tool-properties';
import { ItemOrders } from '../../orders/order-items';
import { planItems, toPlannedOutputItem } from './check-only';
import { describeColumns } from './columns';
import { CreateRun } from './create-briefs';
import { addForOtherItems } from './create-errors';
import { additionalFields, mainFields } from './create-fields';
import { readItemRequests, type ItemRequest } from './item-requests';
import { getNodeMemory, getNodeRun, getOrderMemory } from './node-memory';
import { describePlan, describeRun } from './notice';

/** A click on a long sheet must not order all of it. */
const MAX_BRIEFS = 25;
const MAX_REUSE_DAYS = REUSE_WINDOW_MS / DAY_MS;
const MINUTE_MS = 60_000;

/** `MAX_BRIEFS` take about an hour. */
const DEFAULT_TIMEOUT_MINUTES = 90;

const maxBriefs: INodeProperties = {
	displayName: 'Max Briefs per Run',
	name: 'maxBriefs',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: MAX_BRIEFS,
	description:
		"The most briefs that this node orders in one execution, all passes of a loop together. 0 means no limit. A sub-workflow that runs for each item, and each message to an AI agent, is an execution of its own. In a tool of an agent, the default is 1. Items beyond the limit are left for the next run. If 'On Error' is set to 'Continue', they come out with the code limit_reached. In a loop, use 'Continue': a pass without items ends the loop.",
};

const properties: INodeProperties[] = [
	...makeToolDescription(
		'Get a creator brief for one product. If the workspace already has a brief for exactly these values, you get that brief at no cost; otherwise a brief is ordered, which uses one brief from the monthly allowance, so order only what the user asked for. Any other wording of a value is another brief, so never create a brief again to see whether it is ready: get it by its ID. After an error, call again with exactly the same values. A brief takes 3 to 6 minutes to write. The answer has its ID and status: unless the status is ready or failed, give the user the ID, and get the brief with that ID in 3 to 6 minutes. already_existed is true if the brief existed before.',
	),
	{
		displayName:
			"Each new brief uses one brief from the monthly allowance, also when you test this step. Running the step again with the same values within 90 days costs nothing: the items get their existing briefs (see 'When Brief Exists'). To see the cost first, switch on 'Check Only'.",
		name: 'costNotice',
		type: 'notice',
		default: '',
	},
	...mainFields,
	{
		displayName: 'When Brief Exists',
		name: 'whenBriefExists',
		type: 'options',
		options: [
			{
				name: 'Use It',
				value: 'use',
				description:
					'Use the brief of the last 90 days with the same values, which costs nothing. If there is none, order a brief.',
			},
			{
				name: 'Use It Unless It Failed',
				value: 'useUnlessFailed',
				description:
					'Like Use It, but if that brief has failed, order and pay for another. After three failed briefs, nothing more is ordered.',
			},
		],
		default: 'use',
		description:
			"What to do if the workspace already has a brief with the same values. It does not matter who ordered it. The option 'Reuse Within (Days)' limits its age. For another brief of a product, write a difference into a field, for example “Variant B” into Creative Direction.",
	},
	{
		displayName: 'Wait Until Ready',
		name: 'waitUntilReady',
		type: 'boolean',
		default: false,
		description:
			'Whether to wait the 3 to 6 minutes until the brief is written, instead of returning it at once without its text',
	},
	...makeToolVariant(maxBriefs, { default: 1 }),
	{
		displayName: 'Check Only',
		name: 'checkOnly',
		type: 'boolean',
		default: false,
		description:
			'Whether to only check the items and order nothing. The field planned_action of each item is what a run would do: order, reuse, same_as_item, limit_reached, allowance_used_up or error.',
	},
	simplify,
	includeInputFields,
	...additionalFields,
	makeOptions(
		// A brief that is queued has no Markdown yet.
		{ ...markdownFileOption, displayOptions: { show: { '/waitUntilReady': [true] } } },
		outputDataFieldOption,
		pollIntervalOption,
		{
			displayName: 'Reuse Within (Days)',
			name: 'reuseWithinDays',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_REUSE_DAYS },
			default: MAX_REUSE_DAYS,
			description:
				'How old an existing brief can be to be used again. For an older brief, another is ordered and paid for.',
		},
		{
			...timeoutOption,
			default: DEFAULT_TIMEOUT_MINUTES,
			description:
				'How many minutes this node runs at most. Two briefs are written at a time, so 25 briefs take about an hour. Items that are not ordered in time are left for the next run. A brief that takes longer is still written.',
		},
	),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['brief'], operation: ['create'] } },
	properties,
);

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const settings = readSettings(this);
	const memory = getNodeMemory(this);
	const nodeRun = getNodeRun(this, memory, () => {
		const requests = readItemRequests(this);
		if (!settings.isCheckOnly) throwIfInvalid(this, requests);
		return requests;
	});
	const session = await openSession(this, settings);
	const orders = new ItemOrders(session, getOrderMemory(session), memory.execution, settings);
	const run = new CreateRun(this, session, orders, {
		node: this.getNode(),
		maxBriefs: settings.maxBriefs,
		isOutsideCall: isOutsideCall(this),
		now: session.context.client.now(),
	});
	// If nothing is ordered, the licence is not read: the notice is worth no request.
	const getFacts = () => ({
		...settings,
		...describeSurroundings(this),
		allowance: orders.getAllowance(),
		licenceEnd: orders.getLicenceEnd(),
		now: session.context.client.now(),
		columns: describeColumns(this),
	});
	if (settings.isCheckOnly) {
		const planned = await planItems(this, nodeRun.requests, run, orders);
		showNotice(this, describePlan(planned, getFacts()));
		return await Promise.all(planned.map((item) => toPlannedOutputItem(this, item)));
	}
	const created = await run.createBriefs(nodeRun);
	showNotice(this, describeRun(created, getFacts()));
	return await run.toOutput(created);
}

function readSettings(context: IExecuteFunctions) {
	const options = context.getNodeParameter('options', 0);
	const { pollInterval, timeout } = readOptions(options, DEFAULT_TIMEOUT_MINUTES);
	const node = context.getNode();
	const reuse = { name: 'Reuse Within (Days)', value: options.reuseWithinDays ?? MAX_REUSE_DAYS };
	const reuseWithinDays = readWholeNumber(node, { ...reuse, min: 1, max: MAX_REUSE_DAYS });
	const max: unknown = context.getNodeParameter('maxBriefs', 0, MAX_BRIEFS);
	const maxBriefs = readWholeNumber(node, { name: 'Max Briefs per Run', value: max, min: 0 });
	return {
		reuseWithinDays,
		reuseWithinMs: reuseWithinDays * DAY_MS,
		maxBriefs: maxBriefs === 0 ? Infinity : maxBriefs,
		isCheckOnly: context.getNodeParameter('checkOnly', 0, false) === true,
		timeoutMs: timeout * MINUTE_MS,
		pollSeconds: pollInterval,
	};
}

/** @throws {NodeOperationError} if a request is not valid, unless On Error continues. Nothing is sent before */
function throwIfInvalid(context: IExecuteFunctions, requests: readonly ItemRequest[]): void {
	if (context.continueOnFail()) return;
	const [first, ...others] = requests.filter((request) => request.kind === 'invalid');
	if (first === undefined) return;
	const count = formatCount(others.length, 'other item');
	throw addForOtherItems(
		first.failure,
		others.length + 1 < requests.length,
		'Nothing was ordered.',
		others.length === 0 ? '' : `${count} cannot be ordered, either.`,
	);
}

function describeSurroundings(context: IExecuteFunctions) {
	const { name } = context.getNode();
	const children = context.getChildNodes(name);
	const parents = new Set(context.getParentNodes(name).map((parent) => parent.name));
	return {
		isFollowedByWait: children.some(({ type }) => type.endsWith('creatorBriefingWait')),
		isInLoop: children.some((child) => parents.has(child.name)),
	};
}
