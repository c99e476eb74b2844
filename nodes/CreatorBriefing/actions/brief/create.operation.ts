import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { errorItem, linked } from '../../../shared/items';
import {
	includeInputFields,
	markdownFileOption,
	optionsOf,
	outputDataFieldOption,
	pollIntervalOption,
	readOptions,
	simplify,
	timeoutOption,
	wholeNumberParameter,
} from '../../../shared/properties';
import { withWatchSession } from '../../../shared/session';
import { toolDescription } from '../../../shared/tool-properties';
import { nodeRun } from './node-run';
import { readOrders } from './orders';
import { OrderPlacer } from './place-orders';
import { prospectItem } from './prospect';
import { showPlan, showSummary } from './run-notice';

/** A click on a long sheet must not order all of it. */
const MAX_BRIEFS = 25;

const properties: INodeProperties[] = [
	...toolDescription(
		'Get a creator brief for one product. If the workspace already has a brief for exactly these values, you get that brief at no cost; else one is ordered, which uses one brief from the monthly allowance, so order only what the user asked for. A brief takes 3 to 6 minutes to write. The answer has its ID and status: unless the status is ready or failed, give the user the ID, and get the brief with that ID in 3 to 6 minutes. already_existed says whether the brief existed before.',
	),
	{
		displayName:
			'Each brief that is ordered counts against the monthly allowance, also when you test this step. If you press Stop, the brief is still written, and running the step again gets it at no cost.',
		name: 'costNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Product Name',
		name: 'productName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Glow Serum with Vitamin C, 30 ml',
		description: 'Name of the product or its marketplace product link, 2 to 180 characters',
	},
	{
		displayName: 'Audience',
		name: 'audience',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Women aged 25 to 40 who are new to skincare routines',
		description: 'Who the creators speak to, at most 1,500 characters',
	},
	{
		displayName: 'Approved Facts',
		name: 'approvedFacts',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. Dermatologically tested. Paraben-free.',
		description:
			'Claims that creators may make: only these are stated as fact. At most 10,000 characters.',
	},
	{
		displayName: 'When Brief Exists',
		name: 'whenBriefExists',
		type: 'options',
		options: [
			{
				name: 'Use It',
				value: 'use',
				description:
					'Take the brief that the workspace already has for the same values, which costs nothing. If there is none, order one.',
			},
			{
				name: 'Use It Unless It Failed',
				value: 'useUnlessFailed',
				description:
					'Like Use It, but if that brief failed, each run orders and pays for another brief until one is written',
			},
			{
				name: 'Order Another',
				value: 'orderAnother',
				description: 'Order and pay for one more brief of the same values, in each run',
			},
		],
		default: 'use',
		description:
			'What to do if the workspace has a brief of the last 31 days for the same values, whoever ordered it',
	},
	{
		displayName:
			'Each run orders and pays for one more brief for each item. With an Order Key, later runs get the brief of that key, as long as the service remembers the key.',
		name: 'anotherNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { whenBriefExists: ['orderAnother'] } },
	},
	{
		displayName: 'Order Key',
		name: 'idempotencyKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. second-version-{{ $json.SKU }}',
		displayOptions: { show: { whenBriefExists: ['orderAnother'] } },
		description:
			'Any text that names this brief, different for each item. If it is empty, each run orders another brief.',
	},
	{
		displayName: 'Wait Until Ready',
		name: 'waitUntilReady',
		type: 'boolean',
		default: false,
		description:
			'Whether to wait the 3 to 6 minutes until the brief is written, instead of returning it at once without its text',
	},
	{
		displayName: 'Max Briefs per Run',
		name: 'maxBriefs',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: MAX_BRIEFS,
		description:
			'How many briefs this node may pay for in one execution, all passes of a loop together. The other items are left for the next run. 0 means no limit.',
	},
	{
		displayName: 'Check Only',
		name: 'checkOnly',
		type: 'boolean',
		default: false,
		description:
			'Whether to order nothing and only check. The field “would” of each item says what a run would do: order, use a brief that exists, or leave it for the next run.',
	},
	simplify,
	includeInputFields,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Campaign Terms',
				name: 'campaignTerms',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. 20% commission, two videos by 30 June',
				description:
					'Commission, deadlines and deliverables. Appended to the brief as written. At most 3,000 characters.',
			},
			{
				displayName: 'Creative Direction',
				name: 'creativeDirection',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. Natural light, no studio, first person',
				description: 'How the videos should look and feel, at most 3,000 characters',
			},
			{
				displayName: 'Objective',
				name: 'objective',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. First purchases in launch week',
				description: 'What the campaign should achieve, at most 1,500 characters',
			},
			{
				displayName: 'Product ID',
				name: 'productId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1729384756102938475',
				description:
					'Marketplace product ID, 5 to 40 digits. In a spreadsheet, format the column as text.',
			},
			{
				displayName: 'Reference URLs',
				name: 'referenceUrls',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add URL' },
				default: [],
				placeholder: 'e.g. https://www.example.com/video/123',
				description:
					'Public HTTPS links to videos or pages to learn from, at most 8. One text with several links works too.',
			},
		],
	},
	optionsOf(
		// A brief that is queued has no Markdown yet.
		{ ...markdownFileOption, displayOptions: { show: { '/waitUntilReady': [true] } } },
		outputDataFieldOption,
		pollIntervalOption,
		timeoutOption,
		{
			displayName: 'When Two Briefs Are Running',
			name: 'whenSlotsBusy',
			type: 'options',
			options: [
				{
					name: 'Stop',
					value: 'stop',
					description: 'Order neither this brief nor those of the items after it',
				},
				{
					name: 'Wait',
					value: 'wait',
					description: 'Order the brief as soon as another one is finished',
				},
			],
			default: 'wait',
			description:
				'What to do while two other briefs are being written: a workspace can have two written at a time',
		},
	),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['brief'], operation: ['create'] } },
	properties,
);

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const options = this.getNodeParameter('options', 0);
	const { pollInterval, timeout: minutes } = readOptions(options);
	const value: unknown = this.getNodeParameter('maxBriefs', 0, MAX_BRIEFS);
	const most = { name: 'Max Briefs per Run', value, min: 0 };
	const maxBriefs = wholeNumberParameter(this.getNode(), most);
	const whenBusy = options.whenSlotsBusy === 'stop' ? 'stop' : 'wait';
	const run = nodeRun(this);
	const checksOnly = this.getNodeParameter('checkOnly', 0, false) === true;
	const orders = readOrders(this, run.orders, checksOnly);
	return await withWatchSession(this, pollInterval, async (session) => {
		const placer = new OrderPlacer(this, session, run, { minutes, whenBusy, maxBriefs });
		if (checksOnly) {
			const prospects = await placer.foresee(orders);
			await showPlan(this, session, run, { orders, prospects });
			const items = prospects.map((prospect, itemIndex) => prospectItem(this, prospect, itemIndex));
			return await Promise.all(items);
		}
		const results = await placer.placeAll(orders);
		await showSummary(this, session, run, { orders, results, maxBriefs });
		return results.flatMap((result, itemIndex) => {
			if (result === 'left') return [];
			return result instanceof Error
				? errorItem(this, result, itemIndex)
				: linked(result.output, itemIndex);
		});
	});
}
