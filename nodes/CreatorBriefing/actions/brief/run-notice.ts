import type { IExecuteFunctions } from 'n8n-workflow';
import { roundedIds } from '../../../../service/input/signs';
import { isRunning, type Licence } from '../../../../service/api/resources';
import { allowanceOf, type Allowance } from '../../../../service/list/allowance';
import { briefLicence } from '../../../../service/list/licence';
import { showNotice } from '../../../shared/items';
import { titleOfProduct, type NodeFailure } from '../../../shared/node-errors';
import type { WatchSession } from '../../../shared/session';
import { isTool } from '../../../shared/tool';
import type { NodeRun } from './node-run';
import type { ItemOrder } from './orders';
import type { ItemResult, Prospect } from './place-orders';

/** An answer takes less, and nobody is to wait for the line about a run. */
const LONGEST_READ_MS = 2_000;

interface Results {
	orders: ReadonlyArray<ItemOrder | NodeFailure>;
	results: readonly ItemResult[];
	maxBriefs: number;
}

/** Says once for the run what became of its items, what is left of the month, and what is still to come. */
export async function showSummary(
	context: IExecuteFunctions,
	session: WatchSession,
	run: NodeRun,
	{ orders, results, maxBriefs }: Results,
): Promise<void> {
	const counts = { ordered: 0, existed: 0, in_doubt: 0, refused: 0, left: 0 };
	const contentsFailed = new Set<string>();
	for (const [itemIndex, result] of results.entries())
		counts[fateOf(result, orders[itemIndex], run, contentsFailed)] += 1;
	const parts = [
		count(counts.ordered, (n) => `${briefs(n)} ordered`),
		count(counts.existed, (n) => `${n} already existed (nothing paid)`),
		count(counts.in_doubt, (n) => `${n} without an answer (may be paid for)`),
		count(counts.refused, (n) => `${n} not ordered`),
		count(counts.left, (n) => `${n} left for the next run`),
	];
	const isWritten = results.some(
		(one) => typeof one === 'object' && 'brief' in one && isRunning(one.brief),
	);
	const sentences = [
		line(results.length, parts),
		leftOf(await readAllowance(context, session, run)),
		...(counts.left > 0
			? [
					`'Max Briefs per Run' is ${maxBriefs}: run the workflow again, and it goes on with the rest.`,
				]
			: []),
		...(isWritten ? ['The last text is ready in about 4 minutes.'] : []),
		...(isWritten && !isFollowed(context) ? [CONNECT] : []),
		...remarksOn(orders),
	];
	show(context, sentences);
}

const CONNECT = 'To get it, connect Creator Briefing Wait Until Ready after this node.';

/** The remarks that have room in a notice. */
const MOST_REMARKS = 3;

/** Says which values a program or a hand may have damaged. They are sent as they are. */
function remarksOn(orders: Results['orders']): string[] {
	const valid = orders.flatMap((order) => (order instanceof Error ? [] : [order]));
	const remarks = valid.flatMap(({ input, remarks: ofOrder }) =>
		ofOrder.map((remark) => `${titleOfProduct(input.product_name)}: ${remark}.`),
	);
	if (roundedIds(valid.map(({ input }) => input.product_id)).size > 0)
		remarks.unshift('All Product IDs end in 00: a program may have rounded them.');
	const more = remarks.length - MOST_REMARKS;
	return [...remarks.slice(0, MOST_REMARKS), ...(more > 0 ? [`${more} more such remarks.`] : [])];
}

/** Says what a run would pay for, and what is left of the month. */
export async function showPlan(
	context: IExecuteFunctions,
	session: WatchSession,
	run: NodeRun,
	{ orders, prospects }: { orders: Results['orders']; prospects: readonly Prospect[] },
): Promise<void> {
	const would = (word: string) =>
		prospects.filter((one) => !(one instanceof Error) && one.would === word).length;
	const cost = would('order');
	const parts = [
		count(cost, (n) => `${briefs(n)} would be ordered`),
		count(would('use'), (n) => `${n} would use a brief that exists (nothing to pay)`),
		count(would('wait_for_next_run'), (n) => `${n} would be left for the next run`),
		count(prospects.filter((one) => one instanceof Error).length, (n) => `${n} cannot be ordered`),
	];
	const allowance = await readAllowance(context, session, run);
	const missing = cost - (allowance?.remaining ?? Infinity);
	show(context, [
		'Check Only: nothing was ordered.',
		line(prospects.length, parts),
		leftOf(allowance),
		...(missing > 0 ? [`That is ${missing} fewer than this would order.`] : []),
		...remarksOn(orders),
	]);
}

function show(context: IExecuteFunctions, sentences: readonly string[]): void {
	showNotice(context, sentences.filter((sentence) => sentence !== '').join(' '), 'info');
}

function line(items: number, parts: readonly string[]): string {
	const counts = parts.filter((part) => part !== '').join(', ');
	return `${items === 1 ? '1 item' : `${items} items`}: ${counts}.`;
}

function count(n: number, inWords: (n: number) => string): string {
	return n === 0 ? '' : inWords(n);
}

function briefs(n: number): string {
	return n === 1 ? '1 brief' : `${n} briefs`;
}

type Fate = 'ordered' | 'existed' | 'in_doubt' | 'refused' | 'left';

/** @param contentsFailed what items before were ordered and failed: it is counted once */
function fateOf(
	result: ItemResult,
	order: ItemOrder | NodeFailure | undefined,
	{ contentsPaid, briefs: briefsOfRun }: NodeRun,
	contentsFailed: Set<string>,
): Fate {
	if (result === 'left') return 'left';
	if (!(result instanceof Error)) return result.alreadyExisted ? 'existed' : 'ordered';
	if (order === undefined || order instanceof Error || !contentsPaid.has(order.content))
		return 'refused';
	if (contentsFailed.has(order.content)) return 'refused';
	contentsFailed.add(order.content);
	return briefsOfRun.has(order.content) ? 'ordered' : 'in_doubt';
}

function leftOf(allowance: Allowance | null): string {
	if (allowance?.allowance == null) return '';
	return `${allowance.remaining} of ${allowance.allowance} left this month.`;
}

/** Reads what is left of the month. The licence is asked for once in an execution; null if it cannot be read. */
async function readAllowance(
	context: IExecuteFunctions,
	session: WatchSession,
	{ execution, briefs: briefsOfRun }: NodeRun,
): Promise<Allowance | null> {
	// A model gets no notice, and its caller waits.
	if (isTool(context)) return null;
	const { licence = await readLicence(session) } = execution;
	execution.licence = licence;
	if (licence === null) return null;
	const { list, service } = session;
	return allowanceOf(licence, [...briefsOfRun.values()], service.now(), list.monthUse);
}

async function readLicence({ service, signal }: WatchSession): Promise<Licence | null> {
	// It would be waited out.
	if (service.rateLimit() !== null) return null;
	const limits = [AbortSignal.timeout(LONGEST_READ_MS), ...(signal === undefined ? [] : [signal])];
	return await service.licences(AbortSignal.any(limits)).then(
		(licences) => briefLicence(licences).licence,
		() => null,
	);
}

/** Checks whether a node after this one waits for the text. */
function isFollowed(context: IExecuteFunctions): boolean {
	const children = context.getChildNodes(context.getNode().name);
	return children.some(({ type }) => type.endsWith('creatorBriefingWait'));
}
