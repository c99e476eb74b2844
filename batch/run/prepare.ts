import { IdMap, IdSet } from '../../service/brief-id';
import { BATCH_OUTAGE_MS, SLOT_HELD_TIMEOUTS } from '../../service/assumptions';
import { BriefPoller } from '../../service/watch/poller';
import { SlotPatience } from '../../service/watch/slots';
import { Workspace } from '../../service/watch/workspace';
import { Budget } from './order/budget';
import { Claims } from './order/claims';
import type { Dependencies } from './dependencies';
import { ListedBriefs } from './listed/listed-briefs';
import { createdAt, onServiceClock } from './order/order-state';
import { Ordering } from './ordering';
import type { Preflight } from './preflight';
import type { RunEnvironment, RunRequest } from './request';
import { waitingForSlot } from './order/slot-wait';

/** Makes what the rows depend on, and puts together what list and journal say of the workspace. */
export function prepare(
	request: RunRequest,
	env: RunEnvironment,
	{ allowance, asOf, listing, list }: Preflight,
	goneKeys: ReadonlySet<string>,
): Dependencies {
	const { service, clock, journal, disk, emit } = env;
	const { interval, outDir, timeout } = request;
	const workspace = new Workspace(request.leaveSlots, SLOT_HELD_TIMEOUTS * timeout);
	const slotPatience = new SlotPatience(workspace, clock, {
		timeout,
		tell: (report) => emit(waitingForSlot(report)),
	});
	let others = 0;
	const onLook = () => {
		if (others === (others = workspace.othersRunning())) return;
		emit({ event: 'others_running', others_running: others });
	};
	const poller = new BriefPoller(service, clock, workspace, {
		interval,
		patience: BATCH_OUTAGE_MS,
		onLook,
		slotPatience,
	});
	const { briefs } = listing;
	const listed = new IdMap(briefs.map((brief) => [brief.id, brief]));
	for (const record of journal.records.all()) {
		const { brief_id: id, state } = record;
		const brief = listed.get(id ?? '');
		if (brief !== undefined) workspace.adopt(brief, service.now());
		else if (id !== null) {
			// A list that lags behind does not show it yet; it is paid and holds its slot all the same (P4, P5).
			const created = createdAt(record);
			const mayRun = state === 'accepted' || state === 'parked';
			const { product_name } = record;
			workspace.recall(id, { product_name, created, mayRun }, service.now());
		}
	}
	poller.observePage(briefs, service.now() - listing.asOf);
	for (const record of journal.records.all()) {
		// An earlier run parked it in doubt, perhaps a moment ago: its brief may run. If it was answered, the list shows that.
		const { state, brief_id, unsent, answered_with, last_tried, last_service_time } = record;
		const isOpen = unsent !== true && answered_with === undefined;
		if (state === 'parked' && brief_id === null && isOpen)
			workspace.holdInDoubt(onServiceClock(last_tried, last_service_time, env), service.now());
	}
	others = workspace.othersRunning();
	const start = {
		allowance: allowance.allowance,
		used: allowance.used,
		at: asOf,
		known: new IdSet([...listed.keys()]),
	};
	const budget = new Budget(workspace, start, request);
	const ordering = new Ordering();
	const { waiting } = ordering;
	const claims = new Claims(journal.records, goneKeys);
	return {
		service,
		poller,
		workspace,
		clock,
		interval,
		timeout,
		budget,
		journal,
		disk,
		outDir,
		emit,
		ordering,
		claims,
		list,
		waiting,
		listed: new ListedBriefs(listing, { service, clock, interval, waiting, claims }),
	};
}
