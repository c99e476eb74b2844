import { IdMap, IdSet } from '../../service/api/brief-id';
import { BATCH_OUTAGE_MS, SLOT_HELD_TIMEOUTS } from '../../service/assumptions';
import type { Listing, SharedList } from '../../service/list/brief-list';
import type { OrderDependencies } from '../../service/order/facts';
import { BriefPoller } from '../../service/watch/poller';
import { SlotPatience } from '../../service/watch/slots';
import { Workspace } from '../../service/watch/workspace';
import { createdAt } from '../folder/journal/records';
import type { Plan } from '../plan/plan';
import type { Kept } from '../results/kept-briefs';
import { ListedBriefs } from './listed-briefs';
import { Budget } from '../order/budget';
import { Claims } from '../order/claims';
import { triesOf } from '../order/order-state';
import { waitingForSlot } from '../order/slot-wait';
import { Ordering } from './ordering';
import type { Preflight } from './preflight';
import type { RunEnvironment, RunRequest } from './request';

/** What all rows of a run share. */
export interface Run
	extends
		Pick<RunRequest, 'outDir' | 'orderAgain' | 'timeout'>,
		Pick<RunEnvironment, 'journal' | 'disk' | 'emit'> {
	/** What the machine of an order works with: the service, and what is known of the workspace. */
	tools: OrderDependencies;
	budget: Budget;
	ordering: Ordering;
	/** Whose the briefs of the list are. */
	claims: Claims;
	/** The list, for all who look for the brief of an order. */
	list: SharedList;
	/** Briefs of the list that no row has. */
	listed: ListedBriefs;
	/** The briefs in results/ that no row has. */
	kept: Kept;
}

/** @param known the rows, compared with the journal */
export function prepare(
	request: RunRequest,
	env: RunEnvironment,
	{ allowance, asOf, listing, list, kept }: Preflight & Pick<Run, 'kept'>,
	known: Plan,
): Run {
	const { service, clock, journal, disk, emit } = env;
	const { interval, outDir, timeout, orderAgain } = request;
	const ordering = new Ordering();
	const { waiting } = ordering;
	const claims = new Claims(known);
	const listed = new ListedBriefs(listing, { service, clock, interval, waiting, claims, kept });
	const tools = watch(request, env, listing, listed);
	const counted = new IdSet(listing.briefs.map(({ id }) => id));
	const start = { allowance: allowance.allowance, used: allowance.used, at: asOf, known: counted };
	return {
		tools,
		journal,
		disk,
		outDir,
		budget: new Budget(tools.workspace, start, request),
		ordering,
		claims,
		list,
		listed,
		kept,
		orderAgain,
		timeout,
		emit,
	};
}

/** The watch over the workspace, with what list and journal say of it. */
function watch(
	request: RunRequest,
	env: RunEnvironment,
	{ briefs, asOf }: Pick<Listing, 'briefs' | 'asOf'>,
	listed: ListedBriefs,
): OrderDependencies {
	const { service, clock, journal, emit } = env;
	const { interval, timeout } = request;
	const workspace = new Workspace(request.leaveSlots, SLOT_HELD_TIMEOUTS * timeout);
	let others = 0;
	const poller = new BriefPoller(service, clock, workspace, {
		interval,
		patience: BATCH_OUTAGE_MS,
		onLook: (newestPage) => {
			listed.see(newestPage);
			if (others === (others = workspace.othersRunning())) return;
			emit({ event: 'others_running', others_running: others });
		},
		slotPatience: new SlotPatience(workspace, clock, {
			timeout,
			report: (report) => emit(waitingForSlot(report)),
		}),
	});
	const shown = new IdMap(briefs.map((brief) => [brief.id, brief]));
	for (const record of journal.records.all()) {
		const { brief_id: id, state, product_name } = record;
		const brief = shown.get(id ?? '');
		if (brief !== undefined) workspace.adopt(brief, service.now());
		else if (id !== null) {
			// A list that lags behind does not show it yet, but it is paid and holds its slot (P4, P5).
			const mayRun = state === 'accepted' || state === 'parked';
			const facts = { product_name, created: createdAt(record), mayRun };
			workspace.recall(id, facts, service.now());
		}
	}
	poller.observePage(briefs, service.now() - asOf);
	for (const record of journal.records.all()) {
		// An earlier run parked it in doubt, perhaps a moment ago: its brief may run. If it was answered, the list shows that.
		const { state, brief_id, unsent, answered_with } = record;
		const isOpen = unsent !== true && answered_with === undefined;
		if (state === 'parked' && brief_id === null && isOpen)
			workspace.holdInDoubt(record.key, triesOf(record, env).lastTried, service.now());
	}
	others = workspace.othersRunning();
	return { service, poller, workspace, clock, interval };
}
