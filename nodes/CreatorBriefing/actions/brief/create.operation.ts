import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { isRunning as isBeingWritten } from '../../../../service/api/resources';
import { errorItem, linked, showNotice } from '../../../shared/items';
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
import { OrderPlacer, type ItemResult } from './place-orders';

const properties: INodeProperties[] = [
	...toolDescription(
		'Get a creator brief for one product. If the workspace already has a brief for exactly these values, you get that brief at no cost; else one is ordered, which uses one brief from the monthly allowance, so order only what the user asked for. A brief takes 3 to 6 minutes to write. The answer has its ID and status: unless the status is ready or failed, give the user the ID, and get the brief with that ID in 3 to 6 minutes. already_existed says whether it was there before.',
	),
	{
		displayName:
			'Each new brief uses one from the monthly allowance, also when you test this step. If you press Stop, the brief is still written, and the same step gets it for nothing.',
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
		displayName: 'When Brief Exists',
		name: 'whenBriefExists',
		type: 'options',
		options: [
			{
				name: 'Use It',
				value: 'use',
				description:
					'Take the brief that the workspace already has for the same values. Costs nothing.',
			},
			{
				name: 'Use It Unless It Failed',
				value: 'useUnlessFailed',
				description: 'The same, but order again what the service could not write, each time',
			},
			{
				name: 'Order Another',
				value: 'orderAnother',
				description: 'Order and pay for one more brief of the same values',
			},
		],
		default: 'use',
		description:
			'What to do if the workspace has a brief of the last 31 days for the same values, whoever ordered it',
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
		displayName: 'Wait Until Ready',
		name: 'waitUntilReady',
		type: 'boolean',
		default: false,
		description:
			'Whether to wait the 3 to 6 minutes until the brief is written, instead of returning it at once without its text',
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
				displayName: 'Order Key',
				name: 'idempotencyKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. second-version-{{ $json.SKU }}',
				displayOptions: { show: { '/whenBriefExists': ['orderAnother'] } },
				description:
					'Your own name for this further brief: while the service remembers it, the same key gives the same brief',
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
		{
			displayName: 'Max Briefs per Run',
			name: 'maxBriefs',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'How many briefs to pay for at most in one run of this node. Other items are left for the next run. 0 means no limit.',
		},
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
					description: 'Order neither this brief nor any after it',
				},
				{
					name: 'Wait',
					value: 'wait',
					description: 'Order the brief as soon as another one is finished',
				},
			],
			default: 'wait',
			description: 'What to do while the workspace writes two briefs, the most at a time',
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
	const most = { name: 'Max Briefs per Run', value: options.maxBriefs ?? 0, min: 0 };
	const maxBriefs = wholeNumberParameter(this.getNode(), most);
	const whenBusy = options.whenSlotsBusy === 'stop' ? 'stop' : 'wait';
	const run = nodeRun(this);
	const orders = readOrders(this, run);
	const results = await withWatchSession(this, pollInterval, async (session) => {
		const placer = new OrderPlacer(this, session, run, { minutes, whenBusy, maxBriefs });
		return await placer.placeAll(orders);
	});
	showSummary(this, results);
	return results.flatMap((result, itemIndex) => {
		if (result === 'left') return [];
		return result instanceof Error
			? errorItem(this, result, itemIndex)
			: linked(result.output, itemIndex);
	});
}

/** Says once for the run what was paid, what was there, and what is still to come. */
function showSummary(context: IExecuteFunctions, results: readonly ItemResult[]): void {
	const items = results.filter((one) => typeof one === 'object' && 'brief' in one);
	const existed = items.filter(({ alreadyExisted }) => alreadyExisted).length;
	const newBriefs = items.length - existed;
	const leftOut = results.filter((result) => result === 'left').length;
	const isRunning = items.some(({ brief }) => isBeingWritten(brief));
	if (existed + leftOut === 0 && !isRunning) return;
	const counts = [
		...(newBriefs > 0 ? [`${briefs(newBriefs)} ordered`] : []),
		...(existed > 0 ? [`${newBriefs > 0 ? existed : briefs(existed)} ${were(existed)} there`] : []),
	];
	const sentences = [
		...(counts.length > 0 ? [`${counts.join(', ')}.`] : []),
		...(isRunning ? ['The last text is ready in about 4 minutes.'] : []),
		...(isRunning && !isFollowed(context) ? [CONNECT] : []),
		...(leftOut > 0
			? [`${leftOut} more ${were(leftOut)} left for the next run, because of 'Max Briefs per Run'.`]
			: []),
	];
	showNotice(context, sentences.join(' '), 'info');
}

const CONNECT = 'To get it, connect Creator Briefing Wait Until Ready behind this node.';

function were(count: number): string {
	return count === 1 ? 'was' : 'were';
}

function briefs(count: number): string {
	return count === 1 ? '1 brief' : `${count} briefs`;
}

/** Checks whether a node behind this one waits for the text. */
function isFollowed(context: IExecuteFunctions): boolean {
	const children = context.getChildNodes(context.getNode().name);
	return children.some(({ type }) => type.endsWith('creatorBriefingWait'));
}
