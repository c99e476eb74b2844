import { BATCH_OUTAGE_MS, SLOT_HELD_TIMEOUTS } from '../../service/assumptions';
import { slotOnRecord } from '../../service/order/driver';
import type { OrderDependencies } from '../../service/order/facts';
import { BriefPoller } from '../../service/watch/poller';
import { SlotPatience } from '../../service/watch/slots';
import { Workspace } from '../../service/watch/workspace';
import { createdAt, endedAs } from '../folder/records';
import { answeredWith } from '../folder/journal/causes';
import { Budget } from '../order/budget';
import type { OrderContext } from '../order/order-context';
import { Ordering } from '../order/ordering';
import { tellWait, waitForSlot } from '../order/waits';
import type { Preparation } from './prepare';
import type { RunEnvironment, RunRequest } from './request';

/** Makes what the orders of a run share. */
export function contextOf(
	preparation: Preparation,
	request: RunRequest,
	env: RunEnvironment,
): OrderContext {
	const { journal, disk } = env;
	const { outDir, timeout, maxTries } = request;
	const { allowance, asOf, listing, list, freeBriefs, owners } = preparation;
	const ordering = new Ordering(() => env.service.now());
	const watch = watchOver(preparation, request, env);
	const { workspace } = watch;
	const knownIds = new Set(listing.briefs.map(({ id }) => id));
	const start = { allowance: allowance.allowance, used: allowance.used, at: asOf, knownIds };
	return {
		...watch,
		journal,
		disk,
		outDir,
		owners,
		timeout,
		maxTries,
		budget: new Budget(workspace, journal.records, start, request),
		ordering,
		list,
		freeBriefs,
	};
}

/** Makes the watch over the workspace, with what list and journal say of it. */
function watchOver(
	{ listing: { briefs, asOf }, freeBriefs }: Preparation,
	{ timeout, leaveSlots, interval }: RunRequest,
	env: RunEnvironment,
): OrderDependencies {
	const { service, clock, journal } = env;
	const workspace = new Workspace(leaveSlots, SLOT_HELD_TIMEOUTS * timeout);
	let others = 0;
	const poller = new BriefPoller(service, clock, workspace, {
		interval,
		patience: BATCH_OUTAGE_MS,
		onLook: ({ data: newestPage }) => {
			freeBriefs.see(newestPage);
			if (others === (others = workspace.othersRunning())) return;
			journal.tell({ event: 'others_running', others_running: others });
		},
		slotPatience: new SlotPatience(workspace, clock, timeout, (report) =>
			tellWait(waitForSlot(report), journal),
		),
	});
	const listedById = new Map(briefs.map((brief) => [brief.id, brief]));
	for (const record of journal.records.all()) {
		const { product_name, state } = record;
		const brief = listedById.get(state.briefId ?? '');
		if (brief !== undefined) workspace.addOwn(brief, service.now());
		else if (state.briefId !== null) {
			// A list that lags behind does not show it yet, but it is paid and holds its slot (P4, P5).
			const mayRun = slotOnRecord(state) === 'brief' && endedAs(record) === null;
			const facts = { product_name, created_at: createdAt(record), mayRun };
			workspace.recall(state.briefId, facts, service.now());
		}
	}
	poller.observePage(briefs, service.now() - asOf);
	for (const record of journal.records.all()) {
		// An earlier run parked it in doubt, perhaps a moment ago: its brief may run. If it was answered, the list shows that.
		const { state, cause } = record;
		const isUnanswered = answeredWith(cause) === undefined;
		if (slotOnRecord(state) === 'uncertain' && isUnanswered)
			workspace.addUncertain(record.key, state.lastTried?.service ?? -Infinity, service.now());
	}
	others = workspace.othersRunning();
	return { service, poller, workspace, clock };
}
