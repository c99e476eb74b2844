import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { isRunning, type BriefSummary } from '../../../../service/api/resources';
import { instantOf } from '../../../../service/api/timestamps';
import { dayInWords } from '../../../../service/list/month';
import { errorItem, linked, showNotice } from '../../../shared/items';
import {
	markdownFileOption,
	optionsOf,
	outputDataFieldOption,
	pollIntervalOption,
	readOptions,
	simplify,
	timeoutOption,
	wholeNumber,
} from '../../../shared/properties';
import { withWatchSession } from '../../../shared/session';
import { toolDescription } from '../../../shared/tool-properties';
import { nameOf } from '../../../shared/wait-for-brief';
import { nodeRun } from './node-run';
import { readOrders } from './orders';
import { OrderPlacer, type PlacedOrder } from './place-orders';

const properties: INodeProperties[] = [
	...toolDescription(
		'Order a creator brief for one product. Each order uses one brief from the monthly allowance, so order only what the user asked for. A brief takes 3 to 6 minutes to write. The answer has its ID and status: unless the status is ready or failed, give the user the ID, and get the brief with that ID in 3 to 6 minutes. Do not create it again.',
	),
	{
		displayName:
			'Each item uses one brief from the monthly allowance, even when you test this step',
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
		description:
			'Name of the product or its marketplace product link. 2 to 180 characters. Uses one brief from the monthly allowance.',
	},
	{
		displayName: 'Wait Until Ready',
		name: 'waitUntilReady',
		type: 'boolean',
		default: false,
		description:
			'Whether to wait until the brief is written, which usually takes 3 to 6 minutes, and return the finished brief. Otherwise the brief is returned at once, still queued.',
	},
	simplify,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Approved Facts',
				name: 'approvedFacts',
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
				placeholder: 'e.g. Dermatologically tested. Paraben-free.',
				description:
					'Claims that creators may make. Only these are stated as fact in the brief. At most 10,000 characters.',
			},
			{
				displayName: 'Audience',
				name: 'audience',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. Women aged 25 to 40 who are new to skincare routines',
				description: 'Who the creators speak to. At most 1,500 characters.',
			},
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
				description: 'How the videos should look and feel. At most 3,000 characters.',
			},
			{
				displayName: 'Objective',
				name: 'objective',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. First purchases in launch week',
				description: 'What the campaign should achieve. At most 1,500 characters.',
			},
			{
				displayName: 'Order Key',
				name: 'idempotencyKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. spring-launch-{{ $json.SKU }}',
				description:
					'Your own name for this order, such as the campaign and the SKU. While the service remembers it, the same key returns the same brief at no cost, even in another execution. A row number is not enough, because row 2 of another sheet needs a different key. Any text works: it is turned into a UUID.',
			},
			{
				displayName: 'Product ID',
				name: 'productId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1729384756102938475',
				description:
					'Marketplace product ID, 5 to 40 digits. In a spreadsheet, format the column as text, because long IDs lose digits when they are stored as numbers.',
			},
			{
				displayName: 'Reference URLs',
				name: 'referenceUrls',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add URL' },
				default: [],
				placeholder: 'e.g. https://www.example.com/video/123',
				description:
					'Public HTTPS links to videos or pages to learn from. At most 8. A single text with several links works too, separated by spaces, line breaks or |.',
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
				'How many briefs to order at most in one run of this node. The items beyond are not ordered. 0 means no limit.',
		},
		outputDataFieldOption,
		pollIntervalOption,
		timeoutOption,
		{
			displayName: 'When Slots Are Busy',
			name: 'whenSlotsBusy',
			type: 'options',
			options: [
				{
					name: 'Stop',
					value: 'stop',
					description: 'Do not create this brief or any after it',
				},
				{
					name: 'Wait for a Free Slot',
					value: 'wait',
					description: 'Create the brief as soon as another one finishes',
				},
			],
			default: 'wait',
			description:
				'What to do while two briefs are running in the workspace, which is the most that can run at a time',
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
	const maxBriefs = wholeNumber(this.getNode(), most);
	const whenBusy = options.whenSlotsBusy === 'stop' ? 'stop' : 'wait';
	const run = nodeRun(this);
	const orders = readOrders(this, run, maxBriefs);
	const results = await withWatchSession(this, pollInterval, async (session) => {
		const placer = new OrderPlacer(this, session, run, { minutes, whenBusy });
		const placedAll = await placer.placeAll(orders);
		sayWhatIsPaidAgain(this, [...placer.orderedAgain.values()]);
		return placedAll;
	});
	const placed = results.flatMap((result) => (result instanceof Error ? [] : [result]));
	sayWhatIsOld(this, placed, run.startedAt);
	sayWhatIsNext(this, placed);
	return results.map((result, itemIndex) =>
		result instanceof Error ? errorItem(this, result, itemIndex) : linked(result.output, itemIndex),
	);
}

/** A notice names so many briefs at most. */
const MOST_NAMED = 3;

/** Names what was ordered again: rows that are met again are the commonest way to spend an allowance. */
function sayWhatIsPaidAgain(context: IExecuteFunctions, earlier: readonly BriefSummary[]): void {
	if (earlier.length === 0) return;
	const named = earlier
		.slice(0, MOST_NAMED)
		.map((brief) => `${nameOf(brief)} of ${dayInWords(instantOf(brief.created_at) ?? 0)}`);
	const more = earlier.length - named.length;
	const all = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const what =
		earlier.length === 1
			? `A product that has a brief was ordered again and paid for: there is ${all}.`
			: `${earlier.length} products that have briefs were ordered again and paid for: there are ${all}.`;
	const cure =
		'With an Order Key for each row, the same rows get the same briefs and cost nothing.';
	showNotice(context, `${what} ${cure}`, 'warning');
}

/** Shows after a step was executed again by hand that nothing was paid for, and how to get a new brief. */
function sayWhatIsOld(context: IExecuteFunctions, placed: PlacedOrder[], startedAt: number): void {
	const orders = new Set(placed.flatMap(({ order }) => order.manual ?? []));
	const old = [...orders].map(({ at }) => at).filter((time) => time < startedAt);
	if (old.length === 0) return;
	// In the time zone of the workflow.
	const format = `{{ DateTime.fromMillis(${Math.min(...old)}).toFormat('HH:mm') }}`;
	const time = context.evaluateExpression(format, 0) as string;
	const briefs = old.length === 1 ? 'the same brief' : `the same ${old.length} briefs`;
	const message = `Same values as at ${time}: ${briefs}, nothing paid. For a new brief within the hour, change a value or add an Order Key.`;
	showNotice(context, message, 'info');
}

/** Shows how to go on with briefs that are not written yet, so that nobody orders again. */
function sayWhatIsNext(context: IExecuteFunctions, placed: PlacedOrder[]): void {
	const running = new Set(
		placed.flatMap(({ brief, order }) => (isRunning(brief) ? order.mark : [])),
	);
	if (running.size === 0) return;
	const briefs = running.size === 1 ? 'The brief is' : `The ${running.size} briefs are`;
	const again =
		context.getMode() === 'manual'
			? 'Executing this step again within an hour, with the same values, gives the same briefs and costs nothing.'
			: 'Running the workflow again orders and pays for new briefs unless each item has an Order Key.';
	const message = `${briefs} ordered and being written. Each brief takes 3 to 6 minutes. To get the text, connect Creator Briefing Wait Until Ready, or let the trigger’s Brief Finished event start a workflow. ${again}`;
	showNotice(context, message, 'info');
}
