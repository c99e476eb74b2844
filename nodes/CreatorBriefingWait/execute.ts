import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Brief } from '../../service/resources';
import { briefIdOf } from '../shared/brief-locator';
import { briefOutput } from '../shared/brief-output';
import { nodeErrorFrom, type NodeFailure } from '../shared/errors';
import { errorItem, linked } from '../shared/items';
import { readOptions } from '../shared/properties';
import { openRun, type Run } from '../shared/run';
import { waitFailure } from '../shared/waiting';
import { watchBriefs, type Wanted } from './watch';

/** Ready briefs go to the first output, failed ones to the second, and with Continue On Fail errors too. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { pollInterval, timeout } = readOptions(this.getNodeParameter('options', 0));
	const run = await openRun(this, pollInterval);
	const briefs = await endedBriefs(this, run, timeout);
	const ready: INodeExecutionData[] = [];
	const failed: INodeExecutionData[] = [];
	for (const [itemIndex, brief] of briefs.entries()) {
		if (brief instanceof Error) failed.push(errorItem(brief, itemIndex));
		else {
			const item = linked(await briefOutput(this, brief, itemIndex), itemIndex);
			(brief.status === 'failed' ? failed : ready).push(item);
		}
	}
	// An AI agent gets the first output alone, and is to hear of failed briefs too (fact 10).
	const isTool = this.getNode().type.endsWith('Tool');
	return isTool ? [[...ready, ...failed]] : [ready, failed];
}

/** Each item's brief once it has ended, or why it has not. Without Continue On Fail the first failure is thrown. */
async function endedBriefs(
	context: IExecuteFunctions,
	run: Run,
	minutes: number,
): Promise<Array<Brief | NodeFailure>> {
	const continues = () => context.continueOnFail() && run.signal?.aborted !== true;
	const wantedBy = context.getInputData().map((_item, itemIndex) => {
		const wanted = wantedBrief(context, itemIndex);
		if (wanted instanceof Error && !continues()) throw wanted;
		return wanted;
	});
	// Several items may name the same brief.
	const unique = wantedBy.flatMap((wanted): Array<[string, Wanted]> =>
		wanted instanceof Error ? [] : [[wanted.id, wanted]],
	);
	const watched = await watchBriefs(run, new Map(unique), minutes);
	return wantedBy.map((brief, itemIndex) => {
		if (brief instanceof Error) return brief;
		const result = watched.get(brief.id) ?? { thrown: new Error('not watched') };
		if ('ended' in result) return result.ended;
		const wait = { brief, minutes, now: run.service.now() };
		const failure = waitFailure(context.getNode(), result.thrown, wait, { itemIndex });
		if (!continues()) throw failure;
		return failure;
	});
}

function wantedBrief(context: IExecuteFunctions, itemIndex: number): Wanted | NodeFailure {
	try {
		const id = briefIdOf(context, itemIndex);
		const json = context.getInputData()[itemIndex]?.json ?? {};
		// An item that comes from Create says when, which spares the first looks.
		const isBrief = json.id === id;
		const { product_name, created_at } = isBrief ? json : {};
		return { id, created_at, product_name: typeof product_name === 'string' ? product_name : '' };
	} catch (thrown) {
		return nodeErrorFrom(context.getNode(), thrown, Date.now(), { itemIndex });
	}
}
